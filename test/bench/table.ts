import { type Measurement, medianOf } from './measurement.ts'
import type { Target } from './targets.ts'

/** One Markdown table a section, a column a server, with what could not be measured as footnotes. */
export function renderSections(measurements: readonly Measurement[]): string {
  const problems: string[] = []
  const sections = unique(measurements.map(({ section }) => section))
  const tables = sections.map((section) => {
    const cells = measurements.filter((cell) => cell.section === section)
    const servers = unique(cells.map(({ server }) => server))
    const rows = unique(cells.map(({ figure }) => figure)).map((figure) => {
      const row = cells.filter((cell) => cell.figure === figure)
      const unit = row[0]?.unit ?? ''
      const label = unit === figure ? figure : `${figure}, ${unit}`
      return [label, ...servers.map((server) => renderCell(row, server, problems))]
    })
    return `${section}\n\n${renderTable([['', ...servers], ...rows])}`
  })
  const footnotes = problems.map((problem, index) => `[${index + 1}] ${problem}`)
  return [...tables, ...(footnotes.length > 0 ? [footnotes.join('\n')] : [])].join('\n\n')
}

export function renderTargets(targets: readonly Target[]): string {
  const rows = targets.map(({ name, relation, limit, measured, met }) => [
    name,
    `${relation} ${limit}`,
    measured === undefined ? '' : formatNumber(measured, 2),
    met === undefined ? 'not measured' : met ? 'met' : 'NOT MET',
  ])
  return `Targets\n\n${renderTable([['', 'target', 'measured', ''], ...rows])}`
}

/** The first row is the head; numbers stand at the right. */
export function renderTable(rows: ReadonlyArray<readonly string[]>): string {
  const head = rows[0] ?? []
  const widths = head.map((_cell, column) =>
    Math.max(3, ...rows.map((row) => [...(row[column] ?? '')].length)),
  )
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => pad(cell, widths[column] ?? 0, column > 0)).join(' | ')} |`
  const rule = `| ${widths.map((width, column) => (column > 0 ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width))).join(' | ')} |`
  return [line(head), rule, ...rows.slice(1).map(line)].join('\n')
}

/** Digits that the size of the value deserves, with thousands grouped. */
export function formatNumber(value: number, minDecimals = 0): string {
  const decimals = Number.isInteger(value) ? 0 : value < 10 ? 2 : value < 100 ? 1 : 0
  return value.toLocaleString('en-US', {
    minimumFractionDigits: Math.max(decimals, minDecimals),
    maximumFractionDigits: Math.max(decimals, minDecimals),
  })
}

function renderCell(row: readonly Measurement[], server: string, problems: string[]): string {
  const cell = row.find((candidate) => candidate.server === server)
  if (cell === undefined) return ''
  if (cell.problem !== undefined) {
    const note = `${server}: ${cell.problem}`
    if (!problems.includes(note)) problems.push(note)
    return `none [${problems.indexOf(note) + 1}]`
  }
  const value = medianOf(cell)
  return value === undefined ? '' : formatNumber(value)
}

function pad(text: string, width: number, right: boolean): string {
  const space = ' '.repeat(Math.max(0, width - [...text].length))
  return right ? space + text : text + space
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)]
}
