import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, onTestFinished, test } from 'vitest'
import { CLI, lineOf, MODERN_META, RawPeer, stepOf, toolCall } from './raw-peer.ts'

const CLEAN = { code: 0, signal: null }
const CALLS = 1000
const flood = Array.from({ length: CALLS }, (_, i) => toolCall(i + 1, stepOf(1))).join('')

async function start(args: readonly string[] = []) {
  const peer = new RawPeer({ args })
  onTestFinished(() => {
    peer.child.kill('SIGKILL')
  })
  await peer.initialize()
  return peer
}

function idsOf(peer: RawPeer) {
  return peer.answers.map(({ id }) => id).filter((id) => typeof id === 'number')
}

test('the end of stdin amid 1,000 calls comes after all of them are answered', async () => {
  const peer = await start()
  peer.write(flood)
  expect(await peer.end()).toEqual(CLEAN)
  expect(idsOf(peer)).toEqual(Array.from({ length: CALLS }, (_, i) => i + 1))
  expect(peer.stderr).toBe('')
})

// Windows knows no signals: to send one there ends the process.
describe.skipIf(process.platform === 'win32')('a signal', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    '%s amid 1,000 calls has what was read answered, whole',
    async (signal) => {
      const peer = await start()
      await peer.flush(flood)
      await peer.until(() => idsOf(peer).length > 0)
      peer.child.kill(signal)
      expect(await peer.exit).toEqual(CLEAN)
      const ids = idsOf(peer)
      // The server may not have read all that its pipe holds; what it has read came in order.
      expect(ids).toEqual(Array.from({ length: ids.length }, (_, i) => i + 1))
      expect(peer.problem).toBeUndefined()
      expect(peer.stderr).toBe('')
    },
  )

  test('does not wait for ever for a client that reads nothing', async () => {
    const peer = await start()
    peer.child.stdout.pause()
    await peer.flush(flood)
    peer.child.kill('SIGTERM')
    // The pipe stays open, so `close` would not come before it is read.
    const [code] = await once(peer.child, 'exit')
    expect(code).toBe(0)
  })

  test('ends the server at once when it is the second', async () => {
    const peer = await start()
    peer.child.stdout.pause()
    await peer.flush(flood)
    const exit = once(peer.child, 'exit')
    peer.child.kill('SIGTERM')
    // The first is handled when the server reads no further, so a write stays in the pipe.
    while (peer.child.exitCode === null && peer.child.signalCode === null) {
      peer.child.kill('SIGINT')
      await new Promise((resolve) => setImmediate(resolve))
    }
    const [code, signal] = await exit
    expect([code, signal]).toEqual([null, 'SIGINT'])
  })
})

test.skipIf(process.platform === 'win32')('a closed stdout amid 1,000 calls ends it quietly', async () => {
  const peer = await start()
  peer.write(flood)
  await peer.until(() => idsOf(peer).length > 0)
  peer.child.stdout.destroy()
  peer.write(flood)
  expect(await peer.exit).toEqual(CLEAN)
  expect(peer.stderr).toBe('')
})

test('a closed stderr is no reason to end', async () => {
  const peer = await start(['--log-level', 'trace'])
  peer.child.stderr.destroy()
  peer.write(flood)
  expect(await peer.end()).toEqual(CLEAN)
  expect(idsOf(peer)).toHaveLength(CALLS)
})

test.skipIf(process.platform === 'win32')('a closed stdin at the start ends it', async () => {
  const command = `"${process.execPath}" "${CLI}" <&-`
  const child = spawn('/bin/sh', ['-c', command], { stdio: ['ignore', 'ignore', 'pipe'] })
  let stderr = ''
  child.stderr.on('data', (bytes: Buffer) => {
    stderr += bytes
  })
  expect(await once(child, 'close')).toEqual([0, null])
  expect(stderr).toBe('')
})

describe('with the end of stdin', () => {
  test('a subscription that is open ends with its result', async () => {
    const peer = new RawPeer()
    const params = { notifications: { toolsListChanged: true }, _meta: MODERN_META }
    peer.write(toolCall(1, stepOf(1), 'modern'))
    peer.write(lineOf({ id: 2, method: 'subscriptions/listen', params }))
    peer.write(toolCall(3, stepOf(1), 'modern'))
    expect(await peer.end()).toEqual(CLEAN)
    expect(idsOf(peer).sort()).toEqual([1, 2, 3])
  })

  test('requests that were cancelled are not waited for', async () => {
    const peer = await start()
    for (let id = 1; id <= 10; id++) {
      peer.write(toolCall(id, stepOf(1)))
      peer.write(lineOf({ method: 'notifications/cancelled', params: { requestId: id } }))
    }
    peer.write(toolCall(11, stepOf(1)))
    expect(await peer.end()).toEqual(CLEAN)
    expect(idsOf(peer)).toContain(11)
  })

  test('a request whose cancellation is malformed is answered', async () => {
    const peer = await start()
    const cancellation = { method: 'notifications/cancelled', params: { requestId: 1, reason: [7] } }
    peer.child.stdin.end(`${toolCall(1, stepOf(1))}${lineOf(cancellation)}`)
    expect(await peer.exit).toEqual(CLEAN)
    expect(idsOf(peer)).toEqual([1])
  })

  test('requests of one id are each answered', async () => {
    const peer = await start()
    peer.child.stdin.end(toolCall(1, stepOf(1)).repeat(50))
    expect(await peer.exit).toEqual(CLEAN)
    expect(idsOf(peer)).toEqual(Array.from({ length: 50 }, () => 1))
  })
})
