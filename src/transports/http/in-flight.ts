/** Counts the requests that are being answered, so that the server can end between two of them. */
export interface InFlight {
  /** One more is being answered, until the returned function is called; calling it again changes nothing. */
  begin(): () => void
  /** Resolves when there is none. */
  idle(): Promise<void>
}

export function createInFlight(): InFlight {
  let count = 0
  let waiting: (() => void)[] = []
  return {
    begin() {
      count++
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        count--
        if (count > 0) return
        for (const resolve of waiting) resolve()
        waiting = []
      }
    },

    async idle() {
      while (count > 0) {
        await new Promise<void>((resolve) => {
          waiting.push(resolve)
        })
      }
    },
  }
}
