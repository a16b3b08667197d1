import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import { stepArguments } from '../../tools/desk.ts'
import { startServer } from './http-server.ts'

const listSchema = z.object({ sessions: z.array(z.object({ sessionId: z.string() })) })

async function connect(url: string, mode: 'legacy' | { pin: string }, token?: string) {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
  onTestFinished(() => client.close())
  const read = async (path = '') => {
    const { contents } = await client.readResource({ uri: `thinking://sessions${path}` })
    return z.object({ text: z.string() }).parse(contents[0]).text
  }
  return {
    client,
    read,
    async open() {
      const call = { name: 'sequential_thinking', arguments: stepArguments(1) }
      const { structuredContent } = await client.callTool(call)
      return z.object({ sessionId: z.string() }).parse(structuredContent).sessionId
    },
    async list() {
      return listSchema.parse(JSON.parse(await read())).sessions.map(({ sessionId }) => sessionId)
    },
    async complete() {
      const ref = { type: 'ref/resource' as const, uri: 'thinking://sessions/{sessionId}' }
      return (await client.complete({ ref, argument: { name: 'sessionId', value: '' } })).completion.values
    },
  }
}

test.each([{ mode: 'legacy' }, { mode: { pin: '2026-07-28' } }] as const)(
  'each principal sees its own chains as resources, and no others ($mode)',
  async ({ mode }) => {
    const { url } = await startServer({ tokens: 'ann:one,ben:two' })
    const [ann, ben] = [await connect(url, mode, 'one'), await connect(url, mode, 'two')]
    const [hers, his] = [await ann.open(), await ben.open()]
    expect([await ann.list(), await ben.list()]).toEqual([[hers], [his]])
    expect([await ann.complete(), await ben.complete()]).toEqual([[hers], [his]])
    expect((await ben.client.listResources()).resources).toHaveLength(2)
    expect(JSON.parse(await ann.read(`/${hers}`))).toMatchObject({ sessionId: hers, steps: 1 })
    for (const suffix of ['', '/markdown', '/mermaid']) {
      await expect(ben.read(`/${hers}${suffix}`)).rejects.toMatchObject({ code: -32602 })
    }
  },
)

test('without tokens nothing is listed, though an id is a key', async () => {
  const { url } = await startServer()
  const caller = await connect(url, 'legacy')
  const sessionId = await caller.open()
  expect([await caller.list(), await caller.complete()]).toEqual([[], []])
  expect(await caller.read(`/${sessionId}/markdown`)).toContain('# Idea 1')
})
