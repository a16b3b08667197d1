import * as z from 'zod'
import { ThoughtError } from '../engine/errors.ts'
import type { Limits } from '../engine/limits.ts'
import { MAIN_LINE, type ThoughtInput } from '../engine/thought.ts'
import { onFirstUse } from '../on-first-use.ts'
import * as lenient from './lenient.ts'

const MAX_BRANCH_ID_CHARS = 64

const FIELDS = [
  'thought',
  'thoughtNumber',
  'totalThoughts',
  'nextThoughtNeeded',
  'revisionNumber',
  'branchFromThought',
  'branchId',
  'sessionId',
  'isRevision',
  'revisesThought',
]

/** Fields of the schema that the tool advertises. */
const EXACT_FIELDS = new Set(FIELDS.slice(0, FIELDS.indexOf('isRevision')))

/** Ids and names that are taken as they are: nothing to trim, and not too long in whatever characters. */
const PLAIN_NAME = new RegExp(`^[\\w-]{1,${MAX_BRANCH_ID_CHARS}}$`)

/** The arguments of a thought, parsed. */
export interface ThoughtArguments {
  /** Trimmed and in lower case, as the server makes ids. */
  readonly sessionId: string | undefined
  readonly input: ThoughtInput
}

/** What a call gave, field by field. */
interface Given
  extends Pick<
    ThoughtInput,
    'thought' | 'totalThoughts' | 'nextThoughtNeeded' | 'branchFromThought' | 'branchId'
  > {
  readonly thoughtNumber: number
  readonly revisionNumber?: number | undefined
  readonly sessionId?: string | undefined
  readonly isRevision?: boolean | undefined
  /** The number of the thought to revise, where it is given apart. */
  readonly revises?: number | undefined
}

/**
 * Parses the arguments of a thought leniently. Besides the advertised fields it knows `isRevision` and
 * `revisesThought` of the reference server (@modelcontextprotocol/server-sequential-thinking), which models know
 * by heart.
 *
 * @throws ThoughtError `invalid_input` or `thought_too_long`, naming every field that is wrong
 */
export function createArgumentParser({ maxThoughtChars }: Limits): (args: unknown) => ThoughtArguments {
  const any = onFirstUse(() => anyArguments(maxThoughtChars))
  return (args) => {
    const given: Given = takeExact(args, maxThoughtChars) ?? lenient.parseArguments(any(), args)
    const { thought, totalThoughts, nextThoughtNeeded, branchFromThought, branchId } = given
    return {
      sessionId: given.sessionId?.toLowerCase(),
      input: { thought, totalThoughts, nextThoughtNeeded, branchFromThought, branchId, ...target(given) },
    }
  }
}

/**
 * Takes arguments that are as the schema advertises them, as most are, in little time: every call passes here, and
 * most servers do not live long enough for a schema to become quick.
 *
 * @returns nothing where anything is out of the ordinary, wrong or right
 */
function takeExact(args: unknown, maxThoughtChars: number) {
  if (!isRecord(args) || !Object.keys(args).every((name) => EXACT_FIELDS.has(name))) return undefined
  const { thought, thoughtNumber, totalThoughts, nextThoughtNeeded, revisionNumber, branchFromThought } = args
  const { branchId, sessionId } = args
  if (typeof thought !== 'string' || thought.length > maxThoughtChars || thought.trim() === '')
    return undefined
  if (!isPositive(thoughtNumber) || !isPositive(totalThoughts)) return undefined
  if (typeof nextThoughtNeeded !== 'boolean') return undefined
  if (revisionNumber !== undefined && !isPositive(revisionNumber)) return undefined
  if (branchFromThought !== undefined && !isPositive(branchFromThought)) return undefined
  if (branchId !== undefined && !isPlainName(branchId)) return undefined
  if (sessionId !== undefined && !isPlainName(sessionId)) return undefined
  return {
    thought,
    thoughtNumber,
    totalThoughts,
    nextThoughtNeeded,
    revisionNumber,
    branchFromThought,
    branchId,
    sessionId,
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isPositive(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1
}

/** The main line's name has a meaning of its own, which is looked into elsewhere. */
function isPlainName(value: unknown): value is string {
  return typeof value === 'string' && PLAIN_NAME.test(value) && !isMainLine(value)
}

/** In parts, so that what is wrong in one does not keep the others from being checked. */
function anyArguments(maxThoughtChars: number) {
  return lenient.camelCaseKeys(
    FIELDS,
    stepArguments(maxThoughtChars).and(branchArguments()).and(referenceArguments()),
  )
}

function stepArguments(maxThoughtChars: number) {
  return z.object({
    thought: lenient.text({ name: 'thought', maxChars: maxThoughtChars }),
    thoughtNumber: lenient.integer({
      name: 'thoughtNumber',
      min: 1,
      meaning: 'the number of this step, counted from 1',
    }),
    totalThoughts: lenient.integer({
      name: 'totalThoughts',
      min: 1,
      meaning: 'your present estimate of how many steps it takes',
    }),
    nextThoughtNeeded: lenient.boolean({
      name: 'nextThoughtNeeded',
      meaning: 'whether another step follows this one',
    }),
    revisionNumber: lenient.optionalInteger({
      name: 'revisionNumber',
      min: 0,
      meaning: '0 for a new step, n for the n-th revision of thoughtNumber',
    }),
    sessionId: lenient.optionalString({
      name: 'sessionId',
      meaning: 'the id that the first call of the chain returned',
    }),
  })
}

function branchArguments() {
  return z
    .object({
      branchFromThought: lenient.optionalInteger({
        name: 'branchFromThought',
        min: 1,
        meaning: 'the number of the thought that a branch leaves',
      }),
      branchId: lenient.optionalString({
        name: 'branchId',
        maxChars: MAX_BRANCH_ID_CHARS,
        meaning: 'the name of the branch that this step is on',
      }),
    })
    .transform(({ branchFromThought: from, branchId }, context) => {
      if (!isMainLine(branchId)) return { branchFromThought: from, branchId }
      if (from === undefined) return { branchFromThought: from, branchId: MAIN_LINE }
      return lenient.refuse(
        context,
        `branchId "${MAIN_LINE}" is the main line, which forks from no thought, but branchFromThought is ${from}. For a new branch, send another branchId with branchFromThought ${from} and thoughtNumber ${from + 1}; for the main line, leave out branchFromThought.`,
      )
    })
}

/** Fields of the reference server. Clients fill what they do not need with anything, so only what counts is read. */
function referenceArguments() {
  const revisesThought = {
    name: 'revisesThought',
    min: 1,
    meaning: 'though thoughtNumber with revisionNumber is the way to revise',
  }
  return z
    .object({
      isRevision: lenient.optionalBoolean({
        name: 'isRevision',
        meaning: 'though revisionNumber is the field for it',
      }),
      revisesThought: z.unknown(),
    })
    .transform(({ isRevision, revisesThought: value }, context) => ({
      isRevision,
      revises: isRevision ? lenient.readOptionalInteger(revisesThought, value, context) : undefined,
    }))
}

function isMainLine(branchId: string | undefined): boolean {
  return branchId?.toLowerCase() === MAIN_LINE
}

/** Which thought a call is about, from the advertised fields and those of the reference server. */
function target(given: Given): Pick<ThoughtInput, 'thoughtNumber' | 'revisionNumber'> {
  const { thoughtNumber, revisionNumber, isRevision, revises } = given
  if (revisionNumber === undefined && revises !== undefined)
    return { thoughtNumber: revises, revisionNumber: 'next' }
  if (revises !== undefined && revises !== thoughtNumber) throw twoTargets(thoughtNumber, revises)
  return { thoughtNumber, revisionNumber: revisionNumber ?? (isRevision ? 'next-if-recorded' : 0) }
}

function twoTargets(thoughtNumber: number, revises: number): ThoughtError {
  return new ThoughtError(
    'invalid_input',
    `revisesThought is ${revises} and thoughtNumber is ${thoughtNumber}, so it is not certain which thought is to be revised. Send thoughtNumber with the number of the one to revise and revisionNumber one above its version; leave out isRevision and revisesThought.`,
  )
}
