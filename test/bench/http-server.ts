import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench } from './bench.ts'
import { installInto } from './npm.ts'
import { OURS, type Server } from './peers.ts'

const GATEWAY = 'supergateway@4.0.0'
const START_TIMEOUT_MS = 30_000
const POLL_MS = 100
const STDERR_TAIL_CHARS = 300

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1.0.0' },
  },
}

export interface HttpServer {
  readonly url: string
  /** The headers of a call, for each connection those of a session of its own, as that many clients have them. */
  readonly headersOf: readonly Record<string, string>[]
}

/** Serves over HTTP, the server itself or behind the gateway, while `use` works with it. */
export async function withHttpServer<T>(
  bench: Bench,
  server: Server,
  connections: number,
  use: (server: HttpServer) => Promise<T>,
): Promise<T> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/mcp`
  const args =
    server.peer.name === OURS
      ? [server.peer.entry, '--transport', 'http', '--port', `${port}`, ...server.flags]
      : await gatewayTo(bench, server.peer.entry, port)
  const child = spawn(bench.place.node, args, { env: bench.place.env, stdio: ['ignore', 'ignore', 'pipe'] })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-STDERR_TAIL_CHARS)
  })
  const exit = once(child, 'exit')
  try {
    const headersOf: Record<string, string>[] = []
    while (headersOf.length < connections) headersOf.push({ ...HEADERS, ...(await openSession(url)) })
    return await use({ url, headersOf })
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}: ${stderr.trim()}`)
  } finally {
    child.kill('SIGTERM')
    await exit
  }
}

async function gatewayTo(bench: Bench, entry: string, port: number): Promise<string[]> {
  const folder = join(bench.work, 'gateway')
  await installInto(folder, GATEWAY)
  const gateway = join(folder, 'node_modules', 'supergateway', 'dist', 'index.js')
  const stdio = `"${bench.place.node}" "${entry}"`
  return [
    gateway,
    '--stdio',
    stdio,
    '--outputTransport',
    'streamableHttp',
    '--stateful',
    '--logLevel',
    'none',
    '--port',
    `${port}`,
  ]
}

async function openSession(url: string): Promise<Record<string, string>> {
  const deadline = performance.now() + START_TIMEOUT_MS
  for (;;) {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: HEADERS,
        body: JSON.stringify(INITIALIZE),
      })
      await response.text()
      const id = response.headers.get('mcp-session-id')
      if (id === null) throw new Error(`no session (status ${response.status})`)
      const session = { 'mcp-session-id': id }
      const body = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })
      await fetch(url, { method: 'POST', headers: { ...HEADERS, ...session }, body })
      return session
    } catch (error) {
      if (performance.now() > deadline) throw error
      await sleep(POLL_MS)
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (typeof address !== 'object' || address === null) throw new Error('no free port')
  return address.port
}
