import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import * as z from 'zod'
import { stepArguments } from '../tools/desk.ts'

export const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))

export const LEGACY_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const

const MODERN_META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
}

const record = z.record(z.string(), z.unknown())
const messageSchema = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.number().optional(),
  result: z.looseObject({ structuredContent: record.optional(), _meta: record.optional() }).optional(),
  error: z.object({ code: z.number(), message: z.string() }).optional(),
})
export type Message = z.infer<typeof messageSchema>

type Environment = Record<string, string | undefined>

interface Options {
  readonly args?: readonly string[]
  readonly env?: Environment
  readonly cli?: string
  readonly stdin?: 'pipe' | 'ignore'
}

/** A running server, without any SDK between it and the test. */
export class ServerProcess {
  readonly child: ChildProcess
  readonly exit: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  stdout = ''
  stderr = ''
  #lastId = 0
  readonly #waiting: (() => void)[] = []

  constructor({ args = [], env = {}, cli = CLI, stdin = 'pipe' }: Options = {}) {
    this.child = spawn(process.execPath, [cli, ...args], {
      env: cleanEnvironment(env),
      stdio: [stdin, 'pipe', 'pipe'],
    })
    this.child.stdin?.on('error', () => {})
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text
      this.#wake()
    })
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text
    })
    this.exit = once(this.child, 'close').then(([code, signal]) => {
      this.#wake()
      return { code, signal }
    })
    onTestFinished(() => {
      this.child.kill('SIGKILL')
    })
  }

  /** Everything that was written to stdout, a message a line. Throws where a line is none. */
  get messages(): Message[] {
    const lines = this.stdout.split('\n').slice(0, -1)
    return lines.map((line) => messageSchema.parse(JSON.parse(line)))
  }

  send(message: object): void {
    this.child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }

  async request(method: string, params: object = {}): Promise<Message> {
    const id = ++this.#lastId
    this.send({ id, method, params })
    return this.answerTo(id)
  }

  async answerTo(id: number): Promise<Message> {
    for (;;) {
      const answer = this.messages.find((message) => message.id === id)
      if (answer !== undefined) return answer
      if (this.child.exitCode !== null) throw new Error(`no answer to ${id}: ${this.stderr}`)
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
  }

  async modernRequest(method: string, params: object = {}, meta: object = {}): Promise<Message> {
    return this.request(method, { ...params, _meta: { ...MODERN_META, ...meta } })
  }

  async initialize(protocolVersion: string = LEGACY_VERSIONS[0]): Promise<Message> {
    const answer = await this.request('initialize', {
      protocolVersion,
      capabilities: {},
      clientInfo: { name: 'test', version: '1.0.0' },
    })
    this.send({ method: 'notifications/initialized' })
    return answer
  }

  async think(thoughtNumber: number, others: Record<string, unknown> = {}) {
    return toAnswer(await this.request('tools/call', callOf(thoughtNumber, others)))
  }

  async modernThink(thoughtNumber: number, others: Record<string, unknown> = {}) {
    return toAnswer(await this.modernRequest('tools/call', callOf(thoughtNumber, others)))
  }

  async end() {
    this.child.stdin?.end()
    return this.exit
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }
}

function toAnswer({ result }: Message) {
  return { result: result?.structuredContent ?? {}, code: result?._meta?.['seqthink/code'] }
}

export function callOf(thoughtNumber: number, others: Record<string, unknown> = {}) {
  return { name: 'sequential_thinking', arguments: stepArguments(thoughtNumber, others) }
}

/** The environment of the tests without the variables that configure the server. */
function cleanEnvironment(env: Environment): Environment {
  const inherited = Object.entries(process.env).filter(
    ([name]) => name !== 'LOG_LEVEL' && !name.startsWith('SEQTHINK_'),
  )
  return { ...Object.fromEntries(inherited), ...env }
}
