import type { McpServer } from '@modelcontextprotocol/server'
import { onTestFinished } from 'vitest'
import * as z from 'zod'
import { readConfig } from '../../../src/config.ts'
import type { Logger } from '../../../src/logger.ts'
import { createServerFactory } from '../../../src/server.ts'
import { createMemoryStore } from '../../../src/sessions/memory-store.ts'
import type { Caller } from '../../../src/tools/tool.ts'
import { type HttpLimits, listenHttp } from '../../../src/transports/http/listen.ts'
import { parsePrincipals } from '../../../src/transports/http/principals.ts'
import { stepArguments } from '../../tools/desk.ts'

type Headers = Record<string, string>

interface Options {
  /** `name:token` entries. */
  readonly tokens?: string
  readonly flags?: Record<string, string>
  readonly httpLimits?: Partial<HttpLimits>
  readonly createServer?: (caller: Caller) => McpServer
  readonly withSse?: boolean
  readonly reportsProgress?: boolean
}

/** The product's HTTP server in this process, with every log record kept. */
export async function startServer(options: Options = {}) {
  const {
    tokens,
    flags = {},
    httpLimits = {},
    createServer,
    withSse = true,
    reportsProgress = false,
  } = options
  const config = readConfig({ port: '0', ...flags }, {})
  if ('problem' in config) throw new Error(config.problem)
  const principals = tokens === undefined ? undefined : parsePrincipals(tokens)
  if (principals !== undefined && 'problem' in principals) throw new Error(principals.problem)
  const records: Record<string, unknown>[] = []
  const logger = keepRecords(records)
  const sessions = createMemoryStore(config)
  const listener = await listenHttp({
    config: config.http,
    principals,
    createServer: createServer ?? createServerFactory({ ...config, sessions, logger }),
    maxSessions: config.maxSessions,
    withSse,
    reportsProgress,
    logger,
    httpLimits,
  })
  onTestFinished(() => listener.finish())
  return { ...listener, url: `${listener.origin}/mcp`, records }
}

function keepRecords(records: Record<string, unknown>[]): Logger {
  const record = (level: string) => (fields: object, message: string) => {
    records.push({ level, message, ...fields })
  }
  return {
    debug: record('debug'),
    info: record('info'),
    warn: record('warn'),
    error: record('error'),
    fatal: record('fatal'),
    isEnabled: () => true,
    flush: async () => {},
  }
}

export const JSON_HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

export function post(url: string, body: unknown, headers: Headers = {}): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return fetch(url, { method: 'POST', headers: { ...JSON_HEADERS, ...headers }, body: text })
}

export const INITIALIZE = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1.0.0' },
  },
}

/** Opens a session of the older era and returns the header that names it. */
export async function initialize(url: string, headers: Headers = {}): Promise<Headers> {
  const response = await post(url, INITIALIZE, headers)
  await response.text()
  const id = response.headers.get('mcp-session-id')
  if (response.status !== 200 || id === null) throw new Error(`no session: ${response.status}`)
  return { 'mcp-session-id': id }
}

export function callOf(name: string, args: object, id = 1) {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } }
}

export function thinkOf(thoughtNumber: number, others: Record<string, unknown> = {}, id = 1) {
  return callOf('sequential_thinking', stepArguments(thoughtNumber, others), id)
}

const MODERN_META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
}

/** A call of the newer era, with the headers that mirror it. */
export function postModern(url: string, call: ReturnType<typeof callOf>, headers: Headers = {}) {
  const mirrored = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': call.method,
    'mcp-name': call.params.name,
  }
  return post(url, { ...call, params: { ...call.params, _meta: MODERN_META } }, { ...mirrored, ...headers })
}

const answerSchema = z.object({
  result: z
    .object({
      structuredContent: z.record(z.string(), z.unknown()).optional(),
      isError: z.boolean().optional(),
      _meta: z.record(z.string(), z.unknown()).optional(),
      content: z.array(z.object({ text: z.string() })).optional(),
    })
    .optional(),
  error: z.object({ code: z.number(), message: z.string() }).optional(),
})

/** What a response says, sent as JSON or as the only event of a stream. */
export async function answerOf(response: Response) {
  const text = await response.text()
  const data = /^data: (.*)$/m.exec(text)?.[1] ?? text
  const { result, error } = answerSchema.parse(JSON.parse(data))
  return {
    status: response.status,
    error,
    result: result?.structuredContent ?? {},
    text: result?.content?.[0]?.text,
    code: result?._meta?.['seqthink/code'],
  }
}
