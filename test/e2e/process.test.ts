import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { CLI, callOf, ServerProcess } from './server-process.ts'

const MARKER = 'xylophone-marker'
const CLEAN = { code: 0, signal: null }

describe('the end', () => {
  test('comes with the end of stdin', async () => {
    const server = new ServerProcess()
    await server.initialize()
    expect(await server.end()).toEqual(CLEAN)
  })

  test.each(['SIGTERM', 'SIGINT'] as const)(
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

describe('the command line', () => {
  test('prints the version of package.json', async () => {
    expect(await run(['--version'])).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' })
  })

  test('prints a help', async () => {
    const { code, stdout, stderr } = await run(['--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('--max-steps')
  })

  test.each([
    [['--no-such-flag']],
    [['serve']],
    [['--max-steps', 'many']],
    [['--max-chain-length', '10']],
    [['--transport', 'pigeon']],
    [['--max-revisions']],
  ])('%j is answered by one line on stderr and exit code 2', async (args) => {
    const { code, stdout, stderr } = await run(args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^seqthink-mcp: [^\n]+\n$/)
  })

  test('a bad variable is answered by one line on stderr and exit code 2', async () => {
    const { code, stderr } = await run([], { SEQTHINK_MAX_SESSIONS: '0' })
    expect(code).toBe(2)
    expect(stderr).toMatch(/^seqthink-mcp: SEQTHINK_MAX_SESSIONS is "0"[^\n]+\n$/)
  })

  test('lets flags win over the environment', async () => {
    const env = { SEQTHINK_MAX_THOUGHT_CHARS: '5', SEQTHINK_MAX_STEPS: '1' }
    const server = new ServerProcess({ args: ['--max-thought-chars', '8'], env })
    await server.initialize()
    expect((await server.think(1, { thought: '123456789' })).code).toBe('thought_too_long')
    const taken = await server.think(1, { thought: '12345678' })
    expect(taken.result.nextThoughtNeeded).toBe(false)
  })
})

async function run(args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [CLI, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const [code] = await once(child, 'close')
  return { code, stdout, stderr }
}

function linesOf(stderr: string): unknown[] {
  return stderr
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
}
