import { type SummarizedRange, type Thought, takeJsonChars } from './thought.ts'
import type { Outcome, ThoughtChain } from './thought-chain.ts'

/** How much of a chain a result repeats, in characters of the texts as JSON writes them. */
export interface Budgets {
  /** Chains up to this size come back whole with every call; `full` always, 0 never. */
  readonly historyBudget: number | 'full'
  /** The call that closes a chain gets all of it within this size; 0 gives it no history. */
  readonly closingBudget: number
}

export const DEFAULT_BUDGETS: Budgets = { historyBudget: 1000, closingBudget: 8000 }

/** A node of the chain as a result shows it. */
export interface ThoughtNode {
  readonly thoughtNumber: number
  readonly totalThoughts: number
  readonly thought: string
  readonly revisionNumber: number
  readonly isRevision: boolean
  readonly branchId?: string
  readonly branches?: readonly number[]
  readonly isSummary?: true
  readonly summarizes?: readonly SummarizedRange[]
  readonly isWarning?: true
  /** The text is shortened in this result only. */
  readonly isExcerpt?: true
}

/** An excerpt is at least this long, however little of the budget is left. */
const MIN_EXCERPT_CHARS = 24

/** More of a text than this is no excerpt any more. */
const MAX_EXCERPT_CHARS = 160

/**
 * The nodes that the result of a call carries. Repeating the chain in every result would make its cost grow with
 * the square of its length, so beyond the budget a call gets only what the server made of it.
 */
export function historyOf(chain: ThoughtChain, outcome: Outcome, budgets: Budgets): ThoughtNode[] {
  const { historyBudget, closingBudget } = budgets
  const warning = outcome.warning === undefined ? [] : [warningNode(outcome, outcome.warning)]
  if (historyBudget === 'full') return [...wholeHistory(chain), ...warning]
  if (outcome.closes && closingBudget > 0) {
    return [...wholeHistory(chain, closingBudget, outcome.thought), ...warning]
  }
  const isSmall = outcome.opens || (!outcome.closes && chain.jsonChars <= historyBudget)
  if (historyBudget > 0 && isSmall) return [...wholeHistory(chain), ...warning]
  const summary = outcome.summary === undefined ? [] : [toNode(outcome.summary)]
  return [...summary, ...warning]
}

/**
 * All nodes, the main line first, then each branch in the order of opening. Where their texts take more than
 * `budget` characters, the first node, `own` and the newest ones stay whole and the others become excerpts.
 */
export function wholeHistory(
  chain: ThoughtChain,
  budget = Number.POSITIVE_INFINITY,
  own: Thought | undefined = chain.nodes.at(-1),
): ThoughtNode[] {
  const summary = chain.summary === undefined ? [] : [chain.summary]
  const nodes = [...summary, ...[...chain.lines()].flatMap((line) => line.kept)]
  if (chain.jsonChars <= budget) return nodes.map(toNode)
  const whole = new Set([nodes[0], own])
  const others = chain.nodes.filter((node) => !whole.has(node))
  let left = budget - chain.nodes.reduce((sum, node) => (whole.has(node) ? sum + node.jsonChars : sum), 0)
  const excerptChars = Math.min(
    MAX_EXCERPT_CHARS,
    Math.max(MIN_EXCERPT_CHARS, Math.floor(left / others.length)),
  )
  left -= others.reduce((sum, node) => sum + Math.min(node.jsonChars, excerptChars), 0)
  for (const node of others.reverse()) {
    left -= Math.max(0, node.jsonChars - excerptChars)
    if (left < 0) break
    whole.add(node)
  }
  return nodes.map((node) => (whole.has(node) ? toNode(node) : toExcerpt(node, excerptChars)))
}

function toNode(thought: Thought): ThoughtNode {
  const { line, thoughtNumber, totalThoughts, revisionNumber, branches, summarizes } = thought
  return {
    thoughtNumber,
    totalThoughts,
    thought: thought.thought,
    revisionNumber,
    isRevision: revisionNumber > 0,
    ...(line.branchId !== undefined && { branchId: line.branchId }),
    ...(branches.length > 0 && { branches }),
    ...(summarizes !== undefined && { isSummary: true, summarizes }),
  }
}

function toExcerpt(thought: Thought, maxJsonChars: number): ThoughtNode {
  if (thought.jsonChars <= maxJsonChars) return toNode(thought)
  return {
    ...toNode(thought),
    thought: `${takeJsonChars(thought.thought, maxJsonChars - 1)}…`,
    isExcerpt: true,
  }
}

function warningNode({ thought, totalThoughts }: Outcome, text: string): ThoughtNode {
  return {
    thoughtNumber: thought.thoughtNumber,
    totalThoughts,
    thought: text,
    revisionNumber: 0,
    isRevision: false,
    ...(thought.line.branchId !== undefined && { branchId: thought.line.branchId }),
    isWarning: true,
  }
}
