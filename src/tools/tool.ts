import type { StandardSchemaWithJSON, ToolAnnotations } from '@modelcontextprotocol/server'
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
}

/** What a call did, for the log: never any text of a thought. */
export interface CallLog {
  readonly session?: string
  readonly line?: string
  readonly number?: number
  readonly revision?: number
}

export interface ToolReply {
  /** Sent both as text and as structured content. */
  readonly result: Record<string, unknown>
  readonly log: CallLog
}

/** A tool as the server registers it. `handle` gets the arguments as they came. @throws ThoughtError */
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

/**
 * Advertises a JSON Schema as it stands and lets every value pass, because the tool parses its arguments itself:
 * more leniently, and with errors that a model can act on.
 */
export function advertised(schema: JsonSchema): StandardSchemaWithJSON<unknown, unknown> {
  return {
    '~standard': {
      version: 1,
      vendor: 'seqthink-mcp',
      validate: (value) => ({ value }),
      jsonSchema: { input: () => schema, output: () => schema },
    },
  }
}
