import { describe, expect, test } from 'vitest'
import { callOf, ServerProcess } from './server-process.ts'

const CLEAN = { code: 0, signal: null }

describe('the end', () => {
  test('comes with the end of stdin', async () => {
    const server = new ServerProcess()
    await server.initialize()
    expect(await server.end()).toEqual(CLEAN)
  })

  // Windows knows no signals: to send one there ends the process.
  test.skipIf(process.platform === 'win32').each(['SIGTERM', 'SIGINT'] as const)(
    'comes with %s, after what was read is answered',
    async (signal) => {
      const server = new ServerProcess()
      await server.initialize()
      await server.think(1)
      server.child.kill(signal)
      expect(await server.exit).toEqual(CLEAN)
      expect(server.messages).toHaveLength(2)
      expect(server.stderr).toBe('')
    },
  )

  test('comes quietly when stdout is closed', async () => {
    const server = new ServerProcess()
    await server.initialize()
    server.child.stdout?.destroy()
    for (let id = 100; id < 110; id++) server.send({ id, method: 'tools/list' })
    expect((await server.exit).code).toBe(0)
    expect(server.stderr).toBe('')
  })

  test('comes at once when stdin is closed from the start', async () => {
    const server = new ServerProcess({ stdin: 'ignore' })
    expect(await server.exit).toEqual(CLEAN)
    expect([server.stdout, server.stderr]).toEqual(['', ''])
  })

  test('does not come when stderr is closed', async () => {
    const server = new ServerProcess({ args: ['--log-level', 'trace'] })
    server.child.stderr?.destroy()
    await server.initialize()
    expect((await server.think(1)).result.thoughtNumber).toBe(1)
    expect(await server.end()).toEqual(CLEAN)
  })
})

describe('stdin that ends with the last request', () => {
  const initialize = {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  }
  const requests = [
    initialize,
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list' },
    { id: 3, method: 'tools/call', params: callOf(1) },
    { id: 4, method: 'tools/call', params: callOf(2) },
    { id: 5, method: 'tools/call', params: callOf(3, { nextThoughtNeeded: false }) },
  ].map((message) => JSON.stringify({ jsonrpc: '2.0', ...message }))

  test.each([
    ['with', `${requests.join('\n')}\n`],
    ['without', requests.join('\n')],
    ['with Windows line ends and without', requests.join('\r\n')],
  ])('%s a line end has every request answered', async (_, input) => {
    const server = new ServerProcess()
    server.child.stdin?.end(input)
    expect(await server.exit).toEqual(CLEAN)
    expect(server.messages.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5])
    expect(server.messages.at(-1)?.result?.structuredContent).toMatchObject({ thoughtHistoryLength: 3 })
  })
})
