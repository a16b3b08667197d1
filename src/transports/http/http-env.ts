import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { Caller } from '../../tools/tool.ts'

/** Who sent a request, before it is known which connection it belongs to. */
export type Requester = Omit<Caller, 'openChains'>

/** What the middleware leaves for the handlers of a request. */
export interface HttpEnv {
  Bindings: HttpBindings
  Variables: {
    requestId: string
    /** Name of the principal whose token came with the request; absent where the server knows no tokens. */
    principal: string | undefined
    requester: Requester
    /** The parsed JSON body of a POST. */
    body: unknown
    /** Says that nothing needs to wait for the answer of a POST any more. */
    endInFlight: () => void
  }
}

/** Answers with a JSON-RPC error that belongs to no request, as the SDK does for what it refuses itself. */
export function refuse(
  c: Context<HttpEnv>,
  status: 400 | 403 | 404 | 405 | 413 | 415 | 500 | 503,
  message: string,
  code = -32000,
): Response {
  return c.json({ jsonrpc: '2.0', error: { code, message }, id: null }, status)
}

const SESSION_NOT_FOUND = -32001

/** One answer for ids that were never issued, have expired or belong to another principal. */
export function refuseUnknownSession(c: Context<HttpEnv>): Response {
  return refuse(c, 404, 'Session not found', SESSION_NOT_FOUND)
}
