import type { EventSnapshot, SummarySnapshot } from '../documents/chain-snapshot.ts'

// The chain as the view draws it: plain data, one node for everything that opens and closes.

/** What the header tells of a chain. Fields that only the record has are absent without it. */
export interface ChainTree {
  readonly sessionId: string
  readonly isOpen: boolean
  /** Whether the server ended it. */
  readonly isStopped: boolean
  readonly opening: string
  readonly opened?: string
  readonly lastCall?: string
  readonly steps: number
  readonly revisions?: number
  readonly branches: number
  readonly lastNumber: number
  readonly totalThoughts: number
  /** The summary, the main line with its branches, then branches whose fork is not shown. */
  readonly nodes: readonly TreeNode[]
  /** Stops and warnings at thoughts that are not shown. */
  readonly otherEvents: readonly EventSnapshot[]
  /** What is missing, in sentences. */
  readonly gaps: readonly string[]
  toMarkdown(): string
}

export type TreeNode = ThoughtNode | VersionNode | BranchNode | SummaryNode

interface Node {
  /** Stays the same while the chain grows. */
  readonly key: string
  readonly children: readonly TreeNode[]
}

export interface ThoughtNode extends Node {
  readonly kind: 'thought'
  readonly thoughtNumber: number
  readonly text: string
  readonly revisionNumber: number
  readonly recorded?: string | undefined
  readonly isStale: boolean
  /** The newest thought: the one that a reader came for. */
  readonly isLast: boolean
  readonly isExcerpt: boolean
  readonly events: readonly EventSnapshot[]
  /** Earlier versions that are no longer kept. */
  readonly lostVersions: number
}

/** A revision: what it replaced, and by what. */
export interface VersionNode extends Node {
  readonly kind: 'version'
  readonly revisionNumber: number
  readonly recorded: string
  readonly before: string
  readonly after: string
}

export interface BranchNode extends Node {
  readonly kind: 'branch'
  readonly branchId: string
  readonly branchFromThought: number
  readonly parentBranchId?: string | undefined
  /** Whether it hangs from its fork; otherwise it has to say where it leaves. */
  readonly isAtFork: boolean
}

export interface SummaryNode extends Node {
  readonly kind: 'summary'
  readonly text: string
  readonly recorded?: string | undefined
  readonly summarizes: SummarySnapshot['summarizes']
}
