import type { WriteStream } from 'node:tty'
import { stripVTControlCharacters } from 'node:util'
import stringWidth from 'string-width'
import type { CommandReport } from './command-report.ts'
import { findSessions } from './folder.ts'
import type { RecordedSession } from './reader.ts'

/** What a terminal is taken for that does not tell its width. */
const DEFAULT_COLUMNS = 80

/** A title shorter than this says nothing, so narrower terminals get longer lines. */
const MIN_TITLE_COLUMNS = 16

/** Enough of an id to complete the file's name by. */
const SHORT_ID_CHARS = 8

const HEADINGS = { title: 'TITLE', steps: 'STEPS', revisions: 'REV', branches: 'BR', time: 'LAST CALL' }

/** Lists the sessions of a folder: a table on a terminal, tab-separated lines elsewhere. */
export async function listSessions(
  folder: string,
  stdout: Pick<WriteStream, 'write'> & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>,
): Promise<CommandReport> {
  const { sessions, warnings, isFolder } = await findSessions(folder)
  const text = stdout.isTTY ? toTable(sessions, stdout.columns ?? DEFAULT_COLUMNS) : toRows(sessions)
  if (sessions.length > 0) stdout.write(text)
  else if (isFolder) return { warnings: [...warnings, `${folder} holds no sessions.`], isDone: true }
  return { warnings, isDone: sessions.length > 0 }
}

/** For programs: a line a session, whole ids and titles, without decoration. */
export function toRows(sessions: readonly RecordedSession[]): string {
  const rows = sessions.map((session) => {
    const { title, steps, revisions, branches, timeMs } = cellsOf(session)
    return [session.sessionId, new Date(timeMs).toISOString(), steps, revisions, branches, title].join('\t')
  })
  return `${['ID', HEADINGS.time, HEADINGS.steps, HEADINGS.revisions, HEADINGS.branches, HEADINGS.title].join('\t')}\n${rows.map((row) => `${row}\n`).join('')}`
}

/** For people: fits into `columns`, titles shortened. */
export function toTable(sessions: readonly RecordedSession[], columns: number): string {
  const rows = sessions.map((session) => {
    const { timeMs, ...cells } = cellsOf(session)
    return { id: session.sessionId.slice(0, SHORT_ID_CHARS), ...cells, time: localTime(timeMs) }
  })
  const head = { id: 'ID', ...HEADINGS }
  const numbers = ['steps', 'revisions', 'branches'] as const
  const widths = numbers.map((name) => Math.max(...[head, ...rows].map((row) => row[name].length)))
  const timeWidth = Math.max(...[head, ...rows].map((row) => row.time.length))
  // Two spaces between the six columns.
  const used = SHORT_ID_CHARS + timeWidth + widths.reduce((sum, width) => sum + width, 0) + 10
  const titleWidth = Math.max(MIN_TITLE_COLUMNS, columns - used)
  const lines = [head, ...rows].map((row) =>
    [
      row.id.padEnd(SHORT_ID_CHARS),
      padEnd(truncate(row.title, titleWidth), titleWidth),
      ...numbers.map((name, i) => row[name].padStart(widths[i] ?? 0)),
      row.time,
    ]
      .join('  ')
      .trimEnd(),
  )
  return `${lines.join('\n')}\n`
}

function cellsOf({ chain, problem }: RecordedSession) {
  const title = stripVTControlCharacters(chain.opening)
    // Control characters would steer the terminal, bidirectional marks would reorder the row.
    .replace(/[\s\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]+/gu, ' ')
    .trim()
  return {
    title: problem === undefined ? title : `! ${title}`,
    steps: `${chain.steps}`,
    revisions: `${chain.revisions}`,
    branches: `${chain.branches.size}`,
    timeMs: chain.lastCallMs,
  }
}

/** "2026-12-01 09:30", in the time zone of the terminal. */
function localTime(ms: number): string {
  const date = new Date(ms - new Date(ms).getTimezoneOffset() * 60_000)
  return date.toISOString().slice(0, 16).replace('T', ' ')
}

/** The start of a text that fits into so many columns of a terminal, where a Chinese character takes two. */
function truncate(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text
  let fitting = ''
  let width = 1
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)) {
    width += stringWidth(segment)
    if (width > columns) break
    fitting += segment
  }
  return `${fitting}…`
}

function padEnd(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - stringWidth(text)))
}
