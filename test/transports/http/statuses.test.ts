import { once } from 'node:events'
import { request } from 'node:http'
import { expect, test } from 'vitest'
import {
  answerOf,
  INITIALIZE,
  initialize,
  JSON_HEADERS,
  post,
  postModern,
  startServer,
  thinkOf,
} from './http-server.ts'

const MAX_BODY_BYTES = 1_000_000
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

test('says that it is well, to everybody and under any host name', async () => {
  const { origin } = await startServer({ tokens: 'ann:secret' })
  const response = await fetch(`${origin}/healthz`)
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({ status: 'ok' })
  expect(await statusOf(`${origin}/healthz`, { host: 'probe.example' })).toBe(200)
})

test('answers 404 elsewhere', async () => {
  const { origin } = await startServer()
  expect((await fetch(`${origin}/other`)).status).toBe(404)
})

test('answers a request of the newer era without a session', async () => {
  const { url } = await startServer()
  const { status, result } = await answerOf(await postModern(url, thinkOf(1)))
  expect(status).toBe(200)
  expect(result).toMatchObject({ thoughtNumber: 1, nextThoughtNumber: 2 })
})

test('opens, serves and ends a session of the older era', async () => {
  const { url } = await startServer()
  const session = await initialize(url)
  const note = await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, session)
  expect(note.status).toBe(202)
  expect(await answerOf(await post(url, thinkOf(1), session))).toMatchObject({
    status: 200,
    result: { thoughtNumber: 1 },
  })
  expect((await fetch(url, { method: 'DELETE', headers: session })).status).toBe(200)
  expect((await post(url, LIST, session)).status).toBe(404)
})

test('gives a session one stream of its own', async () => {
  const { url } = await startServer()
  const headers = { ...(await initialize(url)), accept: 'text/event-stream' }
  const stream = await fetch(url, { headers })
  expect(stream.status).toBe(200)
  expect(stream.headers.get('content-type')).toBe('text/event-stream')
  expect((await fetch(url, { headers })).status).toBe(409)
  await stream.body?.cancel()
})

test.each(['POST', 'GET', 'DELETE'])(
  'answers 400 to a %s of the older era without a session',
  async (method) => {
    const { url } = await startServer()
    const body = method === 'POST' ? JSON.stringify(LIST) : null
    const response = await fetch(url, { method, headers: JSON_HEADERS, body })
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('Mcp-Session-Id')
  },
)

test.each(['POST', 'GET', 'DELETE'])('answers 404 to a %s with an unknown session', async (method) => {
  const { url } = await startServer()
  const headers = { ...JSON_HEADERS, 'mcp-session-id': '58767b56-3edd-4802-82bb-88a822fb4323' }
  const body = method === 'POST' ? JSON.stringify(INITIALIZE) : null
  expect((await fetch(url, { method, headers, body })).status).toBe(404)
})

test.each([
  ['/mcp', 'PUT', 'GET, POST, DELETE'],
  ['/mcp', 'PATCH', 'GET, POST, DELETE'],
  ['/sse', 'POST', 'GET'],
  ['/messages', 'GET', 'POST'],
])('answers 405 on %s to %s and says what is allowed', async (path, method, allow) => {
  const { origin } = await startServer()
  const response = await fetch(`${origin}${path}`, { method })
  expect(response.status).toBe(405)
  expect(response.headers.get('allow')).toBe(allow)
})

test.each(['text/plain', 'application/x-www-form-urlencoded', ''])(
  'answers 415 to a body of type %j',
  async (type) => {
    const { url } = await startServer()
    expect((await post(url, LIST, { 'content-type': type })).status).toBe(415)
  },
)

test.each(['', '{', '{"jsonrpc":"2.0"', 'null', '[]', '7', '{}', '{"jsonrpc":"1.0","id":1,"method":"x"}'])(
  'answers 400 to the body %j',
  async (body) => {
    const { url } = await startServer()
    expect((await post(url, body)).status).toBe(400)
    expect((await post(url, body, await initialize(url))).status).toBe(400)
  },
)

test('takes a body of 1 MB and answers 413 to a longer one', async () => {
  const { url } = await startServer()
  const fitting = JSON.stringify(LIST).padEnd(MAX_BODY_BYTES)
  expect((await post(url, fitting)).status).toBe(400)
  expect((await post(url, `${fitting} `)).status).toBe(413)
})

test('answers 413 to a longer body whose length is not announced', async () => {
  const { url } = await startServer()
  const sent = request(url, { method: 'POST', headers: { ...JSON_HEADERS, 'transfer-encoding': 'chunked' } })
  sent.on('error', () => {})
  for (let i = 0; i < 11; i++) sent.write(' '.repeat(MAX_BODY_BYTES / 10))
  const [response] = await once(sent, 'response')
  expect(response.statusCode).toBe(413)
  sent.destroy()
})

test('still answers others after a refused body', async () => {
  const { url } = await startServer()
  await post(url, ' '.repeat(MAX_BODY_BYTES * 3))
  expect((await postModern(url, thinkOf(1))).status).toBe(200)
})

test('carries secure headers and the id of the request', async () => {
  const { url } = await startServer()
  const response = await postModern(url, thinkOf(1), { 'x-request-id': 'trace-7' })
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(response.headers.get('x-request-id')).toBe('trace-7')
})

/** fetch sets the host itself. */
async function statusOf(url: string, headers: Record<string, string>): Promise<number | undefined> {
  const sent = request(url, { headers }).end()
  const [response] = await once(sent, 'response')
  response.resume()
  return response.statusCode
}
