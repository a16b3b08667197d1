import type {
  ChainSnapshot,
  EventSnapshot,
  LineSnapshot,
  ThoughtSnapshot,
} from '../documents/chain-snapshot.ts'
import { plural } from '../documents/markdown-wording.ts'
import { toMarkdown } from '../documents/to-markdown.ts'
import type { BranchNode, ChainTree, ThoughtNode, TreeNode, VersionNode } from './chain-tree.ts'
import { isRecord } from './is-record.ts'

/** The whole chain with its record. @throws Error when the text is no chain of a version that the view knows */
export function fromSnapshot(json: string): ChainTree {
  const snapshot: unknown = JSON.parse(json)
  if (!isSnapshot(snapshot)) throw new Error('This is no chain that the view can read')
  const { sessionId, opening, isOpen, opened, lastCall, steps, revisions, last, totalThoughts } = snapshot
  const context = new Drawing(snapshot)
  const nodes = context.toNodes()
  return {
    sessionId,
    opening,
    isOpen,
    isStopped: !isOpen && snapshot.events.at(-1)?.kind === 'stopped',
    opened,
    lastCall,
    steps,
    revisions,
    branches: snapshot.branches.length,
    lastNumber: last.thoughtNumber,
    totalThoughts: Math.max(totalThoughts, last.thoughtNumber),
    nodes,
    otherEvents: context.otherEvents(),
    gaps: toGaps(snapshot),
    toMarkdown: () => toMarkdown(snapshot),
  }
}

/** Draws one snapshot, and knows what it has drawn already. */
class Drawing {
  readonly #snapshot: ChainSnapshot
  readonly #events = new Map<string, EventSnapshot[]>()
  readonly #drawnThoughts = new Set<string>()
  readonly #drawnBranches = new Set<LineSnapshot>()

  constructor(snapshot: ChainSnapshot) {
    this.#snapshot = snapshot
    for (const event of snapshot.events) {
      const key = keyOf(event)
      this.#events.set(key, [...(this.#events.get(key) ?? []), event])
    }
  }

  toNodes(): TreeNode[] {
    const { summary, main, branches } = this.#snapshot
    const summaryNodes: TreeNode[] =
      summary === undefined
        ? []
        : [
            {
              kind: 'summary',
              key: 'summary',
              text: summary.thought,
              recorded: summary.recorded,
              summarizes: summary.summarizes,
              children: summary.thoughts.map((thought) => this.#toThought(thought)),
            },
          ]
    const mainNodes = main.thoughts.map((thought) => this.#toThought(thought))
    const lost = branches.filter((branch) => !this.#drawnBranches.has(branch))
    return [...summaryNodes, ...mainNodes, ...lost.flatMap((branch) => this.#toBranch(branch, false))]
  }

  otherEvents(): EventSnapshot[] {
    return this.#snapshot.events.filter((event) => !this.#drawnThoughts.has(keyOf(event)))
  }

  #toThought(thought: ThoughtSnapshot): ThoughtNode {
    const { thoughtNumber, branchId, revisionNumber, versions = [] } = thought
    const key = keyOf(thought)
    this.#drawnThoughts.add(key)
    const { last } = this.#snapshot
    const leaving = this.#snapshot.branches.filter(
      (branch) => branch.branchFromThought === thoughtNumber && branch.parentBranchId === branchId,
    )
    return {
      kind: 'thought',
      key,
      thoughtNumber,
      text: thought.thought,
      revisionNumber,
      recorded: thought.recorded,
      isStale: thought.isStale === true,
      isLast: last.thoughtNumber === thoughtNumber && last.branchId === branchId,
      isExcerpt: false,
      events: this.#events.get(key) ?? [],
      lostVersions: revisionNumber - versions.length,
      children: [...toVersions(key, thought), ...leaving.flatMap((branch) => this.#toBranch(branch, true))],
    }
  }

  #toBranch(branch: LineSnapshot, isAtFork: boolean): BranchNode[] {
    const { branchId = '', branchFromThought = 1, parentBranchId, thoughts } = branch
    // A branch that left one of another's thoughts may have been drawn with it.
    if (this.#drawnBranches.has(branch)) return []
    this.#drawnBranches.add(branch)
    if (thoughts.length === 0) return []
    return [
      {
        kind: 'branch',
        key: `branch ${branchId}`,
        branchId,
        branchFromThought,
        parentBranchId,
        isAtFork,
        children: thoughts.map((thought) => this.#toThought(thought)),
      },
    ]
  }
}

function toVersions(key: string, thought: ThoughtSnapshot): VersionNode[] {
  const { versions = [] } = thought
  return versions.map((version, i) => {
    const by = versions[i + 1] ?? thought
    return {
      kind: 'version',
      key: `${key} revision ${by.revisionNumber}`,
      revisionNumber: by.revisionNumber,
      recorded: by.recorded,
      before: version.thought,
      after: by.thought,
      children: [],
    }
  })
}

function toGaps({ dropped, summary }: ChainSnapshot): string[] {
  const counted = summary?.summarizes.reduce((sum, { count }) => sum + count, 0) ?? 0
  const behind = counted - (summary?.thoughts.length ?? 0)
  return [
    ...(behind > 0
      ? [`${plural(behind, 'text')} behind the summary ${isOrAre(behind)} no longer kept.`]
      : []),
    ...(dropped?.events
      ? [`${plural(dropped.events, 'event')} ${isOrAre(dropped.events)} no longer kept.`]
      : []),
  ]
}

function isOrAre(count: number): string {
  return count === 1 ? 'is' : 'are'
}

function keyOf({
  thoughtNumber,
  branchId,
}: {
  thoughtNumber: number
  branchId?: string | undefined
}): string {
  return branchId === undefined ? `${thoughtNumber}` : `${thoughtNumber} of ${branchId}`
}

function isSnapshot(value: unknown): value is ChainSnapshot {
  return (
    isRecord(value) && value.schemaVersion === 1 && isRecord(value.main) && Array.isArray(value.main.thoughts)
  )
}
