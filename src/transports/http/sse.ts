import { type JSONRPCMessage, parseJSONRPCMessage } from '@modelcontextprotocol/server'
import type { Context } from 'hono'
import { createOpenChains } from '../../sessions/open-chains.ts'
import { withoutPayload } from '../protocol-error.ts'
import { type HttpEnv, refuse, refuseUnknownSession } from './http-env.ts'
import type { InFlight } from './in-flight.ts'
import { SseTransport } from './sse-transport.ts'
import type { EndpointOptions } from './streamable-http.ts'

export interface Sse {
  /** GET: opens a session and its stream. */
  open(c: Context<HttpEnv>): Promise<Response>
  /** POST: a message from the client of the session that the query names. */
  receive(c: Context<HttpEnv>): Promise<Response>
}

const ENDPOINT = 'sse'

/** The pair of addresses for clients that know the transport of protocol 2024-11-05 only. */
export function createSse(
  { createServer, maxSessions, legacySessions, logger }: EndpointOptions,
  messagesPath: string,
  inFlight: InFlight,
): Sse {
  return {
    async open(c) {
      const requester = c.get('requester')
      const transport = new SseTransport(messagesPath, inFlight)
      const key = { endpoint: ENDPOINT, owner: requester.owner, id: transport.sessionId }
      transport.onerror = (error) => logger.debug({ error: withoutPayload(error) }, 'protocol error')
      transport.onclose = () => legacySessions.remove(key)
      legacySessions.add(key, {
        handle: async (c) => post(c, transport),
        stopListening: () => {},
        close: () => transport.close(),
      })
      await createServer({ ...requester, openChains: createOpenChains({ maxSessions }) }).connect(transport)
      c.env.outgoing.once('close', () => transport.close())
      return new Response(transport.stream, {
        headers: {
          'Content-Type': 'text/event-stream',
          'Cache-Control': 'no-cache, no-transform',
          // Asks nginx to pass each event on at once.
          'X-Accel-Buffering': 'no',
        },
      })
    },

    async receive(c) {
      const id = c.req.query('sessionId')
      if (id === undefined) return refuse(c, 400, 'Bad Request: sessionId is missing in the query')
      const handled = legacySessions.handle({ endpoint: ENDPOINT, owner: c.get('requester').owner, id }, c)
      return handled ?? refuseUnknownSession(c)
    },
  }
}

function post(c: Context<HttpEnv>, transport: SseTransport): Response {
  let message: JSONRPCMessage
  try {
    message = parseJSONRPCMessage(c.get('body'))
  } catch {
    return refuse(c, 400, 'Invalid Request: the body is not a JSON-RPC message', -32600)
  }
  transport.receive(message)
  return c.text('Accepted', 202)
}
