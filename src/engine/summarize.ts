import { countChars, shorten, type Thought } from './thought.ts'

/** Characters of a summary, all entries together. */
const MAX_SUMMARY_CHARS = 2000

/** A shorter entry than this says nothing; the oldest are counted instead of kept. */
const MIN_ENTRY_CHARS = 8

/** How far into a thought its leading sentence is looked for; longer sentences are cut in any case. */
const SENTENCE_WINDOW_CHARS = 400

let sentences: Intl.Segmenter | undefined

/**
 * The text of a summary, a line an entry: "12 [cache] v1: leading sentence". Entries of an earlier summary come
 * first and share half of the space evenly; new ones share the rest.
 */
export function summarize(earlier: string | undefined, thoughts: readonly Thought[]): string {
  const kept = earlier === undefined ? [] : fitInto(earlier.split('\n'), MAX_SUMMARY_CHARS / 2)
  const used = kept.reduce((sum, entry) => sum + countChars(entry) + 1, 0)
  return [...kept, ...fitInto(thoughts.map(entryOf), MAX_SUMMARY_CHARS - used)].join('\n')
}

function entryOf(thought: Thought): string {
  const branch = thought.line.branchId === undefined ? '' : ` [${oneLine(thought.line.branchId)}]`
  const version = thought.revisionNumber === 0 ? '' : ` v${thought.revisionNumber}`
  return `${thought.thoughtNumber}${branch}${version}: ${leadingSentence(thought.thought)}`
}

/** The first sentence, in whatever language; a bare number or label in front of it does not count as one. */
function leadingSentence(text: string): string {
  sentences ??= new Intl.Segmenter('en', { granularity: 'sentence' })
  let lead = ''
  for (const { segment } of sentences.segment(shorten(text.trimStart(), SENTENCE_WINDOW_CHARS))) {
    lead += segment
    if (/\p{L}{2}|\p{Script=Han}/u.test(lead)) break
  }
  return oneLine(lead)
}

function oneLine(text: string): string {
  return text.trim().replace(/\s+/gu, ' ')
}

/** Shortens the longest entries to one length, so that all of them, a line break behind each, fit into `space`. */
function fitInto(entries: readonly string[], space: number): string[] {
  const most = Math.floor(space / (MIN_ENTRY_CHARS + 1))
  if (entries.length > most) {
    const newest = entries.slice(entries.length - most + 3)
    const oldest = entries.slice(0, entries.length - newest.length)
    const count = `(${countThoughts(oldest)} earlier)`
    return [count, ...fitInto(newest, space - countChars(count) - 1)]
  }
  const cap = evenCap(
    entries.map((entry) => countChars(entry) + 1),
    space,
  )
  return entries.map((entry) => shorten(entry, cap - 1))
}

/** How many thoughts entries stand for: one each, but for a first "(12 earlier)". */
function countThoughts(entries: readonly string[]): number {
  const counted = /^\((\d+) earlier\)$/.exec(entries[0] ?? '')
  return counted === null ? entries.length : entries.length - 1 + Number(counted[1])
}

/** The largest length to which items may be cut so that together they take at most `space`. */
function evenCap(lengths: readonly number[], space: number): number {
  let left = space
  let items = lengths.length
  for (const length of [...lengths].sort((a, b) => a - b)) {
    if (length * items > left) return Math.floor(left / items)
    left -= length
    items--
  }
  return Number.POSITIVE_INFINITY
}
