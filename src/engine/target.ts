import type { ChainView } from './chain-view.ts'
import type { ThoughtError } from './errors.ts'
import type { Fork, Line } from './line.ts'
import * as refusals from './refusals.ts'
import { MAIN_LINE, type Thought, type ThoughtInput } from './thought.ts'

/** What a call is about. Nothing is changed by finding it out. */
export type Target =
  | { kind: 'append'; line: Line }
  | { kind: 'branch'; branchId: string; fork: Fork; isAutoNamed: boolean }
  | { kind: 'revise'; thought: Thought }
  | { kind: 'retry'; thought: Thought }

/** @throws ThoughtError when the target does not exist or is not certain */
export function resolveTarget(chain: ChainView, input: ThoughtInput): Target {
  if (input.revisionNumber === 0) return resolveStep(chain, input)
  const line = revisedLine(chain, input)
  if (input.revisionNumber === 'next-if-recorded' && !line?.has(input.thoughtNumber))
    return resolveStep(chain, input)
  if (line === undefined) throw revisionOnNewBranch(chain, input)
  return resolveRevision(chain, line, input)
}

function resolveStep(chain: ChainView, input: ThoughtInput): Target {
  const { branchFromThought: from, branchId } = input
  const named = namedLine(chain, branchId)
  if (named !== undefined) {
    if (from !== undefined && from !== named.fork?.from) throw refusals.branchConflict(chain, named, from)
    return appendTo(chain, named, input)
  }
  if (from !== undefined) return resolveFork(chain, from, input)
  if (branchId !== undefined) throw refusals.branchNotFound(chain, branchId, false)
  const last = chain.lastLine
  const couldBeLast = last !== chain.main && input.thoughtNumber === last.next
  // What says the same as the main line's latest call is that call sent again, not a thought of the branch.
  if (couldBeLast && !isRetry(chain.main, input, 0)) throw refusals.ambiguousStep(chain)
  return appendTo(chain, chain.main, input)
}

/** A step that gives the thought it forks from and no branch that exists. */
function resolveFork(chain: ChainView, from: number, input: ThoughtInput): Target {
  if (input.branchId === undefined) {
    const autoNamed = autoNamedBranches(chain, from)
    const retried = autoNamed.find((line) => isRetry(line, input, 0))
    if (retried !== undefined) return appendTo(chain, retried, input)
    const continued = autoNamed.filter((line) => line.next === input.thoughtNumber)
    if (continued.length > 1) throw refusals.ambiguousAutoNamed(chain, continued)
    if (continued[0] !== undefined) return appendTo(chain, continued[0], input)
  }
  if (chain.branches.size >= chain.limits.maxBranches) throw refusals.branchLimit(chain)
  const fork = { parent: forkLine(chain, from), from }
  if (input.thoughtNumber !== from + 1 && input.thoughtNumber !== chain.highestNumber + 1) {
    throw refusals.wrongFirstOfBranch(chain, from, input)
  }
  const isAutoNamed = input.branchId === undefined
  return { kind: 'branch', branchId: input.branchId ?? freeBranchId(chain), fork, isAutoNamed }
}

/** A revision on a branch that is still to be opened. Where that could not be done either, the error says so. */
function revisionOnNewBranch(chain: ChainView, input: ThoughtInput): ThoughtError {
  const { branchFromThought: from = 1 } = input
  resolveFork(chain, from, { ...input, thoughtNumber: from + 1 })
  return refusals.revisionOnNewBranch(chain, input, from)
}

function appendTo(chain: ChainView, line: Line, input: ThoughtInput): Target {
  if (isRetry(line, input, 0) && line.lastCall !== undefined)
    return { kind: 'retry', thought: line.lastCall.thought }
  if (line.has(input.thoughtNumber)) throw refusals.thoughtExists(chain, line, input.thoughtNumber)
  if (input.thoughtNumber !== line.next) throw refusals.outOfOrder(chain, line, input.thoughtNumber)
  return { kind: 'append', line }
}

/** The line whose thought a call revises, or nothing where the call names a branch that is still to be opened. */
function revisedLine(chain: ChainView, input: ThoughtInput): Line | undefined {
  const { branchFromThought: from, branchId, thoughtNumber } = input
  const named = namedLine(chain, branchId)
  if (named !== undefined) return named
  if (branchId !== undefined) {
    if (from === undefined) throw refusals.branchNotFound(chain, branchId, true)
    return undefined
  }
  if (from !== undefined) {
    const lines = [chain.main, ...autoNamedBranches(chain, from)].filter((line) => line.has(thoughtNumber))
    if (lines.length > 1) throw refusals.ambiguousRevision(chain, lines, thoughtNumber)
    return lines[0] ?? chain.main
  }
  if (chain.lastLine !== chain.main && !isRetriedRevision(chain.main, input)) {
    const lines = [...chain.lines()].filter((line) => line.has(thoughtNumber))
    if (lines.length > 1 && lines[0] === chain.main)
      throw refusals.ambiguousRevision(chain, lines, thoughtNumber)
  }
  return chain.main
}

function resolveRevision(chain: ChainView, line: Line, input: ThoughtInput): Target {
  const thought = line.get(input.thoughtNumber)
  if (isRetriedRevision(line, input) && line.lastCall !== undefined)
    return { kind: 'retry', thought: line.lastCall.thought }
  if (line.isSummarized(input.thoughtNumber))
    throw refusals.summarizedThought(chain, line, input.thoughtNumber)
  if (thought === undefined) throw refusals.revisionTargetNotFound(chain, line, input.thoughtNumber)
  if (thought.revisionNumber >= chain.limits.maxRevisions) throw refusals.revisionLimit(chain, thought)
  if (typeof input.revisionNumber === 'number' && input.revisionNumber !== thought.revisionNumber + 1) {
    throw refusals.revisionOutOfOrder(chain, thought, input.revisionNumber)
  }
  if (input.branchFromThought !== undefined && !hasThought(chain, input.branchFromThought)) {
    throw refusals.branchPointNotFound(chain, input.branchFromThought, thought)
  }
  return { kind: 'revise', thought }
}

/** Whether a call says exactly what the latest recorded call of the line said. */
function isRetry(line: Line, input: ThoughtInput, revisionNumber: number): boolean {
  const last = line.lastCall
  return (
    last !== undefined &&
    last.thought.thoughtNumber === input.thoughtNumber &&
    last.revisionNumber === revisionNumber &&
    last.thought.thought === input.thought
  )
}

function isRetriedRevision(line: Line, input: ThoughtInput): boolean {
  const asked =
    typeof input.revisionNumber === 'number' ? input.revisionNumber : line.lastCall?.revisionNumber
  // A call that revises only what exists has appended where it did not.
  const least = input.revisionNumber === 'next-if-recorded' ? 0 : 1
  return asked !== undefined && asked >= least && isRetry(line, input, asked)
}

function namedLine(chain: ChainView, branchId: string | undefined): Line | undefined {
  if (branchId === undefined) return undefined
  return branchId === MAIN_LINE ? chain.main : chain.branches.get(branchId)
}

function autoNamedBranches(chain: ChainView, from: number): Line[] {
  return [...chain.branches.values()].filter((line) => line.isAutoNamed && line.fork?.from === from)
}

function forkLine(chain: ChainView, from: number): Line {
  const [line, ...others] = chain.linesToForkFrom(from)
  if (line === undefined) throw refusals.branchPointNotFound(chain, from)
  if (others.length > 0) throw refusals.ambiguousForkPoint(chain, [line, ...others], from)
  return line
}

function hasThought(chain: ChainView, number: number): boolean {
  return [...chain.lines()].some((line) => line.has(number))
}

function freeBranchId(chain: ChainView): string {
  let n = 1
  while (chain.branches.has(`branch-${n}`)) n++
  return `branch-${n}`
}
