import { isJsonContentType } from '@modelcontextprotocol/server'
import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { every } from 'hono/combine'
import { type HttpEnv, refuse } from './http-env.ts'

/** One call needs far less: a thought has 2000 characters, six bytes each when a client escapes them all. */
const MAX_BODY_BYTES = 1_000_000

const PARSE_ERROR = -32700

/** Reads the body of a POST as JSON: 415 for another type, 413 when it is too long, 400 when it is malformed. */
export function readJsonBody(): MiddlewareHandler<HttpEnv> {
  return every(checkType, limitSize, parse)
}

const checkType: MiddlewareHandler<HttpEnv> = async (c, next) => {
  if (isJsonContentType(c.req.header('content-type'))) return next()
  return refuse(c, 415, 'Unsupported Media Type: Content-Type must be application/json')
}

const limitSize = bodyLimit({
  maxSize: MAX_BODY_BYTES,
  onError: (c) => refuse(c, 413, `Payload Too Large: the body must not exceed ${MAX_BODY_BYTES} bytes`),
})

const parse: MiddlewareHandler<HttpEnv> = async (c, next) => {
  const text = await c.req.text()
  try {
    c.set('body', JSON.parse(text))
  } catch {
    return refuse(c, 400, 'Parse error: the body is not valid JSON', PARSE_ERROR)
  }
  return next()
}
