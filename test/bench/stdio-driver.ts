import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'

const ANSWER_TIMEOUT_MS = 30_000
const EXIT_TIMEOUT_MS = 3_000
const STDERR_TAIL_CHARS = 300

export interface Launch {
  node: string
  args: readonly string[]
  env: NodeJS.ProcessEnv
}

export type JsonObject = Record<string, unknown>

/** A server process and a hand-written JSON-RPC client on its stdio; no SDK, so that all peers pay the same. */
export interface Connection {
  pid: number
  request(method: string, params: JsonObject): Promise<JsonObject>
  notify(method: string, params: JsonObject): void
  /** Ends stdin, as a client does, and waits for the process; kills it when it stays. */
  stop(): Promise<void>
}

interface Pending {
  resolve(result: JsonObject): void
  reject(error: Error): void
}

export function connect(launch: Launch): Connection {
  const child = spawn(launch.node, launch.args, { env: launch.env, stdio: ['pipe', 'pipe', 'pipe'] })
  const pending = new Map<number, Pending>()
  const send = batchedWriter(child.stdin)
  let lastId = 0
  let stderrTail = ''
  let dead: Error | undefined

  const fail = (error: Error): void => {
    dead ??= error
    for (const { reject } of pending.values()) reject(dead)
    pending.clear()
  }
  child.on('error', fail)
  child.on('close', (code, signal) => {
    const ending = `The server ended (${signal ?? `exit code ${code}`})`
    fail(new Error([ending, stderrTail.replace(/\s+/g, ' ').trim()].filter((part) => part !== '').join(': ')))
  })
  child.stdin.on('error', fail)
  // Read to its end: a full pipe would stop a server that prints every thought.
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderrTail = (stderrTail + text).slice(-STDERR_TAIL_CHARS)
  })
  onLines(child.stdout, (line) => {
    const message: unknown = JSON.parse(line)
    if (!isObject(message) || typeof message.id !== 'number') return
    const waiting = pending.get(message.id)
    pending.delete(message.id)
    if (isObject(message.result)) waiting?.resolve(message.result)
    else waiting?.reject(new Error(`JSON-RPC error: ${JSON.stringify(message.error)}`))
  })

  return {
    pid: child.pid ?? 0,
    request(method, params) {
      if (dead !== undefined) return Promise.reject(dead)
      lastId += 1
      const id = lastId
      send(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
      return new Promise((resolve, reject) => pending.set(id, { resolve, reject }))
    },
    notify: (method, params) => send(`${JSON.stringify({ jsonrpc: '2.0', method, params })}\n`),
    stop: () => stop(child),
  }
}

/** Fails a request that a silent server leaves open. Not for timed loops: the timer costs. */
export async function withTimeout<T>(answer: Promise<T>, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const expiry = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer to ${what} in 30 s`)), ANSWER_TIMEOUT_MS)
  })
  try {
    return await Promise.race([answer, expiry])
  } finally {
    clearTimeout(timer)
  }
}

/** The handshake of the older protocol revisions, which every peer speaks. */
export async function initialize(connection: Connection): Promise<JsonObject> {
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
  const result = await withTimeout(connection.request('initialize', params), 'initialize')
  connection.notify('notifications/initialized', {})
  return result
}

/** The first request of protocol 2026-07-28, which knows no handshake. */
export function discover(connection: Connection): Promise<JsonObject> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  return withTimeout(connection.request('server/discover', { _meta }), 'server/discover')
}

const clientInfo = { name: 'bench', version: '0.0.0' }

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Requests that are made in one turn leave in one write, so that with many calls in flight the driver,
 * which shares the machine with the server, is not what limits the rate.
 */
function batchedWriter(stdin: Writable): (text: string) => void {
  let batch = ''
  return (text) => {
    if (batch === '') {
      queueMicrotask(() => {
        const all = batch
        batch = ''
        if (!stdin.destroyed) stdin.write(all)
      })
    }
    batch += text
  }
}

function onLines(stdout: Readable, handle: (line: string) => void): void {
  let rest = ''
  stdout.setEncoding('utf8').on('data', (chunk: string) => {
    rest += chunk
    let start = 0
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n', start)) {
      handle(rest.slice(start, end))
      start = end + 1
    }
    rest = rest.slice(start)
  })
}

async function stop(child: ChildProcessByStdio<Writable, Readable, Readable>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const closed = once(child, 'close')
  child.stdin.end()
  const timer = setTimeout(() => child.kill('SIGKILL'), EXIT_TIMEOUT_MS)
  await closed
  clearTimeout(timer)
}
