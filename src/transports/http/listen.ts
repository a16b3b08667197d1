import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { isIPv6 } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { type AppOptions, createApp } from './app.ts'
import { createInFlight } from './in-flight.ts'
import { type LegacySessionLimits, LegacySessions } from './legacy-sessions.ts'

export interface HttpLimits extends LegacySessionLimits {
  /** Milliseconds within which the headers of a request, and all of it, must have arrived. */
  readonly headersMs: number
  readonly requestMs: number
  /** Milliseconds that a stop waits for requests in flight. */
  readonly stopMs: number
}

const DEFAULT_LIMITS: HttpLimits = {
  maxSessions: 1000,
  idleMs: 30 * 60_000,
  headersMs: 30_000,
  requestMs: 60_000,
  stopMs: 10_000,
}

/** Longer than the 60 s for which proxies keep a connection, so that none is closed while they use it again. */
const KEEP_ALIVE_MS = 65_000

/** How often time-outs are looked for. */
const MAX_CHECKING_INTERVAL_MS = 1000

export interface HttpListenerOptions
  extends Omit<AppOptions, 'legacySessions' | 'inFlight' | 'responses' | 'isStopping'> {
  readonly httpLimits?: Partial<HttpLimits>
}

export interface HttpListener {
  /** Where it listens, with the port that was picked. */
  readonly origin: string
  /** Takes no further request, finishes those in flight within `stopMs`, and closes all streams. */
  finish(): Promise<void>
}

/** @throws the system's error where the address cannot be listened on */
export async function listenHttp(options: HttpListenerOptions): Promise<HttpListener> {
  const limits = { ...DEFAULT_LIMITS, ...options.httpLimits }
  const legacySessions = new LegacySessions(limits)
  const inFlight = createInFlight()
  const responses = createInFlight()
  let isStopping = false
  const { app, streamable } = createApp({
    ...options,
    legacySessions,
    inFlight,
    responses,
    isStopping: () => isStopping,
  })
  const timeouts = {
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: Math.min(limits.headersMs, MAX_CHECKING_INTERVAL_MS),
    keepAliveTimeout: KEEP_ALIVE_MS,
  }
  const server = createServer(timeouts, getRequestListener(app.fetch))
  const { host, port } = options.config
  server.listen(port, host)
  await once(server, 'listening')

  return {
    origin: originOf(server, host),
    async finish() {
      isStopping = true
      const closed = once(server, 'close')
      server.close()
      const deadline = setTimeout(() => server.closeAllConnections(), limits.stopMs)
      legacySessions.stopListening()
      await Promise.race([inFlight.idle(), closed])
      await Promise.all([streamable.close(), legacySessions.close()])
      await Promise.race([responses.idle(), closed])
      // What is left asks for nothing: connections kept alive, or opened ahead of a request.
      server.closeAllConnections()
      await closed
      clearTimeout(deadline)
    },
  }
}

function originOf(server: Server, host: string): string {
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`
}
