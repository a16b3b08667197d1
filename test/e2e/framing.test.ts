import { expect, onTestFinished, test } from 'vitest'
import { codeOf, lineOf, RawPeer, stepOf, toolCall } from './raw-peer.ts'

const CLEAN = { code: 0, signal: null }
const MEGABYTE = 1024 * 1024

async function start() {
  const peer = new RawPeer()
  onTestFinished(() => {
    peer.child.kill('SIGKILL')
  })
  await peer.initialize()
  return peer
}

test('takes a line cut anywhere, inside a character of several bytes too', async () => {
  const peer = await start()
  const thought = '思考🧠é'
  const line = Buffer.from(toolCall(1, stepOf(1, { thought })))
  const cuts = Array.from({ length: line.length - 1 }, (_, i) => i + 1)
  for (const cut of cuts) {
    const withId = Buffer.from(line.toString().replace('"id":1', `"id":${cut + 1000}`))
    await peer.flush(withId.subarray(0, cut))
    await peer.flush(withId.subarray(cut))
  }
  const bytes = Buffer.from(toolCall(1, stepOf(1, { thought })))
  for (const byte of bytes) await peer.flush(Buffer.of(byte))
  await peer.answerTo(1)
  expect(peer.answers).toHaveLength(1 + cuts.length + 1)
  for (const { result } of peer.answers.slice(1)) {
    expect(result?.structuredContent?.thinkingHistory).toMatchObject([{ thought }])
  }
})

test('answers 10,000 requests of one write, each in the order of arrival on its chain', async () => {
  const peer = await start()
  const first = await peer.request('tools/call', { name: 'sequential_thinking', arguments: stepOf(1) })
  const sessionId = first.result?.structuredContent?.sessionId
  const others = Array.from({ length: 9_970 }, (_, i) => toolCall(i + 100, stepOf(1)))
  const chain = Array.from({ length: 30 }, (_, i) =>
    toolCall(i + 2, stepOf(i + 2, { sessionId, nextThoughtNeeded: i < 28 })),
  )
  const every = Math.floor(others.length / chain.length)
  const mixed = chain.flatMap((line, i) => [line, ...others.slice(i * every, (i + 1) * every)])
  const left = others.slice(chain.length * every)
  peer.write([...mixed, ...left].join(''))
  expect(await peer.end()).toEqual(CLEAN)
  expect(new Set(peer.answers.map(({ id }) => id)).size).toBe(10_002)
  const numbers = peer.answers.filter(({ result }) => result?.structuredContent?.sessionId === sessionId)
  expect(numbers.map(({ result }) => result?.structuredContent?.thoughtNumber)).toEqual(
    Array.from({ length: 31 }, (_, i) => i + 1),
  )
}, 60_000)

test('answers a line of 9 MB, and what follows it', async () => {
  const peer = await start()
  peer.write(toolCall(1, stepOf(1, { thought: '思'.repeat(3 * MEGABYTE) })))
  peer.write(toolCall(2, stepOf(1)))
  expect(codeOf(await peer.answerTo(1))).toBe('thought_too_long')
  expect((await peer.answerTo(2)).result?.structuredContent?.thoughtNumber).toBe(1)
  expect(await peer.end()).toEqual(CLEAN)
})

test.each(['', '\n'])(
  'ends at a line beyond 10 MB with one line on stderr and exit code 1 (end %j)',
  async (end) => {
    const peer = await start()
    peer.write(toolCall(1, stepOf(1)))
    peer.write(`${toolCall(2, stepOf(1, { thought: 'x'.repeat(10 * MEGABYTE) })).trimEnd()}${end}`)
    expect(await peer.exit).toEqual({ code: 1, signal: null })
    expect(peer.answers.map(({ id }) => id)).toEqual(['request 1', 1])
    expect(
      peer.stderr.match(/^[^\n]*A line is longer than 10485760 bytes\. The server ends\.[^\n]*\n$/),
    ).not.toBeNull()
  },
)

test('takes lines as long as 10 MB one after the other', async () => {
  const peer = await start()
  const frame = lineOf({ id: 10, method: 'ping', params: { padding: '' } })
  const padding = 'x'.repeat(10 * MEGABYTE - frame.length + 1)
  for (const id of [11, 12]) peer.write(lineOf({ id, method: 'ping', params: { padding } }))
  expect(await peer.end()).toEqual(CLEAN)
  expect(peer.answers.slice(1)).toEqual([11, 12].map((id) => ({ jsonrpc: '2.0', id, result: {} })))
})

test('takes Windows line ends and empty lines, and skips what is no JSON before the first request', async () => {
  const peer = new RawPeer()
  onTestFinished(() => {
    peer.child.kill('SIGKILL')
  })
  peer.write('\r\n\n \t \nnpm warn something\n\u{feff}{}\n[]\nnull\n{"jsonrpc":"2.0"}\n')
  await peer.initialize()
  peer.write(toolCall(1, stepOf(1)).replace('\n', '\r\n'))
  expect((await peer.answerTo(1)).result?.isError).toBeUndefined()
  expect(await peer.end()).toEqual(CLEAN)
  expect(peer.answers).toHaveLength(2)
})

test.each([
  ['a refused subscription', { id: 1, method: 'subscriptions/listen', params: {} }, -32601],
  ['an unknown method', { id: 1, method: 'no/such' }, -32601],
])('answers %s that is the only line and lacks its end', async (_, message, code) => {
  const peer = new RawPeer()
  peer.child.stdin.end(lineOf(message).trimEnd())
  expect(await peer.exit).toEqual(CLEAN)
  expect(peer.answers.map(codeOf)).toEqual([code])
})
