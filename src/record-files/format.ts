import * as z from 'zod'
import { FORMAT } from './session-files.ts'

const count = z.int().min(0)

/** What a `Date` can hold, in milliseconds from the epoch (ECMAScript, Time Values and Time Range). */
const MAX_TIME_MS = 8.64e15

/** The first line of a file: what it takes to replay the calls that follow. */
export const headerSchema = z.object({
  type: z.literal('session'),
  format: z.literal(FORMAT),
  version: z.string(),
  // It becomes the name of an exported file and is shown on terminals, so it must be an id as the server makes it.
  sessionId: z.uuid(),
  limits: z.object({
    maxThoughtChars: count,
    maxSteps: count,
    maxChainLength: count,
    maxRevisions: count,
    maxBranches: count,
  }),
  recordBudget: count,
})

/** Every further line: a call that was recorded, as the engine got it, and what came of it. */
export const callSchema = z.object({
  type: z.literal('call'),
  atMs: z.number().min(-MAX_TIME_MS).max(MAX_TIME_MS),
  input: z.object({
    thought: z.string(),
    thoughtNumber: z.int(),
    totalThoughts: z.int(),
    nextThoughtNeeded: z.boolean(),
    revisionNumber: z.union([z.int(), z.literal(['next', 'next-if-recorded'])]),
    branchFromThought: z.int().optional(),
    branchId: z.string().optional(),
  }),
  state: z.object({
    thoughtNumber: z.int(),
    revisionNumber: z.int(),
    branchId: z.string().optional(),
    isOpen: z.boolean(),
    steps: count,
    nodes: count,
  }),
})

export type FileHeader = z.infer<typeof headerSchema>
export type RecordedCall = z.infer<typeof callSchema>
