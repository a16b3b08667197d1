import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, onTestFinished, test } from 'vitest'
import { CONNECTIONS, think } from './http-clients.ts'
import { startHttpProcess, TOKENS } from './http-process.ts'

const MCP_REMOTE = fileURLToPath(new URL('../../node_modules/mcp-remote/dist/proxy.js', import.meta.url))

const names = Object.keys(CONNECTIONS).filter((name): name is keyof typeof CONNECTIONS => name in CONNECTIONS)

test.each(names)('%s works a chain through, with its token', async (name) => {
  const { origin } = await startHttpProcess([], TOKENS)
  const client = await CONNECTIONS[name](origin, 'token-of-ann')
  expect((await client.listTools()).tools).toHaveLength(2)
  const { sessionId } = (await think(client, 1)).result
  await think(client, 2, { sessionId, branchFromThought: 1, branchId: 'x' })
  const { result } = await think(client, 2, { sessionId, branchId: 'main', nextThoughtNeeded: false })
  expect(result).toMatchObject({
    nextThoughtNeeded: false,
    thoughtHistoryLength: 3,
    thinkingHistory: [{ thoughtNumber: 1 }, { thoughtNumber: 2 }, { branchId: 'x' }],
  })
})

test.each(names)('%s cannot connect without a token or with a wrong one', async (name) => {
  const { origin } = await startHttpProcess([], TOKENS)
  await expect(CONNECTIONS[name](origin)).rejects.toThrow()
  await expect(CONNECTIONS[name](origin, 'token-of-cy')).rejects.toThrow()
})

test.each(names)("%s cannot reach another principal's chain", async (name) => {
  const { origin } = await startHttpProcess([], TOKENS)
  const ann = await CONNECTIONS[name](origin, 'token-of-ann')
  const ben = await CONNECTIONS[name](origin, 'token-of-ben')
  const { sessionId } = (await think(ann, 1)).result
  expect((await think(ben, 2, { sessionId })).code).toBe('session_not_found')
  expect((await think(ann, 2, { sessionId })).result).toMatchObject({ thoughtHistoryLength: 2 })
})

test('mcp-remote carries a client on stdio', async () => {
  const { url } = await startHttpProcess([], TOKENS)
  const args = [
    MCP_REMOTE,
    url,
    '--allow-http',
    '--transport',
    'http-only',
    '--header',
    'Authorization:Bearer token-of-ann',
  ]
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'legacy' } })
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }))
  onTestFinished(() => client.close())
  const { sessionId } = (await think(client, 1)).result
  expect((await think(client, 2, { sessionId })).result).toMatchObject({ sessionId, thoughtHistoryLength: 2 })
})
