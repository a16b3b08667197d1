import type { Context } from 'hono'
import type { HttpEnv } from './http-env.ts'

/** A session of the 2025-era protocol: a connection over several requests. */
export interface LegacyConnection {
  handle(c: Context<HttpEnv>): Promise<Response>
  /** Ends what the client reads without having asked for it, so that only answers are still to come. */
  stopListening(): void
  close(): Promise<void>
}

/** Names a session. What belongs to another owner, or was opened at another endpoint, does not exist. */
export interface LegacySessionKey {
  readonly endpoint: string
  readonly owner: string
  readonly id: string
}

export interface LegacySessionLimits {
  /** For all owners together. Beyond it the owner with the most sessions loses the one it used least recently. */
  readonly maxSessions: number
  /** Milliseconds without a request and without an open stream after which a session ends. */
  readonly idleMs: number
}

interface Entry {
  readonly key: string
  readonly owner: string
  readonly connection: LegacyConnection
  /** Responses of the session that are open now; while there are any it is not idle. */
  responses: number
  readonly idle: NodeJS.Timeout
}

/** The open sessions. They are connections, not chains: a chain outlives the session over which it was recorded. */
export class LegacySessions {
  readonly #limits: LegacySessionLimits
  /** The least recently used first. */
  readonly #entries = new Map<string, Entry>()

  constructor(limits: LegacySessionLimits) {
    this.#limits = limits
  }

  add(sessionKey: LegacySessionKey, connection: LegacyConnection): void {
    if (this.#entries.size >= this.#limits.maxSessions) this.#dropOne()
    const key = keyOf(sessionKey)
    const expire = () => {
      if (entry.responses === 0) void this.#end(entry)
    }
    const idle = setTimeout(expire, this.#limits.idleMs).unref()
    const entry: Entry = { key, owner: sessionKey.owner, connection, responses: 0, idle }
    this.#entries.set(key, entry)
  }

  /** Lets a session handle a request, or returns nothing where there is no such session. */
  handle(sessionKey: LegacySessionKey, c: Context<HttpEnv>): Promise<Response> | undefined {
    const key = keyOf(sessionKey)
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    entry.responses++
    c.env.outgoing.once('close', () => {
      entry.responses--
      if (this.#entries.get(key) === entry) entry.idle.refresh()
    })
    return entry.connection.handle(c)
  }

  /** Forgets a session that has closed. */
  remove(sessionKey: LegacySessionKey): void {
    this.#forget(keyOf(sessionKey))
  }

  stopListening(): void {
    for (const { connection } of this.#entries.values()) connection.stopListening()
  }

  async close(): Promise<void> {
    await Promise.all([...this.#entries.values()].map((entry) => this.#end(entry)))
  }

  /** Whoever opens many sessions ends sessions of its own, not those of others. */
  #dropOne(): void {
    const entriesOf = new Map<string, Entry[]>()
    for (const entry of this.#entries.values()) {
      const entries = entriesOf.get(entry.owner)
      if (entries === undefined) entriesOf.set(entry.owner, [entry])
      else entries.push(entry)
    }
    const [most] = [...entriesOf.values()].sort((a, b) => b.length - a.length)
    const oldest = most?.[0]
    if (oldest !== undefined) void this.#end(oldest)
  }

  async #end({ key, connection }: Entry): Promise<void> {
    this.#forget(key)
    await connection.close()
  }

  #forget(key: string): void {
    clearTimeout(this.#entries.get(key)?.idle)
    this.#entries.delete(key)
  }
}

function keyOf({ endpoint, owner, id }: LegacySessionKey): string {
  return JSON.stringify([endpoint, owner, id])
}
