/** Share of the whole time that is kept for the synthesis at the end, and the most that the first one may take. */
const SYNTHESIS_SHARE = 0.25

export interface Budget {
  readonly ms: number
  /** Whether the whole deadline left less than was asked for. */
  readonly isClipped: boolean
}

/** The time that a whole run may take, counted from now. */
export interface Deadline {
  /** At most `budgetMs`, and no more than leaves the final synthesis its share. */
  clip(budgetMs: number): Budget
  /** As `clip`, for the first synthesis, which must leave time for the specialists too. */
  clipFirst(budgetMs: number): Budget
  /** At most `budgetMs`, and no more than is left. */
  clipLast(budgetMs: number): Budget
}

/** @param finalMs what the final synthesis may take when there is time enough */
export function createDeadline(deadlineMs: number, finalMs: number): Deadline {
  const endMs = performance.now() + deadlineMs
  const shareMs = deadlineMs * SYNTHESIS_SHARE
  const reservedMs = Math.min(finalMs, shareMs)
  const atMost = (budgetMs: number, leftMs: number) => ({
    ms: Math.max(0, Math.floor(Math.min(budgetMs, leftMs))),
    isClipped: leftMs < budgetMs,
  })
  const left = () => endMs - performance.now()
  return {
    clip: (budgetMs) => atMost(budgetMs, left() - reservedMs),
    clipFirst: (budgetMs) => atMost(budgetMs, Math.min(shareMs, left() - reservedMs)),
    clipLast: (budgetMs) => atMost(budgetMs, left()),
  }
}

/**
 * Runs something for at most `ms`; its own signal then aborts.
 *
 * @returns nothing where the time ran out
 * @throws what `parent` was aborted with, or what `run` threw
 */
export async function runWithin<T extends object>(
  ms: number,
  parent: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  parent.throwIfAborted()
  if (ms <= 0) return undefined
  const timeout = AbortSignal.timeout(ms)
  const signal = AbortSignal.any([parent, timeout])
  // Whoever ignores the signal is not waited for.
  const aborted = new Promise<undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
  try {
    const result = await Promise.race([run(signal), aborted])
    if (result !== undefined) return result
  } catch (error) {
    if (!signal.aborted) throw error
  }
  parent.throwIfAborted()
  return undefined
}
