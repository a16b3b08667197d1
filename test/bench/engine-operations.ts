import { DEFAULT_BUDGETS } from '../../src/engine/history.ts'
import { DEFAULT_LIMITS, type Limits } from '../../src/engine/limits.ts'
import type { ThoughtInput } from '../../src/engine/thought.ts'
import { type Outcome, ThoughtChain } from '../../src/engine/thought-chain.ts'
import { toThinkingResult } from '../../src/tools/thinking-result.ts'
import { thoughtText } from './thought-text.ts'

/** Steps of the chains that the engine is measured at. */
export const LENGTHS = [1, 5, 25, 50, 5_000]
const THOUGHT_CHARS = 200

const limits: Limits = { ...DEFAULT_LIMITS, maxSteps: 1_000_000, maxRevisions: 1_000_000, maxBranches: 1_000 }

export interface Prepared {
  chain: ThoughtChain
  outcome: Outcome
}

export function input(thoughtNumber: number, more: Partial<ThoughtInput> = {}): ThoughtInput {
  return {
    thought: thoughtText(thoughtNumber, THOUGHT_CHARS),
    thoughtNumber,
    totalThoughts: thoughtNumber,
    nextThoughtNeeded: true,
    revisionNumber: 0,
    ...more,
  }
}

export function chainOf(steps: number): Prepared {
  const opened = ThoughtChain.open(input(1), limits)
  let { outcome } = opened
  for (let number = 2; number <= steps; number += 1) outcome = opened.chain.record(input(number))
  return { chain: opened.chain, outcome }
}

/** What is measured: the state that a call finds, and the call. */
export interface Operation {
  name: string
  lengths: readonly number[]
  stepsBefore(length: number): number
  call(prepared: Prepared, length: number): unknown
  /** Whether calls leave the chain as long as it was, so that it need not be built again for every sample. */
  isRepeatable?: boolean
  /** Nodes that a chain of thousands of steps is brought back to before a sample, being too long to build again. */
  nodesBefore?: number
}

/** Of a chain that was just summarized and appended to once more. */
export const NODES_AFTER_SUMMARY = 43

/** Appends until the chain has so many nodes: the summaries take it back and forth between 42 and 50. */
export function appendUntil({ chain }: Prepared, nodes: number): void {
  while (chain.nodes.length !== nodes) chain.record(input(chain.main.next, { branchId: 'main' }))
}

let revisions = 0

const beforeLast = (length: number): number => Math.max(1, length - 1)
const whole = (length: number): number => length

export const append: Operation = {
  name: 'append, as step n',
  lengths: LENGTHS,
  stepsBefore: beforeLast,
  nodesBefore: 49,
  call: ({ chain }, length) =>
    length === 1 ? ThoughtChain.open(input(1), limits) : chain.record(input(chain.main.next)),
}

export const operations: Operation[] = [
  append,
  {
    name: 'revise the earliest kept thought of n',
    lengths: LENGTHS,
    stepsBefore: whole,
    call: ({ chain }) => {
      const number = chain.main.firstKept
      revisions += 1
      const thought = thoughtText(1_000_000 + revisions, THOUGHT_CHARS)
      return chain.record(input(number, { thought, revisionNumber: 'next' }))
    },
    isRepeatable: true,
  },
  {
    name: 'branch from the latest thought, as node n',
    lengths: LENGTHS,
    stepsBefore: beforeLast,
    nodesBefore: 49,
    call: ({ chain }) => {
      const from = chain.main.next - 1
      const branchId = `branch ${from}`
      return chain.record(input(from + 1, { branchFromThought: from, branchId }))
    },
  },
  {
    name: 'append that summarizes, after n steps',
    // Ten nodes become one when the chain would pass 50: at step 51, then with every ninth.
    lengths: [50, 5_000],
    stepsBefore: whole,
    nodesBefore: 50,
    call: ({ chain }) => {
      const { summary } = chain.record(input(chain.main.next))
      if (summary === undefined) throw new Error(`Step ${chain.main.next - 1} does not summarize`)
      return summary
    },
  },
  {
    name: 'result of step n',
    lengths: LENGTHS,
    stepsBefore: whole,
    call: ({ chain, outcome }) => JSON.stringify(toThinkingResult(chain, outcome, DEFAULT_BUDGETS, [])),
    isRepeatable: true,
  },
  {
    name: 'result of step n when it closes',
    lengths: LENGTHS.filter((length) => length > 1),
    stepsBefore: whole,
    call: ({ chain, outcome }) => {
      const closing = { ...outcome, closes: true, nextThoughtNeeded: false }
      return JSON.stringify(toThinkingResult(chain, closing, DEFAULT_BUDGETS, []))
    },
    isRepeatable: true,
  },
]
