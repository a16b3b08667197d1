import type { ChainView } from './chain-view.ts'
import type { Line } from './line.ts'
import { MAIN_LINE, shorten, type Thought } from './thought.ts'

/** Names at most this many things in one sentence, then how many more there are. */
const MAX_NAMED = 10

/** Characters of a branch's name in a notice, quotes included: a plain name of 64 characters fits. */
const MAX_SHORT_NAME_CHARS = 66

/** "the main line" or "branch "cache"". */
export function lineName(line: Line): string {
  return line.branchId === undefined ? 'the main line' : `branch ${JSON.stringify(line.branchId)}`
}

/** The same in a notice, where a name that is long in JSON is shortened: it is not there to be sent back. */
export function shortLineName(line: Line): string {
  return line.branchId === undefined
    ? lineName(line)
    : `branch ${shorten(JSON.stringify(line.branchId), MAX_SHORT_NAME_CHARS)}`
}

/** "thoughts 1 to 5", with the summarized ones told apart. */
export function numbersOf(line: Line): string {
  const last = line.next - 1
  const all = last === line.first ? `thought ${last}` : `thoughts ${line.first} to ${last}`
  if (line.firstKept === line.first) return all
  if (line.firstKept === line.next) return `${all}, summarized`
  return `${all}, summarized up to ${line.firstKept - 1}`
}

/** The fields of the call that appends to a line and is taken for nothing else. */
export function nextStep(chain: ChainView, line: Line): string {
  return fields([`thoughtNumber ${line.next}`, branchField(chain, line), ...stopField(chain)])
}

/** The fields of the call that appends to the main line, for a caller that named another line. */
export function nextMainStep(chain: ChainView): string {
  return fields([`thoughtNumber ${chain.main.next}`, `branchId "${MAIN_LINE}"`, ...stopField(chain)])
}

/** The fields of the call that makes the next revision of a thought and is taken for nothing else. */
export function nextRevision(chain: ChainView, thought: Thought): string {
  const { line, thoughtNumber } = thought
  return fields([
    `thoughtNumber ${thoughtNumber}`,
    `revisionNumber ${thought.revisionNumber + 1}`,
    branchField(chain, line),
  ])
}

/** The fields of the call that opens a branch, under a name that no branch has yet where one must be given. */
export function newBranch(chain: ChainView, from: number, name?: string): string {
  return fields([
    `branchFromThought ${from}`,
    `thoughtNumber ${from + 1}`,
    'revisionNumber 0',
    name === undefined ? undefined : `branchId ${JSON.stringify(name)}`,
    ...stopField(chain),
  ])
}

/** "a", "a and b", "a, b and c". */
export function list(items: readonly string[], joint = 'and'): string {
  const last = items.at(-1)
  if (last === undefined) return ''
  return items.length === 1 ? last : `${items.slice(0, -1).join(', ')} ${joint} ${last}`
}

/** The first ten of the items, then how many more. */
export function listSome(items: readonly string[], joint = 'and'): string {
  if (items.length <= MAX_NAMED) return list(items, joint)
  return `${items.slice(0, MAX_NAMED).join(', ')} and ${items.length - MAX_NAMED} more`
}

/** Numbers of thoughts as a reader of `line` would say them: with the branch where it is another line. */
export function nameThoughts(thoughts: readonly Thought[], line: Line): string[] {
  return thoughts.map((thought) =>
    thought.line === line
      ? `${thought.thoughtNumber}`
      : `${thought.thoughtNumber} of ${shortLineName(thought.line)}`,
  )
}

/** Where there are branches the main line is named too: the caller may have named a branch. */
function branchField(chain: ChainView, line: Line): string | undefined {
  if (line.branchId !== undefined) return `branchId ${JSON.stringify(line.branchId)}`
  return chain.branches.size > 0 ? `branchId "${MAIN_LINE}"` : undefined
}

function stopField(chain: ChainView): string[] {
  return chain.isFull ? ['nextThoughtNeeded false'] : []
}

function fields(parts: readonly (string | undefined)[]): string {
  return list(parts.filter((part) => part !== undefined))
}

export function capitalize(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}
