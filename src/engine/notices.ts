import type { ChainView, StopReason } from './chain-view.ts'
import type { Limits } from './limits.ts'
import type { Line } from './line.ts'
import type { Thought } from './thought.ts'
import { capitalize, list, listSome, nameThoughts, nextStep, shortLineName } from './wording.ts'

/** Characters of the sentence that ends a chain; thoughts that do not fit into it are counted. */
const MAX_CLOSING_CHARS = 300

export const REOPENED = 'This chain was closed; this call has reopened it.'

/** The sentence that ends a chain: answer now, after a look at what may no longer hold. */
export function closing(thought: Thought, stale: readonly Thought[]): string {
  const end = thought.line.branchId === undefined ? '' : `, which ends on ${shortLineName(thought.line)}`
  const answer = `stop calling sequential_thinking and give the user your answer from this chain${end}.`
  if (stale.length === 0) return capitalize(answer)
  const names = nameThoughts(stale, thought.line)
  const sentence = (named: number) =>
    `First check ${someThoughts(names, named)}, written before an earlier thought was revised; then ${answer}`
  let named = names.length
  while (named > 0 && sentence(named).length > MAX_CLOSING_CHARS) named--
  return sentence(named)
}

/** "thought 3", "thoughts 3, 4 and 2 more" or "6 thoughts". */
function someThoughts(names: readonly string[], named: number): string {
  const more = names.length - named
  if (named === 0) return `${more} ${more === 1 ? 'thought' : 'thoughts'}`
  return `${names.length === 1 ? 'thought' : 'thoughts'} ${list(more === 0 ? names : [...names.slice(0, named), `${more} more`])}`
}

/** Makes a lazy finish visible. */
export function endsEarly(thought: Thought): string {
  const last = thought.line.next - 1
  return `This ends early, at thought ${last} of ${thought.totalThoughts} planned: answer only if nothing that matters is left open.`
}

export function repeats(thought: Thought, earlier: Thought): string {
  return `Thought ${thought.thoughtNumber} repeats thought ${earlier.thoughtNumber}: a further step must say something new or revise an earlier thought; with nothing to add, conclude with nextThoughtNeeded false.`
}

export function followersOfRevision(thought: Thought, followers: readonly Thought[]): string {
  const names = listSome(nameThoughts(followers, thought.line))
  const noun = followers.length === 1 ? 'Thought' : 'Thoughts'
  return `${noun} ${names} came after the old text of thought ${thought.thoughtNumber}: revise those that no longer hold; if all still hold, nothing is to be done.`
}

export function forkFoundOn(from: number, line: Line): string {
  return `Thought ${from} was found on ${shortLineName(line)}, so the new branch forks from there.`
}

export function summarized(count: number): string {
  return `The ${count} earliest entries were condensed into one summary; their thoughts can no longer be revised, only branched from.`
}

export function alreadyRecorded(chain: ChainView, thought: Thought): string {
  return `This thought was already recorded and was not recorded again; for a further step send ${nextStep(chain, thought.line)}.`
}

/** What a model is told when it is stopped: the last entry of its history. */
export function stopped(reasons: readonly StopReason[], limits: Limits): string {
  const why = reasons.map((reason) =>
    reason === 'step_limit'
      ? `this chain has reached its limit of ${limits.maxSteps} steps`
      : 'this chain keeps repeating earlier thoughts',
  )
  return `Stop here: ${why.join(', and ')}. Do not send another step; draw the conclusion from the thoughts that you have and give the user your answer now.`
}
