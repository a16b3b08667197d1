import { describe, expect, test } from 'vitest'
import { ServerProcess } from './server-process.ts'

const MARKER = 'xylophone-marker'
const CLEAN = { code: 0, signal: null }

describe.each(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])(
  'at the log level %s',
  (level) => {
    test('stdout carries JSON-RPC only and no log has text of a thought', async () => {
      const server = new ServerProcess({ env: { LOG_LEVEL: level } })
      await server.initialize()
      const { sessionId } = (await server.think(1, { thought: MARKER })).result
      await server.think(1, { sessionId, thought: `${MARKER} again` })
      await server.think(5, { sessionId, thought: MARKER, branchId: 7, totalThoughts: MARKER })
      await server.request('tools/call', { name: 'sequential_thinking', arguments: MARKER })
      server.child.stdin?.write(`{"jsonrpc":"2.0","id":"${MARKER}","method":\n["${MARKER}"]\n`)
      await server.request(MARKER)
      expect(await server.end()).toEqual(CLEAN)
      expect(server.messages.every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true)
      expect(server.stderr).not.toContain(MARKER)
      const isQuiet = !['trace', 'debug', 'info'].includes(level)
      if (isQuiet) expect(server.stderr).toBe('')
      else expect(linesOf(server.stderr).length).toBeGreaterThanOrEqual(3)
    })
  },
)

test('stderr is silent at the default level', async () => {
  const server = new ServerProcess()
  await server.initialize()
  await server.think(1)
  await server.think(9)
  await server.end()
  expect(server.stderr).toBe('')
})

test('a log line says session, line, number, revision and duration of a call', async () => {
  const server = new ServerProcess({ args: ['--log-level', 'info'] })
  await server.initialize()
  const { sessionId } = (await server.think(1)).result
  await server.think(2, { branchFromThought: 1, branchId: 'x' })
  await server.think(1, { branchId: 'main', revisionNumber: 1 })
  await server.think(7, { branchId: 'main' })
  await server.end()
  const session = String(sessionId).slice(0, 8)
  const durationMs = expect.any(Number)
  expect(linesOf(server.stderr)).toMatchObject([
    { tool: 'sequential_thinking', session, line: 'main', number: 1, revision: 0, durationMs },
    { session, line: 'x', number: 2, revision: 0, durationMs },
    { session, line: 'main', number: 1, revision: 1, durationMs },
    { code: 'thought_out_of_order', durationMs },
  ])
  expect(server.stderr).not.toContain(sessionId)
})

function linesOf(stderr: string): unknown[] {
  return stderr
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
}
