import { isJsonContentType, readRequestBody } from '@modelcontextprotocol/server'
import type { Context, MiddlewareHandler } from 'hono'
import { type HttpEnv, refuse } from './http-env.ts'

/** One call needs far less: a thought has 2000 characters, six bytes each when a client escapes them all. */
const MAX_BODY_BYTES = 1_000_000

const PARSE_ERROR = -32700

/** Reads the body of a POST as JSON: 415 for another type, 413 when it is too long, 400 when it is malformed. */
export const readJsonBody: MiddlewareHandler<HttpEnv> = async (c, next) => {
  if (!isJsonContentType(c.req.header('content-type'))) {
    return refuse(c, 415, 'Unsupported Media Type: Content-Type must be application/json')
  }
  const text = await readText(c)
  if (text === undefined) {
    return refuse(c, 413, `Payload Too Large: the body must not exceed ${MAX_BODY_BYTES} bytes`)
  }
  try {
    c.set('body', JSON.parse(text))
  } catch {
    return refuse(c, 400, 'Parse error: the body is not valid JSON', PARSE_ERROR)
  }
  return next()
}

/** @returns the body, or nothing when it is too long */
async function readText(c: Context<HttpEnv>): Promise<string | undefined> {
  if (c.req.header('transfer-encoding') === undefined) {
    // Node reads no further than the announced length. Without a stream in between it costs half as much.
    return Number(c.req.header('content-length')) > MAX_BODY_BYTES ? undefined : c.req.text()
  }
  const read = await readRequestBody(c.req.raw, MAX_BODY_BYTES)
  return read.tooLarge ? undefined : read.text
}
