import { InMemoryTransport, type JSONRPCMessage } from '@modelcontextprotocol/client'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import * as z from 'zod'
import type { Limits } from '../../src/engine/limits.ts'
import { createLogger } from '../../src/logger.ts'
import { createServerFactory } from '../../src/server.ts'
import { createMemoryStore } from '../../src/sessions/memory-store.ts'
import { createOpenChains } from '../../src/sessions/open-chains.ts'

export type Era = 'legacy' | 'modern'

const CLIENT = { name: 'test', version: '1.0.0' }
const MODERN_META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': CLIENT,
}

const record = z.record(z.string(), z.unknown())
const answerSchema = z.object({
  id: z.number(),
  result: z.looseObject({
    content: z.array(z.object({ type: z.literal('text'), text: z.string() })).optional(),
    structuredContent: record.optional(),
    isError: z.boolean().optional(),
    _meta: record.optional(),
  }),
})

/** A whole server in this process, and what calls its tools over an in-memory connection of either era. */
export async function connect(era: Era, options: { limits: Limits; maxSessions: number }) {
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair()
  const { limits, maxSessions } = options
  const createServer = createServerFactory({
    sessions: createMemoryStore({ maxSessions }),
    limits,
    budgets: { historyBudget: 'full', closingBudget: 0 },
    maxSessions,
    logger: createLogger('silent'),
  })
  const openChains = createOpenChains({ maxSessions })
  const server = serveStdio(
    (context) =>
      createServer({
        owner: 'test',
        maySeeList: true,
        openChains: context.era === 'legacy' ? openChains : undefined,
      }),
    { transport: serverSide },
  )
  const waiting = new Map<number, (message: JSONRPCMessage) => void>()
  clientSide.onmessage = (message) => {
    if ('id' in message && typeof message.id === 'number') waiting.get(message.id)?.(message)
  }
  await clientSide.start()

  let lastId = 0
  async function request(method: string, params: object) {
    const id = ++lastId
    const answer = new Promise<JSONRPCMessage>((resolve) => waiting.set(id, resolve))
    const withMeta = era === 'modern' ? { ...params, _meta: MODERN_META } : { ...params }
    await clientSide.send({ jsonrpc: '2.0', id, method, params: withMeta })
    const { result } = answerSchema.parse(await answer)
    waiting.delete(id)
    return result
  }

  if (era === 'legacy') {
    await request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: CLIENT })
    await clientSide.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  }
  return {
    async call(name: 'sequential_thinking' | 'get_thinking', args: object) {
      const {
        content,
        structuredContent,
        isError = false,
        _meta,
      } = await request('tools/call', {
        name,
        arguments: args,
      })
      return {
        text: content?.[0]?.text ?? '',
        result: structuredContent,
        isError,
        code: _meta?.['seqthink/code'],
      }
    },
    close: () => server.close(),
  }
}
