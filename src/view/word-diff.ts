import { diffWordsWithSpace } from 'diff'

export interface DiffPart {
  readonly kind: 'same' | 'gone' | 'new'
  readonly text: string
}

/** Below this share of common characters a diff of words is confetti; old and new are shown one after the other. */
const MIN_COMMON_SHARE = 0.3

// Words of languages without spaces are found too.
const intlSegmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/** What became of a text, word by word. */
export function wordDiff(before: string, after: string): DiffPart[] {
  const parts = diffWordsWithSpace(before, after, { intlSegmenter })
  const common = parts.reduce(
    (sum, { added, removed, value }) => sum + (added || removed ? 0 : value.length),
    0,
  )
  if (common < MIN_COMMON_SHARE * Math.max(before.length, after.length)) {
    return [
      { kind: 'gone', text: before },
      { kind: 'new', text: after },
    ]
  }
  return parts.map(({ added, removed, value }) => ({
    kind: removed ? 'gone' : added ? 'new' : 'same',
    text: value,
  }))
}
