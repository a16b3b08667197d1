import { once } from 'node:events'
import { connect } from 'node:net'
import { McpServer } from '@modelcontextprotocol/server'
import { expect, test } from 'vitest'
import {
  answerOf,
  bearer,
  callOf,
  INITIALIZE,
  initialize,
  JSON_HEADERS,
  post,
  postModern,
  startServer,
  thinkOf,
} from './http-server.ts'

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
const TOKENS = 'ann:token-of-ann,ben:token-of-ben'

const ann = bearer('token-of-ann')
const ben = bearer('token-of-ben')

/** What a raw connection gets before the server closes it. */
async function talk(origin: string, lines: string[]): Promise<string> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  let received = ''
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text
  })
  socket.write(lines.join('\r\n'))
  await once(socket, 'close')
  return received
}

test('cuts off a client that sends its headers too slowly', async () => {
  const { origin } = await startServer({ httpLimits: { headersMs: 50, requestMs: 50 } })
  expect(await talk(origin, ['POST /mcp HTTP/1.1', 'Host: localhost', 'X-Slow: '])).toContain(' 408 ')
})

test('cuts off a client that sends its body too slowly, and serves others meanwhile', async () => {
  const { origin, url } = await startServer({ httpLimits: { headersMs: 50, requestMs: 50 } })
  const head = [
    'POST /mcp HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/json',
    'Content-Length: 99',
  ]
  const slow = talk(origin, [...head, '', '{'])
  expect((await postModern(url, thinkOf(1))).status).toBe(200)
  expect(await slow).not.toContain(' 200 ')
})

test('lets streams stay open beyond the time for a request', async () => {
  const { url } = await startServer({ httpLimits: { headersMs: 500, requestMs: 500 } })
  const headers = { ...(await initialize(url)), accept: 'text/event-stream' }
  const stream = await fetch(url, { headers })
  const outcome = stream.text().then(
    () => 'ended',
    () => 'ended',
  )
  expect(await Promise.race([outcome, once(AbortSignal.timeout(1200), 'abort').then(() => 'open')])).toBe(
    'open',
  )
})

test('ends a session that is idle, and none that has an open stream', async () => {
  const { url } = await startServer({ httpLimits: { idleMs: 60 } })
  const [idle, listening] = [await initialize(url), await initialize(url)]
  const stream = await fetch(url, { headers: { ...listening, accept: 'text/event-stream' } })
  const statusOfIdle = async () => (await post(url, LIST, idle)).status
  await expect.poll(statusOfIdle, { interval: 200 }).toBe(404)
  expect((await post(url, LIST, listening)).status).toBe(200)
  await stream.body?.cancel()
})

test('at the limit, ends the least recently used session of whoever has most', async () => {
  const { url } = await startServer({ tokens: TOKENS, httpLimits: { maxSessions: 3 } })
  const sessionOfAnn = await initialize(url, ann)
  const first = await initialize(url, ben)
  const second = await initialize(url, ben)
  await post(url, LIST, { ...ben, ...first })
  const third = await initialize(url, ben)
  const statusOf = async (headers: Record<string, string>) => (await post(url, LIST, headers)).status
  expect(await statusOf({ ...ben, ...second })).toBe(404)
  expect(await statusOf({ ...ben, ...first })).toBe(200)
  expect(await statusOf({ ...ben, ...third })).toBe(200)
  expect(await statusOf({ ...ann, ...sessionOfAnn })).toBe(200)
})

test('keeps a chain when its session ends', async () => {
  const { url } = await startServer()
  const session = await initialize(url)
  const { sessionId } = (await answerOf(await post(url, thinkOf(1), session))).result
  await fetch(url, { method: 'DELETE', headers: session })
  const { result } = await answerOf(await post(url, thinkOf(2, { sessionId }), await initialize(url)))
  expect(result).toMatchObject({ sessionId, thoughtHistoryLength: 2 })
})

/** A server whose only tool answers when it is told to. */
function createSlowServer() {
  const calls: (() => void)[] = []
  const createServer = () => {
    const server = new McpServer({ name: 'slow', version: '1.0.0' })
    server.registerTool('wait', {}, async () => {
      await new Promise<void>((resolve) => calls.push(resolve))
      return { content: [{ type: 'text', text: 'done' }] }
    })
    return server
  }
  return { calls, createServer }
}

const WAIT = callOf('wait', {})

test.each(['modern', 'legacy'])(
  'survives a client that drops its connection in mid-call (%s)',
  async (era) => {
    const { calls, createServer } = createSlowServer()
    const { url, records } = await startServer({ createServer })
    const send = async (signal: AbortSignal | null) => {
      const modern = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'wait' }
      const headers = { ...JSON_HEADERS, ...(era === 'modern' ? modern : await initialize(url)) }
      const meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      }
      const body = { ...WAIT, params: { ...WAIT.params, ...(era === 'modern' && { _meta: meta }) } }
      return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body), signal })).text()
    }
    const dropped = new AbortController()
    const lost = expect(send(dropped.signal)).rejects.toThrow()
    await expect.poll(() => calls.length).toBe(1)
    dropped.abort()
    await lost
    await expect.poll(() => records).toContainEqual(expect.objectContaining({ path: '/mcp', aborted: true }))
    const answered = send(null)
    await expect.poll(() => calls.length).toBe(2)
    for (const finish of calls) finish()
    expect(await answered).toContain('done')
    expect(records.filter(({ level }) => level === 'error')).toEqual([])
  },
)

test('when it stops, finishes the call in flight, refuses others and closes streams', async () => {
  const { calls, createServer } = createSlowServer()
  const { url, origin, finish } = await startServer({ createServer })
  const session = await initialize(url)
  const stream = await fetch(url, { headers: { ...session, accept: 'text/event-stream' } })
  const sse = await fetch(`${origin}/sse`)
  const call = post(url, WAIT, session)
  await expect.poll(() => calls.length).toBe(1)
  const stopped = finish()
  expect(await stream.text()).toBe('')
  await expect(post(url, INITIALIZE).then(({ status }) => status)).rejects.toThrow()
  calls[0]?.()
  expect(await (await call).text()).toContain('done')
  await stopped
  expect(await sse.text()).toContain('event: endpoint')
})

test('when it stops, waits for the answer to a call over SSE', async () => {
  const { calls, createServer } = createSlowServer()
  const { origin, finish } = await startServer({ createServer })
  const sse = await fetch(`${origin}/sse`)
  const reader = sse.body?.pipeThrough(new TextDecoderStream()).getReader()
  const path = /data: (\S+)/.exec((await reader?.read())?.value ?? '')?.[1]
  await post(`${origin}${path}`, INITIALIZE)
  await post(`${origin}${path}`, WAIT)
  await expect.poll(() => calls.length).toBe(1)
  const stopped = finish()
  calls[0]?.()
  let received = ''
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true }
    if (done) break
    received += value
  }
  expect(received).toContain('done')
  await stopped
})

test('when it stops, waits no longer than it may', async () => {
  const { calls, createServer } = createSlowServer()
  const { url, finish } = await startServer({ createServer, httpLimits: { stopMs: 50 } })
  const call = post(url, WAIT, await initialize(url)).then((response) => response.text())
  const cut = expect(call).rejects.toThrow()
  await expect.poll(() => calls.length).toBe(1)
  await finish()
  await cut
})
