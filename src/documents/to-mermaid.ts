import { shorten } from '../engine/thought.ts'
import type { ChainSnapshot, LineSnapshot, ThoughtSnapshot } from './chain-snapshot.ts'

const MAX_LABEL_CHARS = 80
const MAX_NAME_CHARS = 32

/** Characters that mean nothing to Mermaid inside quotes; every other ASCII one is written as its code. */
const PLAIN = /[A-Za-z0-9 .,()/?!'-]/

/** A flowchart of the chain for Mermaid: each line from above to below, branches at their fork. */
export function toMermaid(snapshot: ChainSnapshot): string {
  const lines = [snapshot.main, ...snapshot.branches]
  const ids = new LineIds(lines)
  const nodes: string[] = []
  const edges: string[] = []
  if (snapshot.summary !== undefined) {
    nodes.push(`s[["${label('Summary', snapshot.summary.thought)}"]]`)
  }
  for (const line of lines) {
    for (const thought of line.thoughts) nodes.push(toNode(thought, ids.of(line, thought.thoughtNumber)))
    edges.push(...toEdges(line, ids, snapshot.summary !== undefined))
  }
  snapshot.events.forEach((event, i) => {
    if (event.kind !== 'stopped') return
    const at = ids.find(event.branchId, event.thoughtNumber) ?? (snapshot.summary && 's')
    nodes.push(`stop${i + 1}{{"Stopped by the server"}}`)
    if (at !== undefined) edges.push(`${at} -.- stop${i + 1}`)
  })
  const rules = [
    'classDef revised stroke-width:3px',
    'classDef stale stroke-dasharray:5 4',
    ...(snapshot.isOpen ? [] : closingStyle(snapshot, ids)),
  ]
  return `${['flowchart TD', ...[...nodes, ...edges, ...rules].map((row) => `  ${row}`)].join('\n')}\n`
}

function toNode(thought: ThoughtSnapshot, id: string): string {
  const version = thought.revisionNumber === 0 ? '' : ` (version ${thought.revisionNumber})`
  const style = thought.isStale ? ':::stale' : thought.revisionNumber > 0 ? ':::revised' : ''
  return `${id}["${label(`${thought.thoughtNumber}${version}`, thought.thought)}"]${style}`
}

function toEdges(line: LineSnapshot, ids: LineIds, hasSummary: boolean): string[] {
  const edges: string[] = []
  const [first, ...others] = line.thoughts
  if (first === undefined) return edges
  let previous = ids.of(line, first.thoughtNumber)
  const isCut = first.thoughtNumber > line.firstThoughtNumber
  if (line.branchFromThought === undefined) {
    if (hasSummary) edges.push(`s --> ${previous}`)
  } else {
    const fork = ids.find(line.parentBranchId, line.branchFromThought)
    const from = isCut || fork === undefined ? 's' : fork
    edges.push(`${from} -->|"branch ${encode(shorten(line.branchId ?? '', MAX_NAME_CHARS))}"| ${previous}`)
  }
  for (const { thoughtNumber } of others) {
    const id = ids.of(line, thoughtNumber)
    edges.push(`${previous} --> ${id}`)
    previous = id
  }
  return edges
}

function closingStyle({ last, main, branches }: ChainSnapshot, ids: LineIds): string[] {
  const line = branches.find(({ branchId }) => branchId === last.branchId) ?? main
  const end = line.thoughts.at(-1)
  if (end === undefined) return []
  return ['classDef conclusion stroke-width:4px', `class ${ids.of(line, end.thoughtNumber)} conclusion`]
}

/** Ids of nodes, made of numbers only: a branch is named by a person or a model. */
class LineIds {
  readonly #lines: readonly LineSnapshot[]

  constructor(lines: readonly LineSnapshot[]) {
    this.#lines = lines
  }

  of(line: LineSnapshot, thoughtNumber: number): string {
    const index = this.#lines.indexOf(line)
    return index === 0 ? `m${thoughtNumber}` : `b${index}_${thoughtNumber}`
  }

  /** The node of a thought, unless it was summarized. */
  find(branchId: string | undefined, thoughtNumber: number): string | undefined {
    const line = this.#lines.find((candidate) => candidate.branchId === branchId)
    if (!line?.thoughts.some((thought) => thought.thoughtNumber === thoughtNumber)) return undefined
    return this.of(line, thoughtNumber)
  }
}

function label(head: string, text: string): string {
  return `${encode(head)}: ${encode(shorten(oneLine(text), MAX_LABEL_CHARS))}`
}

function oneLine(text: string): string {
  // Control characters and line separators are no text; a bidirectional mark would reorder what follows.
  return text.replace(/[\s\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim()
}

function encode(text: string): string {
  const line = oneLine(text)
  let encoded = ''
  let end = 0
  for (const char of line) {
    end += char.length
    const code = char.codePointAt(0) ?? 0
    const isSurrogate = code >= 0xd800 && code <= 0xdfff
    // Mermaid turns codes into marks made of these three letters before it parses.
    const isMark = char === 'ﬂ' || char === '°' || char === '¶'
    // It takes "style … :#35;" for a rule that ends in a semicolon, wherever that stands.
    const isPlain = PLAIN.test(char) || (char === ':' && line[end] === ' ')
    if (isSurrogate) encoded += '\ufffd'
    else encoded += isMark || (code < 0x80 && !isPlain) ? `#${code};` : char
  }
  return encoded
}
