import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { describe, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import { chainSnapshotSchema } from '../../src/documents/chain-snapshot.ts'
import { DEFAULT_BUDGETS } from '../../src/engine/history.ts'
import { DEFAULT_LIMITS } from '../../src/engine/limits.ts'
import { createLogger } from '../../src/logger.ts'
import { createServerFactory } from '../../src/server.ts'
import { createMemoryStore } from '../../src/sessions/memory-store.ts'
import { tickingClock } from '../clock.ts'
import { stepArguments } from '../tools/desk.ts'

const MAX_SESSIONS = 60
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'

const ERAS = [
  { era: '2026-07-28', mode: { pin: '2026-07-28' } },
  { era: 'the older era', mode: 'legacy' },
] as const

const listSchema = z.object({
  sessions: z.array(
    z.strictObject({
      sessionId: z.string(),
      opening: z.string(),
      steps: z.number(),
      isOpen: z.boolean(),
      opened: z.string(),
      lastCall: z.string(),
    }),
  ),
})

/** A server with one store, which any number of callers can connect to. */
function createHouse() {
  const sessions = createMemoryStore({ maxSessions: MAX_SESSIONS })
  const createServer = createServerFactory({
    sessions,
    limits: DEFAULT_LIMITS,
    budgets: DEFAULT_BUDGETS,
    maxSessions: MAX_SESSIONS,
    now: tickingClock(),
    logger: createLogger('silent'),
  })
  return async (mode: (typeof ERAS)[number]['mode'], { owner = 'me', maySeeList = true } = {}) => {
    const [clientSide, serverSide] = InMemoryTransport.createLinkedPair()
    serveStdio(() => createServer({ owner, maySeeList, openChains: undefined }), { transport: serverSide })
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
    await client.connect(clientSide)
    onTestFinished(() => client.close())
    async function read(path = '') {
      const { contents } = await client.readResource({ uri: `thinking://sessions${path}` })
      const [content, ...others] = z
        .array(z.object({ uri: z.string(), mimeType: z.string(), text: z.string() }))
        .parse(contents)
      expect(others).toEqual([])
      return content ?? { uri: '', mimeType: '', text: '' }
    }
    return {
      client,
      async think(thoughtNumber: number, others: Record<string, unknown> = {}) {
        const args = stepArguments(thoughtNumber, others)
        const { structuredContent } = await client.callTool({ name: 'sequential_thinking', arguments: args })
        return z.object({ sessionId: z.string() }).parse(structuredContent).sessionId
      },
      read,
      async list() {
        return listSchema.parse(JSON.parse((await read()).text)).sessions
      },
      async complete(uri: string, value: string) {
        const ref = { type: 'ref/resource' as const, uri }
        return (await client.complete({ ref, argument: { name: 'sessionId', value } })).completion.values
      },
    }
  }
}

describe.each(ERAS)('resources on $era', ({ mode }) => {
  test('are announced without a promise to tell of changes', async () => {
    const { client } = await createHouse()(mode)
    expect(client.getServerCapabilities()).toMatchObject({
      resources: { listChanged: false },
      completions: {},
    })
  })

  test('are three documents for each chain, and the list of chains', async () => {
    const { client } = await createHouse()(mode)
    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resourceTemplates.map(({ uriTemplate, mimeType }) => [uriTemplate, mimeType])).toEqual([
      ['thinking://sessions/{sessionId}', 'application/json'],
      ['thinking://sessions/{sessionId}/markdown', 'text/markdown'],
      ['thinking://sessions/{sessionId}/mermaid', 'text/vnd.mermaid'],
    ])
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(['thinking://sessions'])
  })

  test('list the chains by their first words, the last used first', async () => {
    const { think, list, client } = await createHouse()(mode)
    const a = await think(1, { thought: 'First\nquestion' })
    const b = await think(1, { thought: 'Second question' })
    await think(2, { sessionId: a, nextThoughtNeeded: false })
    expect(await list()).toEqual([
      {
        sessionId: a,
        opening: 'First\nquestion',
        steps: 2,
        isOpen: false,
        opened: '2026-12-01T09:00:00.000Z',
        lastCall: '2026-12-01T09:00:02.000Z',
      },
      {
        sessionId: b,
        opening: 'Second question',
        steps: 1,
        isOpen: true,
        opened: '2026-12-01T09:00:01.000Z',
        lastCall: '2026-12-01T09:00:01.000Z',
      },
    ])
    const [, first, second] = (await client.listResources()).resources
    expect(first).toMatchObject({
      uri: `thinking://sessions/${a}/markdown`,
      title: 'First question',
      description: '2 steps, closed, last call 2026-12-01T09:00:02.000Z',
      mimeType: 'text/markdown',
    })
    expect(second?.uri).toBe(`thinking://sessions/${b}/markdown`)
  })

  test('offer at most 50 chains in the list of resources, and complete the ids of all', async () => {
    const { think, client, list, complete } = await createHouse()(mode)
    for (let i = 0; i < MAX_SESSIONS; i++) await think(1)
    expect((await client.listResources()).resources).toHaveLength(51)
    const ids = (await list()).map(({ sessionId }) => sessionId)
    expect(ids).toHaveLength(MAX_SESSIONS)
    const oldest = ids.at(-1) ?? ''
    const start = oldest.slice(0, 12).toUpperCase()
    expect(await complete('thinking://sessions/{sessionId}', '')).toEqual(ids)
    for (const suffix of ['', '/markdown', '/mermaid']) {
      expect(await complete(`thinking://sessions/{sessionId}${suffix}`, start)).toEqual([oldest])
    }
    expect(await complete('thinking://sessions/{sessionId}', 'x')).toEqual([])
  })

  test('give a chain as JSON by the published schema, as Markdown and as a flowchart', async () => {
    const { think, read } = await createHouse()(mode)
    const sessionId = await think(1, { thought: 'Why?' })
    await think(2, { sessionId, thought: 'Old' })
    await think(2, { sessionId, thought: 'New', revisionNumber: 1 })
    const json = await read(`/${sessionId}`)
    expect(json).toMatchObject({ uri: `thinking://sessions/${sessionId}`, mimeType: 'application/json' })
    const chain = chainSnapshotSchema.parse(JSON.parse(json.text))
    expect(chain).toMatchObject({ sessionId, steps: 2, revisions: 1, isOpen: true })
    expect(chain.main.thoughts[1]).toMatchObject({ thought: 'New', versions: [{ thought: 'Old' }] })
    const markdown = await read(`/${sessionId}/markdown`)
    expect(markdown.mimeType).toBe('text/markdown')
    expect(markdown.text).toMatch(
      /^# Why\?\n[\s\S]*2\. > New\n\n {3}Revision 1 [^\n]* replaced[^\n]*\n\n {3}> Old\n/,
    )
    const mermaid = await read(`/${sessionId}/mermaid`)
    expect(mermaid.mimeType).toBe('text/vnd.mermaid')
    expect(mermaid.text).toMatch(/^flowchart TD\n/)
  })

  test('take an id without regard to case', async () => {
    const { think, read } = await createHouse()(mode)
    const sessionId = await think(1)
    expect(JSON.parse((await read(`/${sessionId.toUpperCase()}`)).text)).toMatchObject({ sessionId })
  })

  test('that are read make their chain the last used', async () => {
    const { think, read, list } = await createHouse()(mode)
    const [a, b] = [await think(1), await think(1)]
    await read(`/${a}`)
    expect((await list()).map(({ sessionId }) => sessionId)).toEqual([a, b])
  })

  test.each([`/${UNKNOWN_ID}`, `/${UNKNOWN_ID}/markdown`, '/x/mermaid', '/__proto__', '/', '/a/b/c', 'x'])(
    'that do not exist are not found: thinking://sessions%s',
    async (path) => {
      const { read } = await createHouse()(mode)
      const uri = `thinking://sessions${path}`
      await expect(read(path)).rejects.toMatchObject({ code: -32602, data: { uri } })
    },
  )

  test("show a caller its own chains only, and another's chain is one that does not exist", async () => {
    const connect = createHouse()
    const [me, other] = [await connect(mode), await connect(mode, { owner: 'other' })]
    const [mine, theirs] = [await me.think(1), await other.think(1)]
    expect((await me.list()).map(({ sessionId }) => sessionId)).toEqual([mine])
    expect((await other.client.listResources()).resources).toHaveLength(2)
    expect(await me.complete('thinking://sessions/{sessionId}', '')).toEqual([mine])
    for (const suffix of ['', '/markdown', '/mermaid']) {
      const [foreign, unknown] = await Promise.all(
        [theirs, UNKNOWN_ID].map((id) => me.read(`/${id}${suffix}`).catch((error: unknown) => String(error))),
      )
      expect(foreign).toBe(unknown)
    }
  })

  test('list nothing where callers cannot be told apart, though an id is a key', async () => {
    const { think, list, client, complete, read } = await createHouse()(mode, { maySeeList: false })
    const sessionId = await think(1)
    expect(await list()).toEqual([])
    expect((await client.listResources()).resources).toHaveLength(1)
    expect(await complete('thinking://sessions/{sessionId}', '')).toEqual([])
    expect(JSON.parse((await read(`/${sessionId}`)).text)).toMatchObject({ sessionId })
  })
})
