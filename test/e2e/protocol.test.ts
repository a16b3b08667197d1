import { expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { LEGACY_VERSIONS, ServerProcess } from './server-process.ts'

test.each(LEGACY_VERSIONS)('serves a client that initializes with %s', async (version) => {
  const server = new ServerProcess()
  const { result } = await server.initialize(version)
  expect(result?.protocolVersion).toBe(version)
  expect(result?.serverInfo).toMatchObject({ name: 'seqthink-mcp', version: manifest.version })
  const opened = await server.think(1)
  const { sessionId } = opened.result
  // The only open chain of the connection.
  const next = await server.think(2)
  expect(next.result).toMatchObject({ sessionId, thoughtNumber: 2 })
  expect(await server.end()).toEqual({ code: 0, signal: null })
})

test('serves requests of 2026-07-28, each with the protocol in its _meta', async () => {
  const server = new ServerProcess()
  const discovered = await server.modernRequest('server/discover')
  expect(JSON.stringify(discovered.result)).toContain('2026-07-28')
  const listed = await server.modernRequest('tools/list')
  expect(listed.result).toMatchObject({ ttlMs: expect.any(Number), cacheScope: 'private' })
  const opened = await server.modernThink(1)
  const { sessionId } = opened.result
  const refused = await server.modernThink(2)
  expect(refused.code).toBe('session_required')
  const next = await server.modernThink(2, { sessionId })
  expect(next.result.thoughtHistoryLength).toBe(2)
  expect(await server.end()).toEqual({ code: 0, signal: null })
})

test('serves a client that discovers and then initializes on one connection', async () => {
  const server = new ServerProcess()
  expect((await server.modernRequest('server/discover')).result).toBeDefined()
  expect((await server.initialize('2025-06-18')).result?.protocolVersion).toBe('2025-06-18')
  const opened = await server.think(1)
  const { sessionId } = opened.result
  expect((await server.think(2)).result.sessionId).toBe(sessionId)
})

test('serves two processes at a time', async () => {
  const [one, other] = [new ServerProcess(), new ServerProcess()]
  await Promise.all([one.initialize(), other.initialize()])
  const opened = await one.think(1)
  const refused = await other.think(2, { sessionId: opened.result.sessionId })
  expect(refused.code).toBe('session_not_found')
})

test('goes on after lines that are no requests', async () => {
  const server = new ServerProcess()
  await server.initialize()
  server.child.stdin?.write('not json\n{"jsonrpc":"2.0"}\n[]\n\n')
  expect((await server.request('no/such/method')).error?.code).toBe(-32601)
  expect((await server.think(1)).result.thoughtNumber).toBe(1)
})

test('answers calls sent at once in their order', async () => {
  const server = new ServerProcess()
  await server.initialize()
  const { sessionId } = (await server.think(1)).result
  const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => server.think(i + 2, { sessionId })))
  expect(answers.map(({ result }) => result.thoughtNumber)).toEqual(
    Array.from({ length: 20 }, (_, i) => i + 2),
  )
})
