import * as z from 'zod'
import { ThoughtError } from '../engine/errors.ts'
import type { Limits } from '../engine/limits.ts'
import { MAIN_LINE, type ThoughtInput } from '../engine/thought.ts'
import * as lenient from './lenient.ts'

const MAX_BRANCH_ID_CHARS = 64

/** The arguments of a thought, parsed. */
export interface ThoughtArguments {
  /** Trimmed and in lower case, as the server makes ids. */
  readonly sessionId: string | undefined
  readonly input: ThoughtInput
}

/**
 * Parses the arguments of a thought leniently. Besides the advertised fields it knows `isRevision` and
 * `revisesThought` of the reference server (@modelcontextprotocol/server-sequential-thinking), which models know
 * by heart.
 *
 * @throws ThoughtError `invalid_input` or `thought_too_long`, naming every field that is wrong
 */
export function createArgumentParser({ maxThoughtChars }: Limits): (args: unknown) => ThoughtArguments {
  const schema = lenient.camelCaseKeys(
    z.object({
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
      sessionId: lenient.optionalString({
        name: 'sessionId',
        meaning: 'the id that the first call of the chain returned',
      }),
      isRevision: lenient.optionalBoolean({
        name: 'isRevision',
        meaning: 'though revisionNumber is the field for it',
      }),
      revisesThought: z.unknown(),
    }),
  )
  const revisesThought = z.object({
    revisesThought: lenient.optionalInteger({
      name: 'revisesThought',
      min: 1,
      meaning: 'though thoughtNumber with revisionNumber is the way to revise',
    }),
  })

  const exact = exactArguments(maxThoughtChars)

  return (args) => {
    const asAdvertised = exact.safeParse(args)
    const given = asAdvertised.success ? asAdvertised.data : lenient.parseArguments(schema, args)
    // Clients fill fields that they do not need with anything, so this one is read only where it counts.
    const revises = given.isRevision
      ? lenient.parseArguments(revisesThought, given).revisesThought
      : undefined
    const branchId = given.branchId?.toLowerCase() === MAIN_LINE ? MAIN_LINE : given.branchId
    const { thought, totalThoughts, nextThoughtNeeded, branchFromThought } = given
    if (branchId === MAIN_LINE && branchFromThought !== undefined)
      throw mainForksFromNothing(branchFromThought)
    return {
      sessionId: given.sessionId?.toLowerCase(),
      input: {
        thought,
        totalThoughts,
        nextThoughtNeeded,
        branchFromThought,
        branchId,
        ...target(given, revises),
      },
    }
  }
}

/**
 * Arguments as the schema advertises them, which most calls send: one quick pass takes those. Whatever it refuses
 * is parsed leniently, so it only has to be stricter.
 */
function exactArguments(maxThoughtChars: number) {
  return z.strictObject({
    thought: z.string().max(maxThoughtChars).regex(/\S/),
    thoughtNumber: z.int().min(1),
    totalThoughts: z.int().min(1),
    nextThoughtNeeded: z.boolean(),
    revisionNumber: z.int().min(1).optional(),
    branchFromThought: z.int().min(1).optional(),
    branchId: z.string().trim().min(1).max(MAX_BRANCH_ID_CHARS).optional(),
    sessionId: z.string().trim().min(1).optional(),
    isRevision: z.literal(false).optional(),
    revisesThought: z.undefined().optional(),
  })
}

/** Which thought a call is about, from the advertised fields and those of the reference server. */
function target(
  given: {
    thoughtNumber: number
    revisionNumber?: number | undefined
    isRevision?: boolean | undefined
  },
  revises: number | undefined,
): Pick<ThoughtInput, 'thoughtNumber' | 'revisionNumber'> {
  const { thoughtNumber, revisionNumber, isRevision } = given
  if (revisionNumber === undefined && revises !== undefined)
    return { thoughtNumber: revises, revisionNumber: 'next' }
  if (revises !== undefined && revises !== thoughtNumber) throw twoTargets(thoughtNumber, revises)
  return { thoughtNumber, revisionNumber: revisionNumber ?? (isRevision ? 'next-if-recorded' : 0) }
}

function mainForksFromNothing(from: number): ThoughtError {
  return new ThoughtError(
    'invalid_input',
    `branchId "${MAIN_LINE}" is the main line, which forks from no thought, but branchFromThought is ${from}. For a new branch, send another branchId with branchFromThought ${from} and thoughtNumber ${from + 1}; for the main line, leave out branchFromThought.`,
  )
}

function twoTargets(thoughtNumber: number, revises: number): ThoughtError {
  return new ThoughtError(
    'invalid_input',
    `revisesThought is ${revises} and thoughtNumber is ${thoughtNumber}, so it is not certain which thought is to be revised. Send thoughtNumber with the number of the one to revise and revisionNumber one above its version; leave out isRevision and revisesThought.`,
  )
}
