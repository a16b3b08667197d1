import { createRecent } from './recent.ts'
import type { SessionStore } from './session-store.ts'

/**
 * The chains that were last left open on one connection. On the older protocol era a call without a `sessionId`
 * goes to the connection's only open chain.
 */
export interface OpenChains {
  /**
   * Runs a call in its place among those of the connection. Which chain a call without an id goes to depends on
   * the calls before it, so it waits for them, and those behind it wait for it.
   */
  inOrder<R>(hasId: boolean, call: () => Promise<R>): Promise<R>
  /** Notes whether a call on this connection left its chain open. */
  note(sessionId: string, isOpen: boolean): void
  /** Notes that a call has read a chain: the store keeps it longer for that, so it is remembered as long here. */
  noteRead(sessionId: string): void
  /** The id of the only open chain, or how many there are: `none` or `several`. */
  find(sessions: SessionStore, owner: string): Promise<{ only: string } | 'none' | 'several'>
}

/** Remembers as many chains as the store keeps sessions, so that it cannot grow beyond them. */
export function createOpenChains({ maxSessions }: { maxSessions: number }): OpenChains {
  const noted = createRecent<true>(maxSessions)
  const running = new Set<Promise<unknown>>()
  let latestWithoutId: Promise<unknown> | undefined
  return {
    inOrder(hasId, call) {
      const earlier = hasId ? latestWithoutId : running.size > 0 ? Promise.allSettled(running) : undefined
      const task = earlier === undefined ? call() : earlier.then(call, call)
      const done = () => {
        running.delete(task)
        if (latestWithoutId === task) latestWithoutId = undefined
      }
      running.add(task)
      task.then(done, done)
      if (!hasId) latestWithoutId = task
      return task
    },

    note(sessionId, isOpen) {
      if (isOpen) noted.set(sessionId, true)
      else noted.delete(sessionId)
    },

    noteRead(sessionId) {
      noted.get(sessionId)
    },

    async find(sessions, owner) {
      let only: string | undefined
      for (const sessionId of [...noted.keys()]) {
        // Dropped by the store, or closed over another connection.
        if (!(await sessions.isOpen({ owner, sessionId }))) noted.delete(sessionId)
        else if (only === undefined) only = sessionId
        else return 'several'
      }
      return only === undefined ? 'none' : { only }
    },
  }
}
