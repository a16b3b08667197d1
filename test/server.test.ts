import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { describe, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import manifest from '../package.json' with { type: 'json' }
import { DEFAULT_BUDGETS } from '../src/engine/history.ts'
import { DEFAULT_LIMITS } from '../src/engine/limits.ts'
import { createLogger } from '../src/logger.ts'
import { createServerFactory } from '../src/server.ts'
import { createMemoryStore } from '../src/sessions/memory-store.ts'
import { createOpenChains } from '../src/sessions/open-chains.ts'
import type { SessionStore } from '../src/sessions/session-store.ts'
import { stepArguments } from './tools/desk.ts'

const INFO = { name: 'test', version: '1.0.0' }
const MODERN = '2026-07-28'
const MAX_SESSIONS = 10

const record = z.record(z.string(), z.unknown())
const answerSchema = z.object({
  content: z.array(z.object({ type: z.literal('text'), text: z.string() })),
  structuredContent: record.optional(),
  isError: z.boolean().optional(),
  _meta: record.optional(),
})
type Answer = z.infer<typeof answerSchema>

function serve(sessions: SessionStore = createMemoryStore({ maxSessions: MAX_SESSIONS })) {
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair()
  const createServer = createServerFactory({
    sessions,
    limits: DEFAULT_LIMITS,
    budgets: DEFAULT_BUDGETS,
    maxSessions: MAX_SESSIONS,
    logger: createLogger('silent'),
  })
  const openChains = createOpenChains({ maxSessions: MAX_SESSIONS })
  serveStdio(
    ({ era }) =>
      createServer({
        owner: 'test',
        maySeeList: true,
        openChains: era === 'legacy' ? openChains : undefined,
      }),
    { transport: serverSide },
  )
  return clientSide
}

async function connect(mode: 'legacy' | 'auto' | { pin: string }, sessions?: SessionStore) {
  const client = new Client(INFO, { versionNegotiation: { mode } })
  await client.connect(serve(sessions))
  onTestFinished(() => client.close())
  return client
}

async function connectOld(sessions?: SessionStore) {
  const client = new OldClient(INFO)
  await client.connect(serve(sessions))
  onTestFinished(() => client.close())
  return client
}

const CLIENTS = [
  {
    client: 'client 2 on 2026-07-28',
    isLegacy: false,
    open: (sessions?: SessionStore) => connect({ pin: MODERN }, sessions),
  },
  {
    client: 'client 2 that negotiates',
    isLegacy: false,
    open: (sessions?: SessionStore) => connect('auto', sessions),
  },
  {
    client: 'client 2 that initializes',
    isLegacy: true,
    open: (sessions?: SessionStore) => connect('legacy', sessions),
  },
  { client: 'client 1', isLegacy: true, open: connectOld },
]

describe.each(CLIENTS)('$client', ({ open, isLegacy }) => {
  async function setup(sessions?: SessionStore) {
    const client = await open(sessions)
    return {
      client,
      think: async (args: Record<string, unknown>) =>
        answerSchema.parse(await client.callTool({ name: 'sequential_thinking', arguments: args })),
      read: async (args: Record<string, unknown>) =>
        answerSchema.parse(await client.callTool({ name: 'get_thinking', arguments: args })),
    }
  }

  test('learns who the server is and when to use it', async () => {
    const { client } = await setup()
    expect(client.getServerVersion()).toMatchObject({
      name: 'seqthink-mcp',
      title: 'Sequential Thinking',
      version: manifest.version,
    })
    const instructions = client.getInstructions() ?? ''
    expect(instructions).toMatch(/Use sequential_thinking.*Do not use it/s)
    expect(instructions.length).toBeLessThanOrEqual(600)
  })

  test('lists two small and plain tools in a fixed order', async () => {
    const { client } = await setup()
    const listed = await client.listTools()
    expect(listed.tools.map(({ name, title }) => [name, title])).toEqual([
      ['sequential_thinking', 'Sequential thinking'],
      ['get_thinking', 'Get thinking'],
    ])
    const [first, second] = listed.tools
    expect(first?.inputSchema.required).toEqual([
      'thought',
      'thoughtNumber',
      'totalThoughts',
      'nextThoughtNeeded',
    ])
    expect(first?.inputSchema).not.toHaveProperty('$schema')
    expect(first?.outputSchema).toBeDefined()
    expect(second?.outputSchema).toBeUndefined()
    expect(Buffer.byteLength(JSON.stringify(listed))).toBeLessThanOrEqual(4600)
  })

  test('gets the same object as text and as structured content', async () => {
    const { think, read } = await setup()
    const opened = await think(stepArguments(1))
    const { sessionId } = resultOf(opened)
    for (const answer of [
      opened,
      await think(stepArguments(2, { sessionId })),
      await think(stepArguments(3, { sessionId, nextThoughtNeeded: false })),
      await read({ sessionId }),
      await read({}),
    ]) {
      expect(answer.isError ?? false).toBe(false)
      expect(textOf(answer)).toBe(JSON.stringify(answer.structuredContent))
    }
  })

  test('gets an error as one text with a code and without structured content', async () => {
    const { think } = await setup()
    const answer = await think(stepArguments(2, { sessionId: 'nope' }))
    expect(answer.isError).toBe(true)
    expect(answer).not.toHaveProperty('structuredContent')
    expect(answer.content).toHaveLength(1)
    expect(textOf(answer)).toMatch(/No chain has the sessionId "nope"/)
    expect(answer._meta?.['seqthink/code']).toBe('session_not_found')
  })

  test.each([
    ['invalid_input', { thoughtNumber: 'abc' }],
    ['invalid_input', { nextThoughtNeeded: 'maybe' }],
    ['thought_too_long', { thought: 'x'.repeat(2001) }],
    ['session_required', { thoughtNumber: 2, branchFromThought: 1 }],
  ])('gets %s from the tool itself for %o', async (code, others) => {
    const { think } = await setup()
    const answer = await think({ ...stepArguments(1), ...others })
    expect(answer.isError).toBe(true)
    expect(answer._meta?.['seqthink/code']).toBe(code)
  })

  test('has values taken that say what they mean', async () => {
    const { think } = await setup()
    const answer = await think({
      thought: 'a',
      thought_number: '1',
      totalThoughts: ' 3 ',
      nextThoughtNeeded: 'True',
      branchId: null,
    })
    expect(resultOf(answer)).toMatchObject({ thoughtNumber: 1, totalThoughts: 3, nextThoughtNeeded: true })
  })

  test(
    isLegacy ? 'may leave out the id of its only open chain' : 'names its chain on every call',
    async () => {
      const { think } = await setup()
      const { sessionId } = resultOf(await think(stepArguments(1)))
      const answer = await think(stepArguments(2))
      if (isLegacy) expect(resultOf(answer)).toMatchObject({ sessionId, thoughtHistoryLength: 2 })
      else expect(answer._meta?.['seqthink/code']).toBe('session_required')
    },
  )

  test('never has its id guessed when several chains are open or none is', async () => {
    const { think } = await setup()
    const { sessionId } = resultOf(await think(stepArguments(1)))
    await think(stepArguments(1))
    expect((await think(stepArguments(2)))._meta?.['seqthink/code']).toBe('session_required')
    const closed = await setup()
    await closed.think(stepArguments(1, { nextThoughtNeeded: false }))
    expect((await closed.think(stepArguments(2)))._meta?.['seqthink/code']).toBe('session_required')
    expect(resultOf(await think(stepArguments(2, { sessionId })))).toMatchObject({ thoughtNumber: 2 })
  })

  test('gets the prompt for a problem', async () => {
    const { client } = await setup()
    const { prompts } = await client.listPrompts()
    expect(prompts).toMatchObject([
      { name: 'think_step_by_step', arguments: [{ name: 'problem', required: true }] },
    ])
    const { messages } = await client.getPrompt({
      name: 'think_step_by_step',
      arguments: { problem: 'Why is the page slow?' },
    })
    expect(messages).toHaveLength(1)
    expect(messages[0]).toMatchObject({ role: 'user', content: { type: 'text' } })
    expect(JSON.stringify(messages)).toMatch(/sequential_thinking.*Why is the page slow\?/s)
  })

  test('gets general words about an unexpected failure, and no thought', async () => {
    const sessions = createMemoryStore({ maxSessions: MAX_SESSIONS })
    const { think } = await setup({
      ...sessions,
      add: () => Promise.reject(new Error('disk full near "secret thought"')),
    })
    const answer = await think(stepArguments(1, { thought: 'secret thought' }))
    expect(answer.isError).toBe(true)
    expect(answer).not.toHaveProperty('structuredContent')
    expect(textOf(answer)).toMatch(/failed unexpectedly/)
    expect(textOf(answer)).not.toMatch(/secret|disk/)
  })
})

test('negotiates the protocol that the client prefers', async () => {
  expect((await connect('auto')).getNegotiatedProtocolVersion()).toBe(MODERN)
  expect((await connect('legacy')).getNegotiatedProtocolVersion()).toBe('2025-11-25')
})

test('keeps the default chains of two connections to one store apart', async () => {
  const sessions = createMemoryStore({ maxSessions: MAX_SESSIONS })
  const [one, other] = [await connect('legacy', sessions), await connect('legacy', sessions)]
  await one.callTool({ name: 'sequential_thinking', arguments: stepArguments(1) })
  const answer = await other.callTool({ name: 'sequential_thinking', arguments: stepArguments(2) })
  expect(answer._meta?.['seqthink/code']).toBe('session_required')
})

function textOf({ content }: Answer): string | undefined {
  return content[0]?.text
}

function resultOf({ structuredContent = {} }: Answer): Record<string, unknown> {
  return structuredContent
}
