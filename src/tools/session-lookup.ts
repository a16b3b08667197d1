import { ThoughtError } from '../engine/errors.ts'
import { MAIN_LINE, shorten, type ThoughtInput } from '../engine/thought.ts'
import type { ToolContext } from './tool.ts'

const MAX_QUOTED_CHARS = 80

const HOW_TO_START = howToStart('revisionNumber')

/** For a call with the fields of the reference server, which would mark the new chain's first thought as a revision. */
const HOW_TO_START_UNMARKED = howToStart('revisionNumber, isRevision, revisesThought')

const HOW_TO_FIND = 'To find a chain that was started before, call get_thinking.'

/**
 * The session of a call that names none; nothing where it opens a new one.
 *
 * @throws ThoughtError `session_required` when that is not certain
 */
export async function findSession(input: ThoughtInput, context: ToolContext): Promise<string | undefined> {
  if (isOpening(input)) return undefined
  const only = await findOnlyOpen(input, context)
  // Marked with isRevision, though there is nothing yet that it could revise.
  const startsChain = input.revisionNumber === 'next-if-recorded' && isFirstOfMainLine(input)
  if (only === undefined && !startsChain)
    throw sessionRequired(input, 'so it is not certain which chain this call belongs to')
  return only
}

/** Whether a call that names no session opens one for certain. */
export function isOpening(input: ThoughtInput): boolean {
  return input.revisionNumber === 0 && isFirstOfMainLine(input)
}

function isFirstOfMainLine({ thoughtNumber, branchFromThought, branchId }: ThoughtInput): boolean {
  const isOnMainLine = branchFromThought === undefined && (branchId === undefined || branchId === MAIN_LINE)
  return thoughtNumber === 1 && isOnMainLine
}

/**
 * The chain that a call without `sessionId` goes to: on a connection of the older era the only open one.
 *
 * @throws ThoughtError `session_required` when several are open
 */
async function findOnlyOpen(
  input: ThoughtInput,
  { caller, sessions }: ToolContext,
): Promise<string | undefined> {
  const found = (await caller.openChains?.find(sessions, caller.owner)) ?? 'none'
  if (found === 'several') {
    throw sessionRequired(
      input,
      'and several chains are open, so it is not certain which one this call belongs to',
    )
  }
  return found === 'none' ? undefined : found.only
}

function sessionRequired({ revisionNumber }: ThoughtInput, why: string): ThoughtError {
  const start = typeof revisionNumber === 'number' ? HOW_TO_START : HOW_TO_START_UNMARKED
  return new ThoughtError(
    'session_required',
    `sessionId is missing, ${why}. Send this call again with the sessionId that the first call of the chain returned. ${start} ${HOW_TO_FIND}`,
  )
}

function howToStart(withoutFields: string): string {
  return `To start a new chain, send thoughtNumber 1 without sessionId, ${withoutFields} and branch fields.`
}

/** One error for ids that were never issued, were dropped, are malformed or belong to another caller. */
export function sessionNotFound(sessionId: string): ThoughtError {
  const quoted = shorten(JSON.stringify(sessionId), MAX_QUOTED_CHARS)
  return new ThoughtError(
    'session_not_found',
    `No chain has the sessionId ${quoted}. Check it against the one that the first call of the chain returned: it may be mistyped, or the chain was dropped because it was not used for long or the server was restarted. ${HOW_TO_FIND} ${HOW_TO_START}`,
  )
}
