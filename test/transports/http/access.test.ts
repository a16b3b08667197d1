import { expect, test } from 'vitest'
import {
  answerOf,
  bearer,
  callOf,
  initialize,
  post,
  postModern,
  startServer,
  thinkOf,
} from './http-server.ts'

const TOKENS = 'ann:token-of-ann, ben:token-of-ben, ann:second-token-of-ann'
const NEVER_ISSUED = '58767b56-3edd-4802-82bb-88a822fb4323'

const ann = bearer('token-of-ann')
const ben = bearer('token-of-ben')

async function open(url: string, headers: Record<string, string>) {
  const { result } = await answerOf(await postModern(url, thinkOf(1), headers))
  return String(result.sessionId)
}

test.each([
  ['no token', {}],
  ['a wrong token', bearer('token-of-ant')],
  ['a part of a token', bearer('token-of-an')],
  ['a name for a token', bearer('ann')],
  ['an entry for a token', bearer('ann:token-of-ann')],
  ['another scheme', { authorization: 'Basic token-of-ann' }],
])('answers 401 to %s, on every endpoint', async (_, headers) => {
  const { origin } = await startServer({ tokens: TOKENS })
  for (const [path, method] of [
    ['/mcp', 'POST'],
    ['/mcp', 'GET'],
    ['/mcp', 'DELETE'],
    ['/sse', 'GET'],
    ['/messages', 'POST'],
  ] as const) {
    const response = await fetch(`${origin}${path}`, { method, headers })
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer /)
  }
})

test('knows a principal by each of its tokens', async () => {
  const { url } = await startServer({ tokens: TOKENS })
  const sessionId = await open(url, ann)
  const { result } = await answerOf(
    await postModern(url, thinkOf(2, { sessionId }), bearer('second-token-of-ann')),
  )
  expect(result).toMatchObject({ sessionId, thoughtHistoryLength: 2 })
})

test("answers the same to another's chain as to one that never was", async () => {
  const { url } = await startServer({ tokens: TOKENS })
  const sessionId = await open(url, ann)
  for (const [name, args] of [
    ['sequential_thinking', { thought: 'b', thoughtNumber: 2, totalThoughts: 2, nextThoughtNeeded: true }],
    ['get_thinking', {}],
  ] as const) {
    const [foreign, unknown] = await Promise.all(
      [sessionId, NEVER_ISSUED].map(async (id) =>
        answerOf(await postModern(url, callOf(name, { ...args, sessionId: id }), ben)),
      ),
    )
    expect(foreign?.code).toBe('session_not_found')
    expect(foreign).toEqual({ ...unknown, text: unknown?.text?.replace(NEVER_ISSUED, sessionId) })
  }
  const { result } = await answerOf(await postModern(url, callOf('get_thinking', { sessionId }), ann))
  expect(result.thoughtHistoryLength).toBe(1)
})

test("answers the same to another's connection as to one that never was", async () => {
  const { url } = await startServer({ tokens: TOKENS })
  const session = await initialize(url, ann)
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const foreign = await post(url, list, { ...ben, ...session })
  const unknown = await post(url, list, { ...ben, 'mcp-session-id': NEVER_ISSUED })
  expect([foreign.status, await foreign.text()]).toEqual([unknown.status, await unknown.text()])
  expect(foreign.status).toBe(404)
  expect((await fetch(url, { method: 'DELETE', headers: { ...ben, ...session } })).status).toBe(404)
  expect((await post(url, list, { ...ann, ...session })).status).toBe(200)
})

test("takes no message for another's stream", async () => {
  const { origin } = await startServer({ tokens: TOKENS })
  const stream = await fetch(`${origin}/sse`, { headers: ann })
  const { value } = (await stream.body?.getReader().read()) ?? {}
  const path = /data: (\S+)/.exec(new TextDecoder().decode(value))?.[1]
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  expect((await post(`${origin}${path}`, list, ben)).status).toBe(404)
  expect((await post(`${origin}${path}`, list, ann)).status).toBe(202)
})

test('lists the chains of the principal and no others', async () => {
  const { url } = await startServer({ tokens: TOKENS })
  const sessionId = await open(url, ann)
  const listOf = async (headers: Record<string, string>) =>
    (await answerOf(await postModern(url, callOf('get_thinking', {}), headers))).result.sessions
  expect(await listOf(ann)).toMatchObject([{ sessionId }])
  expect(await listOf(ben)).toEqual([])
})

test('keeps the chains of each principal however many another opens', async () => {
  const { url } = await startServer({ tokens: TOKENS, flags: { maxSessions: '2' } })
  const sessionId = await open(url, ann)
  for (let i = 0; i < 5; i++) await open(url, ben)
  const { result } = await answerOf(await postModern(url, callOf('get_thinking', { sessionId }), ann))
  expect(result).toMatchObject({ sessionId })
})

test('without tokens, serves whoever has the id and lists nothing', async () => {
  const { url } = await startServer()
  const sessionId = await open(url, {})
  const { result } = await answerOf(await postModern(url, thinkOf(2, { sessionId }), bearer('ignored')))
  expect(result).toMatchObject({ sessionId, thoughtHistoryLength: 2 })
  const list = await answerOf(await postModern(url, callOf('get_thinking', {})))
  expect(list.result).toEqual({ sessions: [] })
})

test('without tokens, keeps the only open chain of one connection from another', async () => {
  const { url } = await startServer()
  const [one, other] = [await initialize(url), await initialize(url)]
  await post(url, thinkOf(1), one)
  expect(await answerOf(await post(url, thinkOf(2), other))).toMatchObject({ code: 'session_required' })
  expect(await answerOf(await post(url, thinkOf(2), one))).toMatchObject({ result: { thoughtNumber: 2 } })
})

test('logs a line for each request, without token, thought or id', async () => {
  const { url, origin, records } = await startServer({ tokens: TOKENS })
  const sessionId = await open(url, ann)
  await post(url, thinkOf(1, { thought: 'a private thought' }), { ...ann, ...(await initialize(url, ann)) })
  await postModern(url, thinkOf(2, { sessionId, thought: 'a private thought' }), ben)
  await post(url, '{"thought":"a private thought', ann)
  await postModern(url, thinkOf(1), bearer('a-wrong-token'))
  await post(`${origin}/messages?sessionId=${sessionId}`, { thought: 'a private thought' }, ann)
  await fetch(`${origin}/healthz`, { headers: { 'x-request-id': 'trace-7' } })
  await expect.poll(() => records.filter(({ message }) => message === 'request')).toHaveLength(8)
  expect(records).toContainEqual(
    expect.objectContaining({ level: 'info', method: 'POST', path: '/mcp', status: 200, principal: 'ann' }),
  )
  expect(records).toContainEqual(
    expect.objectContaining({ path: '/messages', status: 404, principal: 'ann' }),
  )
  expect(records).toContainEqual(
    expect.objectContaining({ path: '/healthz', status: 200, requestId: 'trace-7' }),
  )
  const logged = JSON.stringify(records)
  for (const secret of ['private', 'token-of', 'wrong-token', sessionId]) expect(logged).not.toContain(secret)
})
