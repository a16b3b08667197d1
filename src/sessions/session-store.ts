import type { ThoughtChain } from '../engine/thought-chain.ts'

/** Names one session. An id is only looked up together with its owner, so that nobody reaches another's chain. */
export interface SessionKey {
  /** Who opened the session: the process on stdio. */
  readonly owner: string
  readonly sessionId: string
}

/** What a list shows of a session. */
export interface SessionSummary {
  readonly sessionId: string
  /** The first characters of the opening thought. */
  readonly opening: string
  readonly steps: number
  readonly nextThoughtNeeded: boolean
  /** The next number of the main line. */
  readonly nextThoughtNumber: number
  /** When the chain was opened, ISO 8601. */
  readonly opened: string
  /** When its latest call was recorded, ISO 8601. */
  readonly lastCall: string
  /** When it was last written or read, ISO 8601. */
  readonly lastUsed: string
}

/**
 * Keeps the chains of sessions. Asynchronous, so that a store on another machine can fulfil it. Calls on one
 * session take effect one after the other, in the order in which they were made.
 */
export interface SessionStore {
  /** Keeps a new chain and returns the id made for it. The owner's least recently used session may be dropped. */
  add(owner: string, chain: ThoughtChain): Promise<string>

  /**
   * Reads a session, lets `use` read or change its chain, and writes it back, as one unit. The session becomes
   * the most recently used, unless `use` throws: then nothing has happened.
   *
   * @returns what `use` returns, or nothing where the owner has no such session
   */
  use<R extends object>(key: SessionKey, use: (chain: ThoughtChain) => R): Promise<R | undefined>

  /** Whether the session exists and its chain is open. Does not count as use. */
  isOpen(key: SessionKey): Promise<boolean>

  /** At most `max` sessions of an owner, the last used first. Does not count as use. */
  list(owner: string, max: number): Promise<SessionSummary[]>
}
