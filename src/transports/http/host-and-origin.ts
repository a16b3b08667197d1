import { isIPv6 } from 'node:net'
import {
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server'
import type { MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import type { HttpConfig } from '../../config.ts'
import { type HttpEnv, refuse } from './http-env.ts'
import { isLoopback } from './loopback.ts'

const PREFLIGHT_MAX_AGE_SECONDS = 600

/** What a page must be able to read of an answer, beyond what every page may. */
const EXPOSED_HEADERS = ['Mcp-Session-Id', 'MCP-Protocol-Version', 'WWW-Authenticate', 'X-Request-Id']

/**
 * Lets requests pass that name this server as their host, and that come from no web page or from one that may
 * connect. Without it a page could reach a server on loopback by a name of its own that resolves there.
 */
export function checkHostAndOrigin(config: HttpConfig): MiddlewareHandler<HttpEnv> {
  const { host, allowedHosts } = config
  const hosts = [
    ...localhostAllowedHostnames(),
    isIPv6(host) ? `[${host}]` : host.toLowerCase(),
    ...allowedHosts,
  ]
  const isAllowedOrigin = originCheck(config)
  return async (c, next) => {
    const checked = validateHostHeader(c.req.header('host'), hosts)
    if (!checked.ok) return refuse(c, 403, `${checked.message}. The server's --allowed-hosts can name it.`)
    const origin = c.req.header('origin')
    if (origin !== undefined && !isAllowedOrigin(origin)) {
      return refuse(c, 403, `Invalid Origin: ${origin}. The server's --allowed-origins can name it.`)
    }
    return next()
  }
}

/** Tells browsers that pages of the allowed origins may connect. Without credentials: no cookie means anything here. */
export function allowOrigins(config: HttpConfig): MiddlewareHandler<HttpEnv> {
  const isAllowedOrigin = originCheck(config)
  const answerPage = cors({
    origin: (origin) => (isAllowedOrigin(origin) ? origin : null),
    allowMethods: ['GET', 'POST', 'DELETE'],
    exposeHeaders: EXPOSED_HEADERS,
    maxAge: PREFLIGHT_MAX_AGE_SECONDS,
  })
  // Headers that are added to a finished response turn its text into a stream, which a client that is no page need
  // not pay for.
  return (c, next) => (c.req.header('origin') === undefined ? next() : answerPage(c, next))
}

function originCheck({ host, allowedOrigins }: HttpConfig): (origin: string) => boolean {
  const listed = new Set(allowedOrigins)
  // On any other address, a page of the user's own machine is a stranger to the server.
  const local = isLoopback(host) ? localhostAllowedOrigins() : []
  return (origin) => listed.has(origin) || validateOriginHeader(origin, local).ok
}
