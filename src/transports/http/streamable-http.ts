import { randomUUID } from 'node:crypto'
import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { Context } from 'hono'
import type { Logger } from '../../logger.ts'
import { createOpenChains } from '../../sessions/open-chains.ts'
import type { Caller } from '../../tools/tool.ts'
import { withoutPayload } from '../protocol-error.ts'
import { type HttpEnv, type Requester, refuse, refuseUnknownSession } from './http-env.ts'
import type { LegacyConnection, LegacySessions } from './legacy-sessions.ts'

export interface EndpointOptions {
  readonly createServer: (caller: Caller) => McpServer
  /** Chains kept for each owner. */
  readonly maxSessions: number
  readonly legacySessions: LegacySessions
  /**
   * Whether calls report progress. Where none does, sessions of the older era answer with JSON: a stream for each
   * answer costs half as much again.
   */
  readonly reportsProgress: boolean
  readonly logger: Logger
}

export interface StreamableHttp {
  handle(c: Context<HttpEnv>): Promise<Response>
  /** Ends the streams and requests of the newer era; those of the older end with their sessions. */
  close(): Promise<void>
}

const ENDPOINT = 'streamable'

/** Serves both eras at one address: 2026-07-28 request by request, the older protocol in sessions. */
export function createStreamableHttp(options: EndpointOptions): StreamableHttp {
  const { createServer, maxSessions, legacySessions, reportsProgress, logger } = options
  const onerror = (error: Error) => logger.debug({ error: withoutPayload(error) }, 'protocol error')
  const requesters = new WeakMap<Request, Requester>()
  const modern = createMcpHandler(
    ({ requestInfo }) => {
      const requester = requestInfo && requesters.get(requestInfo)
      if (requester === undefined) throw new Error('A request came without its sender.')
      return createServer({ ...requester, openChains: undefined })
    },
    { legacy: 'reject', onerror },
  )

  async function open(c: Context<HttpEnv>): Promise<Response> {
    const requester = c.get('requester')
    const keyOf = (id: string) => ({ endpoint: ENDPOINT, owner: requester.owner, id })
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse: !reportsProgress,
      onsessioninitialized: (id) => legacySessions.add(keyOf(id), connection),
    })
    const connection: LegacyConnection = {
      handle: (c) => transport.handleRequest(c.req.raw, { parsedBody: c.get('body') }),
      stopListening: () => transport.closeStandaloneSSEStream(),
      close: () => transport.close(),
    }
    transport.onerror = onerror
    transport.onclose = () => {
      if (transport.sessionId !== undefined) legacySessions.remove(keyOf(transport.sessionId))
    }
    await createServer({ ...requester, openChains: createOpenChains({ maxSessions }) }).connect(transport)
    const response = await connection.handle(c)
    if (transport.sessionId === undefined) await transport.close()
    return response
  }

  async function handleLegacy(c: Context<HttpEnv>): Promise<Response> {
    const id = c.req.header('mcp-session-id')
    if (id !== undefined) {
      const handled = legacySessions.handle({ endpoint: ENDPOINT, owner: c.get('requester').owner, id }, c)
      return handled ?? refuseUnknownSession(c)
    }
    if (isInitializeRequest(c.get('body'))) return open(c)
    return refuse(c, 400, 'Bad Request: Mcp-Session-Id header is required')
  }

  return {
    async handle(c) {
      const { raw } = c.req
      const body = c.get('body')
      if (await isLegacyRequest(raw, body)) return handleLegacy(c)
      requesters.set(raw, c.get('requester'))
      return modern.fetch(raw, { parsedBody: body })
    },
    close: () => modern.close(),
  }
}
