import * as z from 'zod'
import { SPECIALISTS } from './specialists.ts'

/** What kind of thinking a thought asks for. Informs the caller; steers nothing. */
export interface Complexity {
  /** From 0, a lookup, to 100. */
  readonly score: number
  readonly problem_type: string
  /** Names of the specialists that matter most. */
  readonly thinking_modes: readonly string[]
}

export const PROBLEM_TYPES = [
  'factual',
  'analytical',
  'design',
  'planning',
  'debugging',
  'decision',
  'creative',
  'interpersonal',
  'philosophical',
  'general',
] as const

/** The type of a problem that was only counted, not read. */
const UNREAD_TYPE = 'unclassified'

/** Words from which on the heuristic gives the highest score. */
const MOST_WORDS = 300

const MODES = SPECIALISTS.map(({ name }) => name)

const ratingSchema = z.object({
  score: z.coerce.number().min(0).max(100).transform(Math.round),
  problem_type: z.enum(PROBLEM_TYPES),
  thinking_modes: z
    .array(z.string())
    .transform((modes) => MODES.filter((mode) => modes.some((given) => given.trim().toLowerCase() === mode)))
    .pipe(z.array(z.string()).min(1)),
})

/** Reads the rating out of a model's answer, which may have words or a code fence around it. */
export function parseComplexity(answer: string): Complexity | undefined {
  try {
    const json: unknown = JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1))
    return ratingSchema.safeParse(json).data
  } catch {
    return undefined
  }
}

/** A rating by the number of words, in whatever language, for when no model gave one. */
export function estimateComplexity(text: string): Complexity {
  const segments = new Intl.Segmenter('en', { granularity: 'word' }).segment(text)
  let words = 0
  for (const { isWordLike } of segments) if (isWordLike) words++
  return {
    score: Math.min(100, Math.round((100 * words) / MOST_WORDS)),
    problem_type: UNREAD_TYPE,
    thinking_modes: MODES,
  }
}
