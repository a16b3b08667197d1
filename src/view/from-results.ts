import type { EventSnapshot } from '../documents/chain-snapshot.ts'
import { inline, quote } from '../documents/markdown-text.ts'
import { plural } from '../documents/markdown-wording.ts'
import type { BranchNode, ChainTree, SummaryNode, ThoughtNode, TreeNode } from './chain-tree.ts'
import type { HistoryEntry, ToolCall } from './tool-call.ts'

type Entry = Omit<HistoryEntry, 'isWarning'>

/** As much of a chain as the results of its calls carried. Times and replaced texts are not in them. */
export function fromResults(earlier: readonly ToolCall[], last: ToolCall): ChainTree {
  const entries = new Map<string, Entry>()
  for (const call of [...earlier, last]) {
    for (const entry of [...call.history.filter(({ isWarning }) => !isWarning), ...ownEntry(call)]) {
      const known = entries.get(keyOf(entry))
      const isWorse = entry.isExcerpt && known !== undefined && known.revisionNumber >= entry.revisionNumber
      if (!isWorse) entries.set(keyOf(entry), entry)
    }
  }
  const warning = last.history.find(({ isWarning }) => isWarning)
  const summarized = entries.get('summary')?.summarizes ?? []
  const isBehindSummary = ({ thoughtNumber, branchId, isSummary }: Entry) =>
    !isSummary &&
    summarized.some(
      (range) => range.branchId === branchId && range.from <= thoughtNumber && thoughtNumber <= range.to,
    )
  const shown = [...entries.values()]
    .filter((entry) => !isBehindSummary(entry))
    .sort((a, b) => a.thoughtNumber - b.thoughtNumber)
  const hidden = last.length - shown.length
  const excerpts = shown.filter(({ isExcerpt }) => isExcerpt).length
  return {
    sessionId: last.sessionId,
    isOpen: last.nextThoughtNeeded,
    isStopped: warning !== undefined,
    opening: shown.find(({ isSummary }) => !isSummary)?.thought ?? '',
    steps: last.length,
    branches: last.branches.length,
    lastNumber: last.thoughtNumber,
    totalThoughts: Math.max(last.totalThoughts, last.thoughtNumber),
    nodes: toNodes(shown, last, warning?.thought),
    otherEvents: [],
    gaps: [
      ...(hidden > 0
        ? [`${plural(hidden, 'other thought')} of the chain ${hidden === 1 ? 'is' : 'are'} not among them.`]
        : []),
      ...(excerpts > 0 ? ['Texts marked as excerpts were shortened.'] : []),
    ],
    toMarkdown: () => toList(shown),
  }
}

function ownEntry({ thought, thoughtNumber, revisionNumber, branchId }: ToolCall): Entry[] {
  if (thought === undefined) return []
  const place = { thoughtNumber, revisionNumber, ...(branchId !== undefined && { branchId }) }
  return [{ ...place, thought, isSummary: false, summarizes: [], isExcerpt: false }]
}

function toNodes(shown: readonly Entry[], last: ToolCall, warning: string | undefined): TreeNode[] {
  const drawn = new Set<string>()

  function toBranch(branchId: string, isAtFork: boolean): BranchNode[] {
    if (drawn.has(branchId)) return []
    drawn.add(branchId)
    const thoughts = shown.filter((entry) => entry.branchId === branchId)
    if (thoughts.length === 0) return []
    const fork = last.branches.find((branch) => branch.branchId === branchId)
    return [
      {
        kind: 'branch',
        key: `branch ${branchId}`,
        branchId,
        branchFromThought: fork?.branchFromThought ?? 1,
        parentBranchId: fork?.parentBranchId,
        isAtFork,
        children: thoughts.map(toThought),
      },
    ]
  }

  function toThought(entry: Entry): ThoughtNode {
    const { thoughtNumber, branchId, revisionNumber, isExcerpt } = entry
    const isLast = last.thoughtNumber === thoughtNumber && last.branchId === branchId
    const leaving = last.branches.filter(
      (branch) => branch.branchFromThought === thoughtNumber && branch.parentBranchId === branchId,
    )
    return {
      kind: 'thought',
      key: keyOf(entry),
      thoughtNumber,
      text: entry.thought,
      revisionNumber,
      isStale: false,
      isLast,
      isExcerpt,
      events: isLast && warning !== undefined ? [toStop(last, warning)] : [],
      lostVersions: 0,
      children: leaving.flatMap((branch) => toBranch(branch.branchId, true)),
    }
  }

  const summaries = shown.filter(({ isSummary }) => isSummary).map(toSummary)
  const main = shown.filter(({ isSummary, branchId }) => !isSummary && branchId === undefined).map(toThought)
  const others = last.branches.flatMap(({ branchId }) => toBranch(branchId, false))
  return [...summaries.slice(-1), ...main, ...others]
}

function toSummary({ thought, summarizes }: Entry): SummaryNode {
  return { kind: 'summary', key: 'summary', text: thought, summarizes: [...summarizes], children: [] }
}

function toStop({ thoughtNumber, branchId, revisionNumber }: ToolCall, text: string): EventSnapshot {
  const place = { thoughtNumber, revisionNumber, ...(branchId !== undefined && { branchId }) }
  return { kind: 'stopped', at: '', ...place, text }
}

function toList(shown: readonly Entry[]): string {
  const items = shown.map(({ thoughtNumber, branchId, thought }) => {
    const marker = `${thoughtNumber}. `
    const line = branchId === undefined ? '' : `*Branch “${inline(branchId)}”* `
    const [first = '', ...others] = quote(thought)
    const indent = ' '.repeat(marker.length)
    return [`${marker}${line}`.trimEnd(), ...[first, ...others].map((text) => `${indent}${text}`)].join('\n')
  })
  return `${items.join('\n\n')}\n`
}

function keyOf({ thoughtNumber, branchId, isSummary }: Entry): string {
  if (isSummary) return 'summary'
  return branchId === undefined ? `${thoughtNumber}` : `${thoughtNumber} of ${branchId}`
}
