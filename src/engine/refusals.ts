import type { ChainView } from './chain-view.ts'
import { ThoughtError } from './errors.ts'
import type { Line } from './line.ts'
import type { Thought, ThoughtInput } from './thought.ts'
import {
  capitalize,
  lineName,
  list,
  listSome,
  newBranch,
  nextMainStep,
  nextRevision,
  nextStep,
  numbersOf,
} from './wording.ts'

// Each refusal names a call that works: a model that has only this text must get back on course by it.

export function thoughtExists(chain: ChainView, line: Line, number: number): ThoughtError {
  const thought = line.get(number)
  const ways = [
    thought === undefined ? insteadOfSummarized(chain, line, number) : replaceText(chain, thought),
    `To go on, send ${nextStep(chain, line)}.`,
    otherLineHint(chain, line, number),
    'If this is a new problem, send thoughtNumber 1 without sessionId and branch fields.',
  ]
  return refuse('thought_exists', [`Thought ${number} already exists on ${lineName(line)}.`, ...ways])
}

export function retriedTooOften(chain: ChainView, thought: Thought): ThoughtError {
  return refuse('thought_exists', [
    `Thought ${thought.thoughtNumber} is already recorded with exactly this text; sending it again changes nothing.`,
    `Send your next thought with ${nextStep(chain, thought.line)}; if you have nothing to add, give the user your answer.`,
  ])
}

export function outOfOrder(chain: ChainView, line: Line, number: number): ThoughtError {
  return refuse('thought_out_of_order', [
    `Thought ${number} cannot be recorded now: ${lineName(line)} has ${numbersOf(line)}.`,
    `Send ${nextStep(chain, line)}.`,
    otherLineHint(chain, line, number),
    number > line.next
      ? 'If you sent several thoughts at once, send those that were refused again, in order.'
      : undefined,
  ])
}

export function wrongFirstOfBranch(chain: ChainView, from: number, input: ThoughtInput): ThoughtError {
  const branches = [...chain.branches.values()].filter((line) => line.fork?.from === from)
  return refuse('thought_out_of_order', [
    `A new branch from thought ${from} starts at thoughtNumber ${from + 1}, not ${input.thoughtNumber}.`,
    `Send ${newBranch(chain, from, input.branchId)}.`,
    branches.length === 0
      ? undefined
      : `To go on with a branch that exists: ${listSome(
          branches.map((line) => nextStep(chain, line)),
          'or',
        )}.`,
  ])
}

export function revisionTargetNotFound(chain: ChainView, line: Line, number: number): ThoughtError {
  const revisable = [...chain.lines()]
    .flatMap((other) => (other === line ? [] : (other.get(number) ?? [])))
    .filter((thought) => isRevisable(chain, thought))
  return refuse('revision_target_not_found', [
    `There is no thought ${number} to revise on ${lineName(line)}; it has ${numbersOf(line)}.`,
    revisable.length > 0
      ? `To revise that of another line, send ${listSome(
          revisable.map((thought) => nextRevision(chain, thought)),
          'or',
        )}.`
      : line.kept.some((thought) => isRevisable(chain, thought))
        ? 'Revise one of those that are not summarized, with revisionNumber one above its version.'
        : undefined,
    `To add a thought instead, send ${nextStep(chain, line)}, without revisionNumber.`,
  ])
}

export function revisionOnNewBranch(
  chain: ChainView,
  { branchId = '', thoughtNumber }: ThoughtInput,
  from: number,
): ThoughtError {
  const onMain = chain.main.get(thoughtNumber)
  return refuse('revision_target_not_found', [
    `Branch ${JSON.stringify(branchId)} does not exist yet, so it has no thought ${thoughtNumber} to revise.`,
    `To open it, send ${newBranch(chain, from, branchId)}.`,
    onMain === undefined || !isRevisable(chain, onMain)
      ? undefined
      : `To revise thought ${thoughtNumber} of the main line, send branchId "main", thoughtNumber ${thoughtNumber} and revisionNumber ${onMain.revisionNumber + 1}, without branchFromThought.`,
  ])
}

export function revisionOutOfOrder(chain: ChainView, thought: Thought, asked: number): ThoughtError {
  const { thoughtNumber, revisionNumber } = thought
  return refuse('revision_out_of_order', [
    `Thought ${thoughtNumber} of ${lineName(thought.line)} is at version ${revisionNumber}, so revisionNumber ${asked} is not its next.`,
    `Send ${nextRevision(chain, thought)}, with the full new text.`,
  ])
}

export function revisionLimit(chain: ChainView, thought: Thought): ThoughtError {
  const { thoughtNumber, revisionNumber } = thought
  return refuse('revision_limit', [
    `Thought ${thoughtNumber} of ${lineName(thought.line)} has been revised ${revisionNumber} times, which is the most allowed.`,
    insteadOfRevising(chain, thought),
    `Or go on with ${nextStep(chain, thought.line)}, without revisionNumber, saying there what is to be corrected.`,
  ])
}

export function summarizedThought(chain: ChainView, line: Line, number: number): ThoughtError {
  return refuse('thought_summarized', [
    `Thought ${number} of ${lineName(line)} is part of a summary and can no longer be revised; ${lineName(line)} has ${numbersOf(line)}.`,
    insteadOfSummarized(chain, line, number),
    `Or go on with ${nextStep(chain, line)}, without revisionNumber, saying there what is to be corrected.`,
  ])
}

export function branchNotFound(chain: ChainView, branchId: string, isRevision: boolean): ThoughtError {
  const asStep = isRevision ? ', without revisionNumber' : ''
  const known = [...chain.branches.values()].map((line) => nextStep(chain, line))
  return refuse('branch_not_found', [
    `There is no branch ${JSON.stringify(branchId)}.`,
    known.length === 0
      ? 'This chain has no branches.'
      : `To go on with a branch that exists, send ${listSome(known, 'or')}${asStep}.`,
    chain.branches.size < chain.limits.maxBranches
      ? `To open a new one, add branchFromThought with the number of the thought that it leaves, and send thoughtNumber one above that${asStop(chain)}${asStep}.`
      : undefined,
    `To go on with the main line, send ${nextMainStep(chain)}${asStep}.`,
  ])
}

export function branchConflict(chain: ChainView, line: Line, from: number): ThoughtError {
  const isKnown = [...chain.lines()].some((other) => other.has(from))
  return refuse('branch_conflict', [
    `${capitalize(lineName(line))} forks from thought ${line.fork?.from}, not from ${from}.`,
    `To go on with it, send ${nextStep(chain, line)}, without branchFromThought.`,
    isKnown && chain.branches.size < chain.limits.maxBranches
      ? `For a new branch, send ${newBranch(chain, from, freeName(chain, `from-${from}`))}.`
      : undefined,
  ])
}

export function branchLimit(chain: ChainView): ThoughtError {
  const lines = [...chain.lines()].reverse()
  return refuse('branch_limit', [
    `This chain has ${chain.branches.size} branches, which is the most allowed.`,
    `Go on with one of its lines, without branchFromThought: ${listSome(
      lines.map((line) => nextStep(chain, line)),
      'or',
    )}.`,
    'To explore further, start a new chain: thoughtNumber 1 without sessionId and branch fields.',
  ])
}

export function branchPointNotFound(chain: ChainView, from: number, revised?: Thought): ThoughtError {
  const lines = [...chain.lines()].map((line) => `${lineName(line)} has ${numbersOf(line)}`)
  return refuse('branch_point_not_found', [
    `There is no thought ${from} to branch from: ${listSome(lines)}.`,
    ...(revised === undefined
      ? [
          `Send branchFromThought with one of these numbers and thoughtNumber one above it${asStop(chain)}.`,
          `To go on with the main line, send ${nextMainStep(chain)}, without branchFromThought.`,
        ]
      : [`To revise, send ${nextRevision(chain, revised)}, without branchFromThought.`]),
  ])
}

export function ambiguousStep(chain: ChainView): ThoughtError {
  const { lastLine } = chain
  return refuse('branch_ambiguous', [
    `The last thought was on ${lineName(lastLine)}, so it is not certain which line this one belongs to.`,
    `To go on with the main line, send ${nextMainStep(chain)}; to go on with ${lineName(lastLine)}, send ${nextStep(chain, lastLine)}.`,
  ])
}

export function ambiguousAutoNamed(chain: ChainView, lines: readonly Line[]): ThoughtError {
  return refuse('branch_ambiguous', [
    `${lines.length} branches could take this thought: ${listSome(lines.map((line) => JSON.stringify(line.branchId)))}.`,
    `Send ${listSome(
      lines.map((line) => nextStep(chain, line)),
      'or',
    )}.`,
  ])
}

export function ambiguousRevision(chain: ChainView, lines: readonly Line[], number: number): ThoughtError {
  const revisable = lines
    .flatMap((line) => line.get(number) ?? [])
    .filter((thought) => isRevisable(chain, thought))
  return refuse('branch_ambiguous', [
    `Thought ${number} exists on ${listSome(lines.map(lineName))}.`,
    revisable.length === 0
      ? `On none of them can it be revised any more, since it is summarized or was revised too often. Say in a further step what is to be corrected: send ${nextStep(chain, chain.lastLine)}, without revisionNumber.`
      : `Say which one is to be revised: send ${listSome(
          revisable.map((thought) => nextRevision(chain, thought)),
          'or',
        )}.`,
  ])
}

export function ambiguousForkPoint(chain: ChainView, lines: readonly Line[], from: number): ThoughtError {
  return refuse('branch_ambiguous', [
    `Thought ${from} exists on ${listSome(lines.map(lineName))}, so it is not certain which one to branch from.`,
    `First record a thought on the one that you mean (${listSome(
      lines.map((line) => nextStep(chain, line)),
      'or',
    )}); a branch from thought ${from} then leaves that line.`,
  ])
}

/** Refused where a step would go beyond twice the step limit and asks for more. */
export function stepLimit(chain: ChainView): ThoughtError {
  return refuse('step_limit', [
    `This chain has ${chain.steps} steps and its limit is ${chain.limits.maxSteps}; from twice the limit on, steps that ask to continue are refused.`,
    'Send this step again as your conclusion, with nextThoughtNeeded false, and give the user your answer; an earlier thought can still be revised.',
  ])
}

function isRevisable(chain: ChainView, thought: Thought): boolean {
  return thought.revisionNumber < chain.limits.maxRevisions
}

function replaceText(chain: ChainView, thought: Thought): string {
  if (!isRevisable(chain, thought)) {
    return `It was revised ${thought.revisionNumber} times, which is the most allowed. ${insteadOfRevising(chain, thought)}`
  }
  return `To replace its text, send ${nextRevision(chain, thought)}, with the full new text.`
}

/** A branch beside a thought that may not be revised any more. */
function insteadOfRevising(chain: ChainView, { line, thoughtNumber }: Thought): string {
  if (line.fork === undefined && thoughtNumber === line.first) {
    return 'Nothing stands before it to branch from, so for another beginning start a new chain: thoughtNumber 1 without sessionId, revisionNumber and branch fields.'
  }
  if (chain.branches.size >= chain.limits.maxBranches) {
    return `The chain has ${chain.branches.size} branches, the most allowed, so no other branch can take its place.`
  }
  const isFirst = line.fork !== undefined && thoughtNumber === line.first
  const before = isFirst ? line.fork : { parent: line, from: thoughtNumber - 1 }
  const { parent, from } = before
  if (!leadsTo(chain, parent, from))
    return 'A branch from the thought before it would leave another line now.'
  const name = freeName(chain, `instead-of-${thoughtNumber}`)
  return `To put another thought in its place, branch from the one before it: ${newBranch(chain, from, name)}.`
}

function insteadOfSummarized(chain: ChainView, line: Line, number: number): string {
  const isPossible = chain.branches.size < chain.limits.maxBranches && leadsTo(chain, line, number)
  if (!isPossible) return 'It is summarized and cannot be revised.'
  const name = freeName(chain, `after-${number}`)
  return `It is summarized and cannot be revised, but you can branch from it: ${newBranch(chain, number, name)}.`
}

/** Whether a branch from this number would leave this line and not another one that has the number too. */
function leadsTo(chain: ChainView, line: Line, from: number): boolean {
  const [only, ...others] = chain.linesToForkFrom(from)
  return only === line && others.length === 0
}

function asStop(chain: ChainView): string {
  return chain.isFull ? ' (nextThoughtNeeded must be false now)' : ''
}

/** Where the number is what another line expects, the caller has most likely forgotten the branch. */
function otherLineHint(chain: ChainView, line: Line, number: number): string | undefined {
  const others = [...chain.lines()].filter((other) => other !== line && other.next === number)
  if (others.length === 0) return undefined
  return `If it belongs to another line, send ${list(
    others.map((other) => nextStep(chain, other)),
    'or',
  )}.`
}

function freeName(chain: ChainView, name: string): string {
  let free = name
  for (let n = 2; chain.branches.has(free); n++) free = `${name}-${n}`
  return free
}

function refuse(code: ThoughtError['code'], sentences: readonly (string | undefined)[]): ThoughtError {
  return new ThoughtError(code, sentences.filter((sentence) => sentence !== undefined).join(' '))
}
