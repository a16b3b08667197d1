import type { Line } from '../engine/line.ts'
import type { RecordedEvent, RecordedText } from '../engine/record.ts'
import { staleThoughts } from '../engine/staleness.ts'
import type { Thought } from '../engine/thought.ts'
import type { ThoughtChain } from '../engine/thought-chain.ts'
import type {
  ChainSnapshot,
  EventSnapshot,
  LineSnapshot,
  SummarySnapshot,
  ThoughtSnapshot,
} from './chain-snapshot.ts'

/** All of a chain and its record, as plain data. */
export function toSnapshot(sessionId: string, chain: ThoughtChain): ChainSnapshot {
  const earlier = earlierVersions(chain.past.texts)
  const stale = new Set(staleThoughts(chain.lines()))
  const last = chain.lastLine.lastCall
  const { dropped } = chain.past
  return {
    schemaVersion: 1,
    sessionId,
    opening: chain.opening,
    isOpen: chain.isOpen,
    opened: iso(chain.openedMs),
    lastCall: iso(chain.lastCallMs),
    steps: chain.steps,
    revisions: chain.revisions,
    totalThoughts: last?.thought.totalThoughts ?? 1,
    last: {
      thoughtNumber: last?.thought.thoughtNumber ?? 1,
      ...branchOf(chain.lastLine.branchId),
      revisionNumber: last?.revisionNumber ?? 0,
    },
    main: toLine(chain.main, earlier, stale),
    branches: [...chain.branches.values()].map((line) => toLine(line, earlier, stale)),
    ...(chain.summary !== undefined && { summary: toSummary(chain.summary, chain.past.texts, earlier) }),
    events: chain.past.events.map(toEvent),
    ...(dropped.texts + dropped.events > 0 && { dropped: { ...dropped } }),
  }
}

type EarlierVersions = ReadonlyMap<string, RecordedText[]>

function toLine(line: Line, earlier: EarlierVersions, stale: ReadonlySet<Thought>): LineSnapshot {
  const parentBranchId = line.fork?.parent.branchId
  return {
    ...branchOf(line.branchId),
    ...(line.fork !== undefined && { branchFromThought: line.fork.from }),
    ...(parentBranchId !== undefined && { parentBranchId }),
    firstThoughtNumber: line.first,
    nextThoughtNumber: line.next,
    thoughts: line.kept.map((thought) => ({
      ...toThought({ ...thought, branchId: line.branchId }, earlier),
      ...(stale.has(thought) && { isStale: true as const }),
    })),
  }
}

function toSummary(
  summary: Thought,
  texts: readonly RecordedText[],
  earlier: EarlierVersions,
): SummarySnapshot {
  return {
    thought: summary.thought,
    recorded: iso(summary.recordedMs),
    summarizes: (summary.summarizes ?? []).map((range) => ({ ...range })),
    thoughts: texts.filter((text) => text.gone === 'summarized').map((text) => toThought(text, earlier)),
  }
}

type Text = Omit<RecordedText, 'gone' | 'branchId'> & { readonly branchId?: string | undefined }

function toThought(text: Text, earlier: EarlierVersions): ThoughtSnapshot {
  const { thoughtNumber, branchId, branches } = text
  const versions = earlier.get(keyOf(thoughtNumber, branchId)) ?? []
  return {
    thoughtNumber,
    ...branchOf(branchId),
    ...toVersion(text),
    ...(branches.length > 0 && { branches: [...branches] }),
    ...(versions.length > 0 && { versions: versions.map(toVersion) }),
  }
}

function toVersion({ revisionNumber, thought, totalThoughts, recordedMs }: Text) {
  return { revisionNumber, thought, totalThoughts, recorded: iso(recordedMs) }
}

function toEvent({ atMs, ...event }: RecordedEvent): EventSnapshot {
  return { ...event, at: iso(atMs) }
}

function earlierVersions(texts: readonly RecordedText[]): EarlierVersions {
  const versions = new Map<string, RecordedText[]>()
  for (const text of texts) {
    if (text.gone !== 'revised') continue
    const key = keyOf(text.thoughtNumber, text.branchId)
    const known = versions.get(key)
    if (known === undefined) versions.set(key, [text])
    else known.push(text)
  }
  return versions
}

function keyOf(thoughtNumber: number, branchId = ''): string {
  return `${thoughtNumber} ${branchId}`
}

function branchOf(branchId: string | undefined) {
  return branchId === undefined ? {} : { branchId }
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
