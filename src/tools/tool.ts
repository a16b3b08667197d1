import type { ToolAnnotations } from '@modelcontextprotocol/server'
import type { OpenChains } from '../sessions/open-chains.ts'
import type { SessionStore } from '../sessions/session-store.ts'

/** Who calls, and on which connection. */
export interface Caller {
  /** Owner of the sessions that the caller opens and sees. */
  readonly owner: string
  /** Whether the caller may see a list of its sessions: not where callers cannot be told apart. */
  readonly maySeeList: boolean
  /** Set on a connection of the older era, where a call may leave out the id of the only open chain. */
  readonly openChains: OpenChains | undefined
}

export interface ToolContext {
  readonly sessions: SessionStore
  readonly caller: Caller
  /** Aborts when the client cancels the call. It is made when it is read, which is not for nothing. */
  readonly signal?: AbortSignal
  /** Tells the client how far the call is; absent where it did not ask. */
  readonly reportProgress?: ReportProgress | undefined
}

/** `done` of `total` parts are done, the latest as `message` says. */
export type ReportProgress = (done: number, total: number, message: string) => void

/** What a call did, for the log: never any text of a thought. */
export interface CallLog {
  readonly session?: string
  readonly line?: string
  readonly number?: number
  readonly revision?: number
}

export interface ToolReply {
  /** Sent as structured content. */
  readonly result: Record<string, unknown>
  /** Sent as text: the result as JSON where it is absent. */
  readonly text?: string
  readonly log: CallLog
}

/**
 * A call that was not carried out for a reason outside of the call: nothing was recorded, and the same call may
 * succeed later. The message is written for the calling model.
 */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure'
  /** A stable code, for `_meta["seqthink/code"]`. */
  readonly code: string
  /** What else clients find in `_meta`. */
  readonly meta: Readonly<Record<string, unknown>>

  constructor(code: string, message: string, meta: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.code = code
    this.meta = meta
  }
}

/** A tool as the server registers it. `handle` gets the arguments as they came. @throws ThoughtError, ToolFailure */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly outputSchema?: JsonSchema
  readonly annotations: ToolAnnotations
  handle(args: unknown, context: ToolContext): Promise<ToolReply>
}

/** A JSON Schema in the subset that every client and model vendor takes. */
export type JsonSchema = Record<string, unknown>
