import { Client, SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport as OldSSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { StreamableHTTPClientTransport as OldStreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { onTestFinished } from 'vitest'
import { callOf } from './server-process.ts'

const INFO = { name: 'test', version: '1.0.0' }

type Mode = 'legacy' | 'auto' | { pin: string }

async function connect(transport: StreamableHTTPClientTransport | SSEClientTransport, mode: Mode) {
  const client = new Client(INFO, { versionNegotiation: { mode } })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return client
}

async function connectOld(transport: OldStreamableHTTPClientTransport | OldSSEClientTransport) {
  const client = new OldClient(INFO)
  // The old SDK was not compiled with exactOptionalPropertyTypes, so its transports do not fit its own interface.
  await Reflect.apply(client.connect, client, [transport])
  onTestFinished(() => client.close())
  return client
}

function optionsOf(token: string | undefined) {
  return { requestInit: { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } } }
}

/** How real clients of both generations reach the server. */
export const CONNECTIONS = {
  'client 2, 2026-07-28': (origin: string, token?: string) =>
    connect(new StreamableHTTPClientTransport(new URL('/mcp', origin), optionsOf(token)), {
      pin: '2026-07-28',
    }),
  'client 2, negotiating': (origin: string, token?: string) =>
    connect(new StreamableHTTPClientTransport(new URL('/mcp', origin), optionsOf(token)), 'auto'),
  'client 2, initialize': (origin: string, token?: string) =>
    connect(new StreamableHTTPClientTransport(new URL('/mcp', origin), optionsOf(token)), 'legacy'),
  'client 2, SSE': (origin: string, token?: string) =>
    connect(new SSEClientTransport(new URL('/sse', origin), optionsOf(token)), 'legacy'),
  'client 1, Streamable HTTP': (origin: string, token?: string) =>
    connectOld(new OldStreamableHTTPClientTransport(new URL('/mcp', origin), optionsOf(token))),
  'client 1, SSE': (origin: string, token?: string) =>
    connectOld(new OldSSEClientTransport(new URL('/sse', origin), optionsOf(token))),
} as const

type HttpClient = Awaited<ReturnType<(typeof CONNECTIONS)[keyof typeof CONNECTIONS]>>

/** Sends one step and returns what came back. */
export async function think(client: HttpClient, thoughtNumber: number, others: Record<string, unknown> = {}) {
  const answer: unknown = await Reflect.apply(client.callTool, client, [callOf(thoughtNumber, others)])
  const { structuredContent, content, isError, _meta } = Object(answer)
  return {
    result: Object(structuredContent),
    text: String(content?.[0]?.text),
    code: isError ? String(_meta?.['seqthink/code']) : undefined,
  }
}
