import { expect, onTestFinished, test } from 'vitest'
import { INITIALIZE, initialize, post, startServer, thinkOf } from './http-server.ts'

/** Opens a stream and reads it event by event. */
async function open(origin: string) {
  const stream = await fetch(`${origin}/sse`)
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
  onTestFinished(() => reader?.cancel())
  let unread = ''
  const next = async (): Promise<string> => {
    const end = unread.indexOf('\n\n')
    if (end >= 0) {
      const event = unread.slice(0, end)
      unread = unread.slice(end + 2)
      return event
    }
    const { done, value } = (await reader?.read()) ?? { done: true }
    if (done) throw new Error('the stream has ended')
    unread += value
    return next()
  }
  const path = /^event: endpoint\ndata: (\S+)$/.exec(await next())?.[1]
  return { stream, messages: `${origin}${path}`, next, cancel: () => reader?.cancel() }
}

test('names the address for messages first, and answers on the stream', async () => {
  const { origin } = await startServer()
  const { stream, messages, next } = await open(origin)
  expect(stream.headers.get('content-type')).toBe('text/event-stream')
  expect(messages).toMatch(/\/messages\?sessionId=[\da-f-]{36}$/)
  const accepted = await post(messages, INITIALIZE)
  expect(accepted.status).toBe(202)
  expect(await next()).toMatch(/^event: message\ndata: .*"serverInfo"/)
  await post(messages, thinkOf(1))
  expect(await next()).toContain('"nextThoughtNumber":2')
})

test('keeps two streams apart', async () => {
  const { origin } = await startServer()
  const [one, other] = [await open(origin), await open(origin)]
  await post(one.messages, thinkOf(1, {}, 11))
  await post(other.messages, thinkOf(1, {}, 22))
  expect(await one.next()).toContain('"id":11')
  expect(await other.next()).toContain('"id":22')
})

test('answers 400 without a session, 404 to one that is unknown or over', async () => {
  const { origin } = await startServer()
  expect((await post(`${origin}/messages`, INITIALIZE)).status).toBe(400)
  const { messages, cancel } = await open(origin)
  expect((await post(messages.replace(/.$/, 'x'), INITIALIZE)).status).toBe(404)
  await cancel()
  await expect.poll(async () => (await post(messages, INITIALIZE)).status).toBe(404)
})

test('takes no session of the other endpoint', async () => {
  const { origin, url } = await startServer()
  const { 'mcp-session-id': id } = await initialize(url)
  expect((await post(`${origin}/messages?sessionId=${id}`, INITIALIZE)).status).toBe(404)
  const { messages } = await open(origin)
  const sessionId = new URL(messages).searchParams.get('sessionId') ?? ''
  expect((await post(url, thinkOf(1), { 'mcp-session-id': sessionId })).status).toBe(404)
})

test.each(['7', '[]', '{}', '{"jsonrpc":"2.0"}'])('answers 400 to the message %j', async (message) => {
  const { origin } = await startServer()
  const { messages } = await open(origin)
  expect((await post(messages, message)).status).toBe(400)
})

test('is not there without the transport that has it', async () => {
  const { origin } = await startServer({ withSse: false })
  expect((await fetch(`${origin}/sse`)).status).toBe(404)
  expect((await post(`${origin}/messages`, INITIALIZE)).status).toBe(404)
})
