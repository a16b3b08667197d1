import { isRecord } from './is-record.ts'

/** One call of the tool as the host tells of it. */
export interface ToolCall {
  /** The text that was sent; absent when the host did not give the arguments. */
  readonly thought?: string
  readonly sessionId: string
  readonly thoughtNumber: number
  readonly totalThoughts: number
  readonly nextThoughtNeeded: boolean
  readonly revisionNumber: number
  readonly branchId?: string
  readonly branches: readonly BranchEntry[]
  readonly length: number
  readonly history: readonly HistoryEntry[]
  readonly notices: readonly string[]
}

export interface BranchEntry {
  readonly branchId: string
  readonly branchFromThought: number
  readonly parentBranchId?: string | undefined
}

export interface HistoryEntry {
  readonly thoughtNumber: number
  readonly thought: string
  readonly revisionNumber: number
  readonly branchId?: string | undefined
  readonly isSummary: boolean
  readonly summarizes: readonly { from: number; to: number; count: number; branchId?: string }[]
  readonly isWarning: boolean
  readonly isExcerpt: boolean
}

/** Reads a result of the tool; the structured part, or the text where a host passes only that. */
export function toToolCall(
  args: Record<string, unknown>,
  result: Record<string, unknown>,
): ToolCall | { refusal: string } {
  const text = textOf(result.content)
  if (result.isError === true) return { refusal: text || 'The call was refused.' }
  const data = isRecord(result.structuredContent) ? result.structuredContent : parse(text)
  if (typeof data.sessionId !== 'string') return { refusal: 'The result is none of this tool.' }
  return {
    ...(typeof args.thought === 'string' && { thought: args.thought }),
    sessionId: data.sessionId,
    thoughtNumber: Number(data.thoughtNumber ?? 1),
    totalThoughts: Number(data.totalThoughts ?? 1),
    nextThoughtNeeded: data.nextThoughtNeeded === true,
    revisionNumber: Number(data.revisionNumber ?? 0),
    ...(typeof data.branchId === 'string' && { branchId: data.branchId }),
    branches: records(data.branches).flatMap(toBranch),
    length: Number(data.thoughtHistoryLength ?? 1),
    history: records(data.thinkingHistory).map(toEntry),
    notices: list(data.notices).map(String),
  }
}

function toEntry(entry: Record<string, unknown>): HistoryEntry {
  return {
    thoughtNumber: Number(entry.thoughtNumber ?? 1),
    thought: String(entry.thought ?? ''),
    revisionNumber: Number(entry.revisionNumber ?? 0),
    ...(typeof entry.branchId === 'string' && { branchId: entry.branchId }),
    isSummary: entry.isSummary === true,
    summarizes: records(entry.summarizes).map(({ from, to, count, branchId }) => ({
      from: Number(from),
      to: Number(to),
      count: Number(count),
      ...(typeof branchId === 'string' && { branchId }),
    })),
    isWarning: entry.isWarning === true,
    isExcerpt: entry.isExcerpt === true,
  }
}

function toBranch({ branchId, branchFromThought, parentBranchId }: Record<string, unknown>): BranchEntry[] {
  if (typeof branchId !== 'string') return []
  const parent = typeof parentBranchId === 'string' ? { parentBranchId } : {}
  return [{ branchId, branchFromThought: Number(branchFromThought), ...parent }]
}

function textOf(content: unknown): string {
  const block = records(content).find(({ type }) => type === 'text')
  return typeof block?.text === 'string' ? block.text : ''
}

function parse(text: string): Record<string, unknown> {
  try {
    const data: unknown = JSON.parse(text)
    return isRecord(data) ? data : {}
  } catch {
    return {}
  }
}

function records(value: unknown): Record<string, unknown>[] {
  return list(value).filter(isRecord)
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
