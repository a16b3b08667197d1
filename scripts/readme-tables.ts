import * as z from 'zod'
import { ALL_SETTINGS } from '../src/config.ts'
import type { ThoughtErrorCode } from '../src/engine/errors.ts'
import { DEFAULT_BUDGETS } from '../src/engine/history.ts'
import { DEFAULT_LIMITS } from '../src/engine/limits.ts'
import { createSequentialThinkingTool } from '../src/tools/sequential-thinking.ts'

interface ObjectSchema {
  readonly properties: Record<string, PropertySchema>
  readonly required?: readonly string[] | undefined
}

interface PropertySchema {
  readonly type: string
  readonly minimum?: number | undefined
  readonly items?: unknown
}

const objectSchema: z.ZodType<ObjectSchema> = z.object({
  properties: z.record(
    z.string(),
    z.object({
      type: z.string(),
      minimum: z.number().optional(),
      items: z.unknown().optional(),
    }),
  ),
  required: z.array(z.string()).optional(),
})

// The descriptions in the schemas are as short as a model can do with, so people get their own.

const INPUT_MEANINGS: Record<string, string> = {
  thought: 'the text of this step, to be understood by itself',
  thoughtNumber: 'number of this step; the steps of a line are consecutive',
  totalThoughts: 'present estimate of the steps needed; may move up or down at any call',
  nextThoughtNeeded: 'false ends the chain',
  revisionNumber: '0, the default, adds a step; n makes the n-th revision of `thoughtNumber`',
  branchFromThought: 'the thought that a branch leaves',
  branchId: 'the branch that this step is on, up to 64 characters; `main` is the main line',
  sessionId: 'the id that the first call returned; left out to start a chain',
}

const RESULT_MEANINGS: Record<string, string> = {
  sessionId: 'to be passed back on every later call',
  thoughtNumber: 'as recorded',
  totalThoughts: 'as recorded: raised to `thoughtNumber` where that is larger',
  nextThoughtNeeded: 'false when the model is to answer now, also where it asked to go on',
  revisionNumber: 'version of the thought, 0 for the first',
  branchId: 'the branch of the thought; absent on the main line',
  branches: 'the branches of the chain, each with its fork and its next number',
  thoughtHistoryLength: 'thoughts in the chain now, a summary counting one',
  nextThoughtNumber: 'the next number on this line, while the chain is open',
  mainNextThoughtNumber: 'the next number on the main line, where there are branches',
  thinkingHistory: 'thoughts of the chain, see below; absent where there are none to show',
  notices: 'sentences that the model is to read and follow; absent where there are none',
}

const NODE_MEANINGS: Record<string, string> = {
  thoughtNumber: 'its number',
  totalThoughts: 'the estimate when it was recorded',
  thought: 'its text',
  revisionNumber: 'its version',
  isRevision: 'whether its text was replaced',
  branchId: 'its branch',
  branches: 'numbers of the thoughts that it forks from',
  isSummary: 'it stands for the earliest thoughts',
  summarizes: 'which ones these are',
  isWarning: 'the server says it, it is not in the chain',
  isExcerpt: 'shortened in this result only; `get_thinking` has it whole',
}

/** What each code means to a person who meets it in a log. */
const CODES: Record<ThoughtErrorCode, string> = {
  invalid_input: 'a field is missing or has a value that cannot be taken',
  thought_too_long: 'the text is over the limit; nothing was stored',
  session_required: '`sessionId` is missing, and which chain is meant is not certain',
  session_not_found: 'no chain has this `sessionId`: mistyped, dropped, or the server was restarted',
  thought_exists: 'the number is taken, or the same call came for the fourth time',
  thought_out_of_order: 'the number is not the next one of its line',
  revision_target_not_found: 'there is no such thought to revise on this line',
  revision_out_of_order: '`revisionNumber` is not the version plus one',
  revision_limit: 'the thought was revised as often as is allowed',
  thought_summarized: 'the thought is part of a summary and cannot be revised',
  branch_not_found: 'no branch has this `branchId`, and `branchFromThought` is missing',
  branch_ambiguous: 'the call fits two lines; it must name one with `branchId`',
  branch_conflict: 'the branch exists and forks from another thought',
  branch_limit: 'the chain has as many branches as are allowed',
  branch_point_not_found: 'there is no thought with the number in `branchFromThought`',
  step_limit: 'twice the step limit: only revisions and a conclusion are taken',
}

/** The tables of README.md that come from the code, by the name in their marker comments. */
export const TABLES: Record<string, () => string> = {
  input: renderInput,
  result: renderResult,
  node: renderNode,
  options: renderOptions,
  codes: renderCodes,
}

/** @returns a page of the documentation with each table between its markers as the code has it */
export function renderTables(page: string): string {
  return Object.entries(TABLES).reduce((text, [name, render]) => {
    const markers = new RegExp(`(<!-- ${name}:start -->\n)[\\s\\S]*?(<!-- ${name}:end -->)`)
    return text.replace(markers, (_, start, end) => `${start}${render()}\n${end}`)
  }, page)
}

function renderInput(): string {
  const { properties, required = [] } = objectSchema.parse(createTool().inputSchema)
  return renderTable(
    ['Field', 'Type', 'Required', 'Meaning'],
    Object.entries(properties).map(([name, { type, minimum }]) => [
      `\`${name}\``,
      minimum === undefined ? type : `${type} ≥ ${minimum}`,
      required.includes(name) ? 'yes' : 'no',
      meaningOf(name, INPUT_MEANINGS),
    ]),
  )
}

function renderResult(): string {
  const { properties } = objectSchema.parse(createTool().outputSchema)
  return renderTable(
    ['Field', 'Type', 'Meaning'],
    Object.entries(properties).map(([name, { type }]) => [
      `\`${name}\``,
      type,
      meaningOf(name, RESULT_MEANINGS),
    ]),
  )
}

function renderNode(): string {
  const { properties } = objectSchema.parse(createTool().outputSchema)
  const node = objectSchema.parse(properties.thinkingHistory?.items)
  const fields = Object.keys(node.properties).map((name) => `\`${name}\` (${meaningOf(name, NODE_MEANINGS)})`)
  return `${fields.join(', ')}.`
}

/** @throws Error when the schema has a field that is not explained */
function meaningOf(name: string, meanings: Record<string, string>): string {
  const meaning = meanings[name]
  if (meaning === undefined) throw new Error(`scripts/readme-tables.ts does not say what ${name} means`)
  return meaning
}

function renderOptions(): string {
  return renderTable(
    ['Flag', 'Environment', 'Default', 'Meaning'],
    ALL_SETTINGS.map((setting) => [
      setting.flag === undefined ? '' : `\`${setting.flag}\``,
      `\`${setting.environment}\``,
      `${setting.default}` === '' ? 'none' : `\`${setting.default}\``,
      setting.meaning,
    ]),
  )
}

/** Two codes a row: a reader looks one up, and a row each would be the longest table of the file. */
function renderCodes(): string {
  const codes = Object.entries(CODES).map(([code, meaning]) => [`\`${code}\``, meaning])
  const rows = Math.ceil(codes.length / 2)
  return renderTable(
    ['Code', 'Meaning', 'Code', 'Meaning'],
    codes.slice(0, rows).map((left, row) => [...left, ...(codes[rows + row] ?? [])]),
  )
}

function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const toRow = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [toRow(head), toRow(head.map(() => '---')), ...rows.map(toRow)].join('\n')
}

function createTool() {
  return createSequentialThinkingTool({ limits: DEFAULT_LIMITS, budgets: DEFAULT_BUDGETS, maxSessions: 1000 })
}
