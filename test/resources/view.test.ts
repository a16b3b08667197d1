import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { describe, expect, onTestFinished, test } from 'vitest'
import { DEFAULT_BUDGETS } from '../../src/engine/history.ts'
import { DEFAULT_LIMITS } from '../../src/engine/limits.ts'
import { createLogger } from '../../src/logger.ts'
import { createServerFactory } from '../../src/server.ts'
import { createMemoryStore } from '../../src/sessions/memory-store.ts'

const MAX_SESSIONS = 10
const MAX_GROWTH_BYTES = 150
const APPS = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } }

const ERAS = [
  { era: '2026-07-28', mode: { pin: '2026-07-28' } },
  { era: 'the older era', mode: 'legacy' },
] as const

describe.each(ERAS)('on $era', ({ mode }) => {
  async function connect({ showsViews = false, hasView = true }) {
    const createServer = createServerFactory({
      sessions: createMemoryStore({ maxSessions: MAX_SESSIONS }),
      limits: DEFAULT_LIMITS,
      budgets: DEFAULT_BUDGETS,
      maxSessions: MAX_SESSIONS,
      hasView,
      logger: createLogger('silent'),
    })
    const [clientSide, serverSide] = InMemoryTransport.createLinkedPair()
    serveStdio(() => createServer({ owner: 'me', maySeeList: true, openChains: undefined }), {
      transport: serverSide,
    })
    const capabilities = showsViews ? { extensions: APPS } : {}
    const client = new Client({ name: 'test', version: '1' }, { capabilities, versionNegotiation: { mode } })
    await client.connect(clientSide)
    onTestFinished(() => client.close())
    return client
  }

  test('names the view to a client that shows views', async () => {
    const { tools } = await (await connect({ showsViews: true })).listTools()
    const uri = 'ui://seqthink/chain'
    expect(tools.map(({ _meta }) => _meta)).toEqual([
      { ui: { resourceUri: uri }, 'ui/resourceUri': uri },
      undefined,
    ])
  })

  test('lists the same to other clients as a server without a view does', async () => {
    const [listed, without] = await Promise.all(
      [true, false].map(async (hasView) => {
        const client = await connect({ hasView })
        return [await client.listTools(), await client.listResources(), await client.listResourceTemplates()]
      }),
    )
    expect(JSON.stringify(listed)).toBe(JSON.stringify(without))
  })

  test(`adds at most ${MAX_GROWTH_BYTES} bytes to the definition of the tool`, async () => {
    const [plain, grown] = await Promise.all(
      [false, true].map(async (showsViews) => {
        const { tools } = await (await connect({ showsViews })).listTools()
        return Buffer.byteLength(JSON.stringify(tools))
      }),
    )
    expect(Number(grown) - Number(plain)).toBeGreaterThan(0)
    expect(Number(grown) - Number(plain)).toBeLessThanOrEqual(MAX_GROWTH_BYTES)
  })

  test('offers no view when that is turned off', async () => {
    const client = await connect({ showsViews: true, hasView: false })
    const { tools } = await client.listTools()
    expect(tools.every(({ _meta }) => _meta === undefined)).toBe(true)
    await expect(client.readResource({ uri: 'ui://seqthink/chain' })).rejects.toThrow('not found')
  })
})
