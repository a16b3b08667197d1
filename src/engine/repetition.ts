import type { Line } from './line.ts'
import type { Thought } from './thought.ts'

/** How often a session may repeat earlier thoughts before it is told to stop. */
export const MAX_REPEATS = 3

/**
 * A label in front of a thought, such as "Step 12:", "**Thought 3/9** -" or "第3步：". It says where the thought
 * stands and nothing of what it says; only labels that name a step count, so that "Port 8080: closed" does not.
 */
const LABEL = new RegExp(
  '^[\\s*_#>\\[(]*' +
    '(?:' +
    '(?:step|thought|schritt|gedanke|étape|etape|pensée|paso|pensamiento|passo|шаг|мысль|步骤|步驟|思考|想法|ステップ|단계)\\s*(?:no\\.?|#|№)?\\s*\\d+' +
    '|第\\s*[\\d一二三四五六七八九十百]+\\s*(?:步骤|步驟|步|个思考|個思考|个想法|ステップ|단계)' +
    ')' +
    '(?:\\s*(?:\\/|of|von|de|из)\\s*\\d+)?' +
    '[\\s*_]*(?:[\\])][\\s*_]*[:：]?|[:：．、，]|[.,\\-–—](?=\\s))[\\s*_]*(?=\\S)',
  'u',
)

/** All that `\s` matches beside the ASCII ones: UTF-16 units of white space. */
const WHITE_SPACE_BEYOND_ASCII = new Set(
  Array.from(
    '\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff',
    (char) => char.charCodeAt(0),
  ),
)

/** So many units at either end of a text tell it from most others. */
const FINGERPRINT_UNITS = 64

/**
 * A number that is equal for texts that differ in case, white space and a leading label only. Others may have the
 * same, so that a candidate is compared in full.
 */
export function fingerprintOf(text: string): number {
  const lower = text.toLowerCase()
  // FNV-1a over UTF-16 units.
  let hash = 0x811c9dc5
  let units = 0
  let start = labelLength(lower)
  for (; start < lower.length && units < FINGERPRINT_UNITS; start++) {
    const unit = lower.charCodeAt(start)
    if (isWhiteSpace(unit)) continue
    hash = Math.imul(hash ^ unit, 0x01000193)
    units++
  }
  for (let end = lower.length - 1; end >= start && units < 2 * FINGERPRINT_UNITS; end--) {
    const unit = lower.charCodeAt(end)
    if (isWhiteSpace(unit)) continue
    hash = Math.imul(hash ^ unit, 0x01000193)
    units++
  }
  return hash
}

/** The earliest thought of a line that says the same as `text`, summarized ones left out. */
export function findRepeated(line: Line, text: string, fingerprint: number): Thought | undefined {
  const { kept, fingerprints } = line
  let i = fingerprints.indexOf(fingerprint)
  if (i < 0) return undefined
  const normalized = normalize(text)
  for (; i >= 0; i = fingerprints.indexOf(fingerprint, i + 1)) {
    const earlier = kept[i]
    if (earlier !== undefined && normalize(earlier.thought) === normalized) return earlier
  }
  return undefined
}

/** What is left of a text when case, white space and a leading label do not count. */
function normalize(text: string): string {
  const lower = text.toLowerCase()
  return lower.slice(labelLength(lower)).replace(/\s+/gu, '')
}

function labelLength(lower: string): number {
  return LABEL.exec(lower)?.[0].length ?? 0
}

/** The same as `\s`, without making a string of the unit. */
function isWhiteSpace(unit: number): boolean {
  if (unit < 0x80) return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d)
  return WHITE_SPACE_BEYOND_ASCII.has(unit)
}
