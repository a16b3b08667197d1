import { PassThrough, Writable } from 'node:stream'
import type { JSONRPCMessage } from '@modelcontextprotocol/server'
import { expect, test } from 'vitest'
import { StdioTransport } from '../../src/transports/stdio-transport.ts'

async function start(stdout: Writable = new PassThrough()) {
  const stdin = new PassThrough()
  const transport = new StdioTransport(stdin, stdout)
  const messages: JSONRPCMessage[] = []
  const errors: string[] = []
  transport.onmessage = (message) => messages.push(message)
  transport.onerror = (error) => errors.push(error.message)
  await transport.start()
  const answer = (id: number) => transport.send({ jsonrpc: '2.0', id, result: {} })
  return { stdin, stdout, transport, messages, errors, answer }
}

function requestOf(id: number): string {
  return `${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })}\n`
}

/** Whether a promise is still pending after several turns of the event loop. */
async function isPending(promise: Promise<unknown>): Promise<boolean> {
  let isSettled = false
  void promise.finally(() => {
    isSettled = true
  })
  for (let turns = 0; turns < 10; turns++) await new Promise<void>((resolve) => setImmediate(resolve))
  return !isSettled
}

test('is idle when all requests are answered, one answer for each of the same id', async () => {
  const { stdin, transport, answer } = await start()
  stdin.write(requestOf(1).repeat(2))
  const idle = transport.idle()
  await answer(1)
  expect(await isPending(idle)).toBe(true)
  await answer(1)
  await idle
})

test('tells everyone who waits that it is idle', async () => {
  const { stdin, transport, answer } = await start()
  stdin.write(requestOf(1))
  const both = Promise.all([transport.idle(), transport.idle()])
  expect(await isPending(both)).toBe(true)
  await answer(1)
  await both
})

test('is not idle before stdout has taken the answers', async () => {
  const taken: (() => void)[] = []
  const stdout = new Writable({ write: (_, __, done) => taken.push(done) })
  const { stdin, transport, answer } = await start(stdout)
  stdin.write(requestOf(1))
  const idle = transport.idle()
  await answer(1)
  expect(await isPending(idle)).toBe(true)
  for (const done of taken) done()
  await idle
})

test('writes the answers of one turn at once and adds no listener for them', async () => {
  const writes: string[] = []
  const stdout = new Writable({
    decodeStrings: false,
    write(text, _, done) {
      writes.push(String(text))
      done()
    },
  })
  const { transport, answer } = await start(stdout)
  const listeners = stdout.eventNames().map((name) => stdout.listenerCount(name))
  await Promise.all([answer(1), answer(2), answer(3)])
  await transport.idle()
  expect(writes).toHaveLength(1)
  expect(stdout.eventNames().map((name) => stdout.listenerCount(name))).toEqual(listeners)
})

test('delivers what came before a line that is too long, then ends with the problem, once', async () => {
  const { stdin, transport, messages } = await start()
  const problems: unknown[] = []
  transport.onend = (problem) => problems.push(problem?.message)
  stdin.write(requestOf(1))
  stdin.write('x'.repeat(10 * 1024 * 1024))
  stdin.write('x')
  stdin.end(requestOf(2))
  await transport.close()
  expect(messages).toMatchObject([{ id: 1 }])
  expect(problems).toEqual(['A line is longer than 10485760 bytes.'])
})

test('reports what is no message and reads on', async () => {
  const { stdin, messages, errors } = await start()
  stdin.write(`{"jsonrpc":"1.0"}\nno JSON\n${requestOf(1)}`)
  expect(messages).toMatchObject([{ id: 1 }])
  expect(errors).toHaveLength(1)
})

test('ends once when stdin fails after it was read no further', async () => {
  const { stdin, transport, messages } = await start()
  const ends: unknown[] = []
  transport.onend = (problem) => ends.push(problem)
  stdin.write(requestOf(1).trimEnd())
  transport.stopReading()
  stdin.destroy(new Error('gone'))
  await new Promise<void>((resolve) => stdin.on('close', resolve))
  expect([messages, ends]).toEqual([[], []])
})
