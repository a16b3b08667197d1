import type { MiddlewareHandler } from 'hono'
import type { Logger } from '../../logger.ts'
import type { HttpEnv } from './http-env.ts'

const MAX_LOGGED_PATH_CHARS = 100

/**
 * A line for each request when its response is over. The path is logged without its query, which may hold an id,
 * and nothing is logged of headers and bodies.
 */
export function logRequests(logger: Logger): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    if (!logger.isEnabled('info')) return next()
    const startedMs = performance.now()
    const { method, path } = c.req
    const { outgoing } = c.env
    outgoing.once('close', () => {
      const fields = {
        method,
        path: path.slice(0, MAX_LOGGED_PATH_CHARS),
        status: outgoing.statusCode,
        durationMs: performance.now() - startedMs,
        principal: c.get('principal'),
        requestId: c.get('requestId'),
      }
      logger.info(outgoing.writableFinished ? fields : { ...fields, aborted: true }, 'request')
    })
    return next()
  }
}
