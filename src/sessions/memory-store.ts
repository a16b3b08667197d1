import type { LRUCache } from 'lru-cache'
import type { ThoughtChain } from '../engine/thought-chain.ts'
import { createRecent } from './recent.ts'
import type { SessionKey, SessionStore, SessionSummary } from './session-store.ts'

interface Session {
  readonly chain: ThoughtChain
  /** Milliseconds since the epoch. */
  lastUsedMs: number
}

/** Sessions in this process, for each owner the `maxSessions` most recently used. */
export function createMemoryStore({ maxSessions }: { maxSessions: number }): SessionStore {
  const owners = new Map<string, LRUCache<string, Session>>()

  function sessionsOf(owner: string): LRUCache<string, Session> {
    let sessions = owners.get(owner)
    if (sessions === undefined) {
      sessions = createRecent(maxSessions)
      owners.set(owner, sessions)
    }
    return sessions
  }

  return {
    async add(owner, chain) {
      // The global loads the crypto module with its first use, so that a start does not pay for it.
      const sessionId = crypto.randomUUID()
      sessionsOf(owner).set(sessionId, { chain, lastUsedMs: Date.now() })
      return sessionId
    },

    // Nothing in here waits, so that calls on one session cannot overlap.
    async use({ owner, sessionId }: SessionKey, use) {
      const sessions = owners.get(owner)
      const session = sessions?.peek(sessionId)
      if (sessions === undefined || session === undefined) return undefined
      const result = use(session.chain)
      session.lastUsedMs = Date.now()
      sessions.get(sessionId)
      return result
    },

    async isOpen({ owner, sessionId }) {
      return owners.get(owner)?.peek(sessionId)?.chain.isOpen ?? false
    },

    async list(owner, max) {
      const summaries: SessionSummary[] = []
      for (const [sessionId, session] of owners.get(owner)?.entries() ?? []) {
        if (summaries.length === max) break
        summaries.push(summaryOf(sessionId, session))
      }
      return summaries
    },
  }
}

function summaryOf(sessionId: string, { chain, lastUsedMs }: Session): SessionSummary {
  return {
    sessionId,
    opening: chain.opening,
    steps: chain.steps,
    nextThoughtNeeded: chain.isOpen,
    nextThoughtNumber: chain.main.next,
    opened: new Date(chain.openedMs).toISOString(),
    lastCall: new Date(chain.lastCallMs).toISOString(),
    lastUsed: new Date(lastUsedMs).toISOString(),
  }
}
