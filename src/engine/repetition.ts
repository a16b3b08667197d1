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

/** A number that is equal for texts that differ in case, white space and a leading label only. */
export function fingerprintOf(text: string): number {
  const normalized = normalize(text)
  // FNV-1a over UTF-16 units: enough to find candidates, which are then compared in full.
  let hash = 0x811c9dc5
  for (let i = 0; i < normalized.length; i++) {
    hash = Math.imul(hash ^ normalized.charCodeAt(i), 0x01000193)
  }
  return hash
}

/** The earliest thought of a line that says the same as `text`, summarized ones left out. */
export function findRepeated(line: Line, text: string, fingerprint: number): Thought | undefined {
  return line.kept.find(
    (earlier) => earlier.fingerprint === fingerprint && normalize(earlier.thought) === normalize(text),
  )
}

function normalize(text: string): string {
  const lower = text.toLowerCase()
  return lower.replace(LABEL, '').replace(/\s+/gu, '')
}
