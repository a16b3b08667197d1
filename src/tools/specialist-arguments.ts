import * as z from 'zod'
import type { Limits } from '../engine/limits.ts'
import type { ThoughtInput } from '../engine/thought.ts'
import * as lenient from './lenient.ts'
import { createArgumentParser } from './thought-arguments.ts'

/** A call of `sequentialthinking`, parsed. */
export interface SpecialistCall {
  readonly sessionId: string | undefined
  /** As the chain gets it: it asks to continue when either of the two flags does. */
  readonly input: ThoughtInput
  /** What the call said, for telling it what became of that. Absent fields were not sent. */
  readonly sent: SentFields
}

interface SentFields {
  readonly thoughtNumber: number
  readonly totalThoughts: number
  readonly nextThoughtNeeded: boolean
  readonly needsMoreThoughts: boolean | undefined
  readonly isRevision: boolean | undefined
  readonly hasRevisesThought: boolean
}

/** @throws ThoughtError `invalid_input` or `thought_too_long` */
export function createSpecialistParser(limits: Limits): (args: unknown) => SpecialistCall {
  const parse = createArgumentParser(limits)
  return (args) => {
    const { sessionId, input } = parse(args)
    const { thoughtNumber, needsMoreThoughts, isRevision, revisesThought } = lenient.parseArguments(
      ownSchema,
      args,
    )
    const { totalThoughts, nextThoughtNeeded } = input
    return {
      sessionId,
      input: { ...input, nextThoughtNeeded: nextThoughtNeeded || needsMoreThoughts === true },
      sent: {
        thoughtNumber,
        totalThoughts,
        nextThoughtNeeded,
        needsMoreThoughts,
        isRevision,
        hasRevisesThought: revisesThought !== undefined && revisesThought !== null && revisesThought !== '',
      },
    }
  }
}

const ownSchema = lenient.camelCaseKeys(
  ['thoughtNumber', 'needsMoreThoughts', 'isRevision', 'revisesThought'],
  z.object({
    thoughtNumber: lenient.integer({ name: 'thoughtNumber', min: 1, meaning: 'the number of this step' }),
    needsMoreThoughts: lenient.optionalBoolean({
      name: 'needsMoreThoughts',
      meaning: 'whether more thoughts are needed than were planned',
    }),
    isRevision: lenient.optionalBoolean({
      name: 'isRevision',
      meaning: 'whether this replaces an earlier thought',
    }),
    revisesThought: z.unknown(),
  }),
)
