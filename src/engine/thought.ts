import type { Line } from './line.ts'

/** A step as a caller asks for it, already parsed: numbers are safe integers, the text has an allowed length. */
export interface ThoughtInput {
  readonly thought: string
  readonly thoughtNumber: number
  readonly totalThoughts: number
  readonly nextThoughtNeeded: boolean
  /**
   * 0 appends, n ≥ 1 makes the n-th revision of `thoughtNumber`. `next` makes whichever revision comes next;
   * `next-if-recorded` does so where the thought exists and appends where it does not.
   */
  readonly revisionNumber: number | 'next' | 'next-if-recorded'
  readonly branchFromThought?: number | undefined
  /** Trimmed; `main` is the main line. */
  readonly branchId?: string | undefined
}

/** What a summary stands for on one line: the thoughts `from` to `to`, `count` of them. */
export interface SummarizedRange {
  readonly from: number
  readonly to: number
  readonly count: number
  readonly branchId?: string
}

/** A node of the chain as it is kept: a thought, or the summary of the earliest ones. */
export interface Thought {
  readonly line: Line
  readonly thoughtNumber: number
  totalThoughts: number
  thought: string
  revisionNumber: number
  /** Numbers of the thoughts that this one forks from, oldest first. */
  branches: readonly number[]
  /** Set on a summary only. */
  summarizes?: readonly SummarizedRange[]
  /** Characters that the text takes inside a JSON string. */
  jsonChars: number
  /** Position of the present text among everything recorded in the session. */
  recordedAt: number
  /** When the present text was recorded, in milliseconds since the epoch. */
  recordedMs: number
}

/** Name of the main line where a `branchId` is expected. */
export const MAIN_LINE = 'main'

// Most texts have none of these, so that their characters need not be looked at one by one.
const SURROGATE = /[\ud800-\udfff]/
/** All but what JSON writes as it stands and is one character: quotes, backslashes, controls, surrogates. */
const NOT_PLAIN_IN_JSON = /[^ !#-[\]-\ud7ff\ue000-\uffff]/

/** Characters (Unicode code points) of a text; a lone surrogate counts as one. */
export function countChars(text: string): number {
  if (!SURROGATE.test(text)) return text.length
  let pairs = 0
  for (let i = 0; i < text.length - 1; i++) {
    if (isHighSurrogate(text.charCodeAt(i)) && isLowSurrogate(text.charCodeAt(i + 1))) {
      pairs++
      i++
    }
  }
  return text.length - pairs
}

/** Characters that a text takes inside a JSON string, escapes included. */
export function countJsonChars(text: string): number {
  if (!NOT_PLAIN_IN_JSON.test(text)) return text.length
  return countChars(JSON.stringify(text)) - 2
}

/** The longest start of a text that takes at most `maxJsonChars` characters inside a JSON string. */
export function takeJsonChars(text: string, maxJsonChars: number): string {
  let taken = 0
  let end = 0
  for (const char of text) {
    taken += jsonCharsOf(char)
    if (taken > maxJsonChars) break
    end += char.length
  }
  return text.slice(0, end)
}

/** The first `maxChars` characters of a text. */
export function firstChars(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  if (!SURROGATE.test(text)) return text.slice(0, maxChars)
  return Array.from(text.slice(0, 2 * maxChars))
    .slice(0, maxChars)
    .join('')
}

/** A text of at most `maxChars` characters, the last of them an ellipsis where something was cut. */
export function shorten(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const start = firstChars(text, maxChars)
  return start.length === text.length ? text : `${firstChars(start, Math.max(0, maxChars - 1))}…`
}

/** What JSON writes for one character: itself, an escape of two, or one of six. */
function jsonCharsOf(char: string): number {
  const code = char.codePointAt(0) ?? 0
  if (code < 0x20) return '\b\f\n\r\t'.includes(char) ? 2 : 6
  if (char === '"' || char === '\\') return 2
  return isHighSurrogate(code) || isLowSurrogate(code) ? 6 : 1
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
