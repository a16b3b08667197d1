import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OldStdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { expect, onTestFinished, test } from 'vitest'
import { CLI, callOf } from './server-process.ts'

const INFO = { name: 'test', version: '1.0.0' }
const COMMAND = { command: process.execPath, args: [CLI] }

async function connect(mode: 'legacy' | 'auto' | { pin: string }) {
  const client = new Client(INFO, { versionNegotiation: { mode } })
  await client.connect(new StdioClientTransport(COMMAND))
  onTestFinished(() => client.close())
  return client
}

async function connectOld() {
  const client = new OldClient(INFO)
  await client.connect(new OldStdioClientTransport(COMMAND))
  onTestFinished(() => client.close())
  return client
}

test.each([
  ['client 2 on 2026-07-28', () => connect({ pin: '2026-07-28' })],
  ['client 2 that negotiates', () => connect('auto')],
  ['client 2 that initializes', () => connect('legacy')],
  ['client 1', connectOld],
])('%s works a chain through', async (_, open) => {
  const client = await open()
  expect((await client.listTools()).tools).toHaveLength(2)
  const opened = await client.callTool(callOf(1))
  const { sessionId } = Object(opened.structuredContent)
  await client.callTool(callOf(2, { sessionId, branchFromThought: 1, branchId: 'x' }))
  const closed = await client.callTool(callOf(2, { sessionId, nextThoughtNeeded: false }))
  expect(closed.structuredContent).toMatchObject({
    nextThoughtNeeded: false,
    thoughtHistoryLength: 3,
    thinkingHistory: [{ thoughtNumber: 1 }, { thoughtNumber: 2 }, { branchId: 'x' }],
  })
})
