import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { requestId } from 'hono/request-id'
import { secureHeaders } from 'hono/secure-headers'
import type { HttpConfig } from '../../config.ts'
import { describeFailure } from '../../logger.ts'
import { logRequests } from './access-log.ts'
import { authenticate } from './auth.ts'
import { allowOrigins, checkHostAndOrigin } from './host-and-origin.ts'
import { type HttpEnv, refuse } from './http-env.ts'
import type { InFlight } from './in-flight.ts'
import { readJsonBody } from './json-body.ts'
import type { Principals } from './principals.ts'
import { createSse } from './sse.ts'
import { createStreamableHttp, type EndpointOptions, type StreamableHttp } from './streamable-http.ts'

export const MCP_PATH = '/mcp'
export const SSE_PATH = '/sse'
const MESSAGES_PATH = '/messages'

/** What concerns answers that are no pages. Whether its name is for TLS only is for the proxy to say. */
const SECURE_HEADERS = {
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  strictTransportSecurity: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
}

export interface AppOptions extends EndpointOptions {
  readonly config: HttpConfig
  /** Absent where no tokens are known: then everybody may connect. */
  readonly principals: Principals | undefined
  /** Whether the HTTP+SSE pair of the oldest protocol revision is served too. */
  readonly withSse: boolean
  /** Calls that a stop waits for. */
  readonly inFlight: InFlight
  /** All responses that are being written, streams included. */
  readonly responses: InFlight
  readonly isStopping: () => boolean
}

/** The routes, and before them what every request has to pass. */
export function createApp(options: AppOptions): { app: Hono<HttpEnv>; streamable: StreamableHttp } {
  const { config, principals, withSse, inFlight, responses, isStopping, logger } = options
  const app = new Hono<HttpEnv>()
  const streamable = createStreamableHttp(options)

  app.use(requestId(), async (c, next) => {
    // Here it also reaches responses that come ready from the SDK.
    c.env.outgoing.setHeader('X-Request-Id', c.get('requestId'))
    c.env.outgoing.once('close', responses.begin())
    return next()
  })
  app.use(logRequests(logger), secureHeaders(SECURE_HEADERS))
  // Before the checks below: whoever asks for it is a probe that knows the server by its address.
  app.get('/healthz', (c) => c.json({ status: 'ok' }))
  app.use(checkHostAndOrigin(config), allowOrigins(config))

  function endpoint(
    path: string,
    handlers: Record<string, (c: Context<HttpEnv>) => Promise<Response>>,
  ): void {
    app.use(path, authenticate(principals), async (c, next) => {
      if (!isStopping()) return next()
      c.header('Connection', 'close')
      return refuse(c, 503, 'The server is stopping')
    })
    for (const [method, handler] of Object.entries(handlers)) {
      if (method === 'POST') app.post(path, count, readJsonBody, countNoListening, handler)
      else app.on(method, path, handler)
    }
    const allowed = Object.keys(handlers).join(', ')
    app.all(path, (c) => {
      c.header('Allow', allowed)
      return refuse(c, 405, 'Method not allowed.')
    })
  }

  const count: MiddlewareHandler<HttpEnv> = async (c, next) => {
    const end = inFlight.begin()
    c.set('endInFlight', end)
    c.env.outgoing.once('close', end)
    await next()
  }

  const { handle } = streamable
  endpoint(MCP_PATH, { GET: handle, POST: handle, DELETE: handle })
  if (withSse) {
    const sse = createSse(options, MESSAGES_PATH, inFlight)
    endpoint(SSE_PATH, { GET: sse.open })
    endpoint(MESSAGES_PATH, { POST: sse.receive })
  }

  app.notFound((c) => refuse(c, 404, 'Not found'))
  app.onError((error, c) => {
    // A client that is gone needs no answer, and its going is no failure.
    if (!c.env.outgoing.destroyed) logger.error({ ...describeFailure(error) }, 'request failed')
    return refuse(c, 500, 'Internal server error', -32603)
  })
  return { app, streamable }
}

/** A request that stays open until the client or the server ends it, so nothing waits for its answer. */
const LISTEN_METHOD = 'subscriptions/listen'

const countNoListening: MiddlewareHandler<HttpEnv> = async (c, next) => {
  const body = c.get('body')
  const isListening =
    typeof body === 'object' && body !== null && 'method' in body && body.method === LISTEN_METHOD
  if (isListening) c.get('endInFlight')()
  await next()
}
