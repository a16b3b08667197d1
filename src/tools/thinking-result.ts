import { type Budgets, historyOf, type ThoughtNode } from '../engine/history.ts'
import type { Line } from '../engine/line.ts'
import type { Outcome, ThoughtChain } from '../engine/thought-chain.ts'
import type { JsonSchema } from './tool.ts'

/** A branch as results list it. */
export interface BranchView {
  readonly branchId: string
  readonly branchFromThought: number
  readonly parentBranchId?: string
  readonly nextThoughtNumber: number
}

/** What a recorded call returns, without the id of its session. */
export interface ThinkingResult {
  readonly thoughtNumber: number
  readonly totalThoughts: number
  readonly nextThoughtNeeded: boolean
  readonly revisionNumber: number
  readonly branchId?: string
  readonly branches: readonly BranchView[]
  readonly thoughtHistoryLength: number
  readonly nextThoughtNumber?: number
  readonly mainNextThoughtNumber?: number
  readonly thinkingHistory?: readonly ThoughtNode[]
  readonly notices?: readonly string[]
}

const EXCERPT_NOTICE = 'Texts with isExcerpt are shortened here only; get_thinking returns them whole.'

/**
 * The texts of a closing result are limited by its budget, the names of branches beside them are not. With the
 * default budget of 8,000 characters the whole is kept to 64 KB.
 */
const MIN_CLOSING_BYTES = 64 * 1024
const CLOSING_BYTES_PER_CHAR = 8

/** What the notice about nodes that were left out takes. */
const LEFT_OUT_NOTICE_BYTES = 100

/** Shows what a call did: numbers always, of the chain as much as the budgets allow. */
export function toThinkingResult(
  chain: ThoughtChain,
  outcome: Outcome,
  budgets: Budgets,
  told: readonly string[],
): ThinkingResult {
  const { thought, totalThoughts, nextThoughtNeeded } = outcome
  const history = historyOf(chain, outcome, budgets)
  const hasExcerpts = history.some((node) => node.isExcerpt)
  const notices = [...outcome.notices, ...told, ...(hasExcerpts ? [EXCERPT_NOTICE] : [])]
  const result = {
    thoughtNumber: thought.thoughtNumber,
    totalThoughts,
    nextThoughtNeeded,
    revisionNumber: thought.revisionNumber,
    ...(thought.line.branchId !== undefined && { branchId: thought.line.branchId }),
    branches: toBranchViews(chain),
    thoughtHistoryLength: chain.nodes.length,
    ...(nextThoughtNeeded && { nextThoughtNumber: thought.line.next }),
    ...(chain.branches.size > 0 && { mainNextThoughtNumber: chain.main.next }),
    ...(history.length > 0 && { thinkingHistory: history }),
    ...(notices.length > 0 && { notices }),
  }
  const couldBeLarge = outcome.closes && chain.branches.size > 0 && budgets.historyBudget !== 'full'
  return couldBeLarge ? withinBytes(result, budgets) : result
}

/**
 * Leaves out nodes until a closing result is as small as it has to be: in the order of the history, but never
 * the first, the one that the call is about, or what the server made.
 */
function withinBytes(result: ThinkingResult, { closingBudget }: Budgets): ThinkingResult {
  const maxBytes = Math.max(MIN_CLOSING_BYTES, CLOSING_BYTES_PER_CHAR * closingBudget)
  const { thinkingHistory: history = [], notices = [] } = result
  let excess = sizeOf(result) + LEFT_OUT_NOTICE_BYTES - maxBytes
  if (excess <= 0) return result
  const kept = history.filter((node, index) => {
    const isOwn = node.thoughtNumber === result.thoughtNumber && node.branchId === result.branchId
    if (excess <= 0 || index === 0 || isOwn || node.isWarning) return true
    excess -= sizeOf(node) + 1
    return false
  })
  return {
    ...result,
    thinkingHistory: kept,
    notices: [...notices, leftOutNotice(history.length - kept.length)],
  }
}

function leftOutNotice(count: number): string {
  return `${count} nodes are left out here; get_thinking returns all.`
}

function sizeOf(value: object): number {
  return Buffer.byteLength(JSON.stringify(value))
}

/** The branches of a chain, oldest first. */
export function toBranchViews(chain: ThoughtChain): BranchView[] {
  return [...chain.branches.values()].flatMap(toBranchView)
}

function toBranchView({ branchId, fork, next }: Line): BranchView[] {
  if (branchId === undefined || fork === undefined) return []
  const parentBranchId = fork.parent.branchId
  return [
    {
      branchId,
      branchFromThought: fork.from,
      ...(parentBranchId !== undefined && { parentBranchId }),
      nextThoughtNumber: next,
    },
  ]
}

const integer = { type: 'integer' }
const boolean = { type: 'boolean' }
const string = { type: 'string' }

/** Describes {@link ThinkingResult} with the session's id, in few words: clients may show all of it to a model. */
export const THINKING_OUTPUT_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    sessionId: { ...string, description: 'pass it back' },
    thoughtNumber: { ...integer, description: 'as recorded' },
    totalThoughts: { ...integer, description: 'as recorded' },
    nextThoughtNeeded: { ...boolean, description: 'false: answer' },
    revisionNumber: { ...integer, description: 'version' },
    branchId: { ...string, description: 'its branch' },
    branches: {
      type: 'array',
      description: 'all',
      items: {
        type: 'object',
        properties: {
          branchId: { ...string, description: 'name' },
          branchFromThought: { ...integer, description: 'fork' },
          parentBranchId: { ...string, description: 'its branch' },
          nextThoughtNumber: { ...integer, description: 'next' },
        },
      },
    },
    thoughtHistoryLength: { ...integer, description: 'nodes now' },
    nextThoughtNumber: { ...integer, description: 'next here' },
    mainNextThoughtNumber: { ...integer, description: 'next on main' },
    thinkingHistory: {
      type: 'array',
      description: 'nodes',
      items: {
        type: 'object',
        properties: {
          thoughtNumber: { ...integer, description: 'number' },
          totalThoughts: { ...integer, description: 'estimate' },
          thought: { ...string, description: 'text' },
          revisionNumber: { ...integer, description: 'version' },
          isRevision: { ...boolean, description: 'replaced' },
          branchId: { ...string, description: 'its branch' },
          branches: { type: 'array', description: 'forks from', items: integer },
          isSummary: { ...boolean, description: 'condensed' },
          summarizes: {
            type: 'array',
            description: 'per line',
            items: {
              type: 'object',
              properties: {
                from: { ...integer, description: 'first' },
                to: { ...integer, description: 'last' },
                count: { ...integer, description: 'how many' },
                branchId: { ...string, description: 'branch' },
              },
            },
          },
          isWarning: { ...boolean, description: 'not stored' },
          isExcerpt: { ...boolean, description: 'shortened' },
        },
      },
    },
    notices: { type: 'array', description: 'follow these', items: string },
  },
}
