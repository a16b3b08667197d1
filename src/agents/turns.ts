/** Runs what belongs to one key one after the other, in order of arrival. */
export type InTurn = <T>(key: string, signal: AbortSignal, run: () => Promise<T>) => Promise<T>

export function createTurns(): InTurn {
  const lastOf = new Map<string, Promise<void>>()
  return async (key, signal, run) => {
    const before = lastOf.get(key)
    let end = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    // Whoever gives up waiting must not let the next one overtake those before it.
    const turn = Promise.all([before, ended]).then(() => {
      if (lastOf.get(key) === turn) lastOf.delete(key)
    })
    lastOf.set(key, turn)
    try {
      if (before !== undefined) await untilAborted(before, signal)
      return await run()
    } finally {
      end()
    }
  }
}

/** @throws what `signal` was aborted with, if that comes first */
async function untilAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    promise.then(() => {
      signal.removeEventListener('abort', abort)
      resolve()
    })
  })
}
