import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import * as z from 'zod'

export const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))

export type Era = 'legacy' | 'modern'

const CLIENT = { name: 'test', version: '1.0.0' }
export const MODERN_META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': CLIENT,
}

const record = z.record(z.string(), z.unknown())
const answerSchema = z.strictObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  params: record.optional(),
  error: z.looseObject({ code: z.number(), message: z.string() }).optional(),
  result: z
    .looseObject({
      content: z.array(z.object({ text: z.string() })).optional(),
      structuredContent: record.optional(),
      isError: z.boolean().optional(),
      _meta: record.optional(),
    })
    .optional(),
})
/** What the server wrote: an answer, or a notification. */
export type Answer = z.infer<typeof answerSchema>

interface Options {
  readonly args?: readonly string[]
  /** Called with every line of stdout in its turn, instead of keeping them all. */
  readonly onAnswer?: (answer: Answer) => void
}

/**
 * The built server in a process of its own and bytes in and out of it, for more traffic than a client could send,
 * and for what no client sends. Every line of stdout must be JSON-RPC.
 */
export class RawPeer {
  readonly child: ChildProcessWithoutNullStreams
  readonly exit: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  readonly answers: Answer[] = []
  stderr = ''
  /** What was wrong with stdout, if anything. */
  problem: Error | undefined
  #unfinished = ''
  #lastId = 0
  readonly #waiting = new Set<() => void>()
  readonly #onAnswer: (answer: Answer) => void

  constructor({ args = [], onAnswer }: Options = {}) {
    this.#onAnswer = onAnswer ?? ((answer) => this.answers.push(answer))
    this.child = spawn(process.execPath, [CLI, ...args], { env: cleanEnvironment(), stdio: 'pipe' })
    this.child.stdin.on('error', () => {})
    this.child.stdout.setEncoding('utf8').on('data', this.#read)
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text
    })
    this.exit = once(this.child, 'close').then(([code, signal]) => {
      this.#wake()
      return { code, signal }
    })
  }

  write(bytes: string | Uint8Array): void {
    this.child.stdin.write(bytes)
  }

  /** Resolves when the operating system has taken the bytes: with a full pipe, when the server has read on. */
  async flush(bytes: string | Uint8Array): Promise<void> {
    await new Promise<void>((resolve) => this.child.stdin.write(bytes, () => resolve()))
  }

  /** Sends a request and waits for its answer. Not for use with `onAnswer`. */
  async request(method: string, params: object = {}): Promise<Answer> {
    const id = `request ${++this.#lastId}`
    this.write(lineOf({ id, method, params }))
    return this.answerTo(id)
  }

  async answerTo(id: string | number): Promise<Answer> {
    let seen = 0
    let found: Answer | undefined
    await this.until(() => {
      for (; seen < this.answers.length && found === undefined; seen++) {
        if (this.answers[seen]?.id === id) found = this.answers[seen]
      }
      return found !== undefined
    })
    if (found === undefined) throw new Error(`no answer to ${id}`)
    return found
  }

  /** Resolves when a condition on what came from the server holds. @throws when the server ends before that */
  async until(isFulfilled: () => boolean): Promise<void> {
    while (!isFulfilled()) {
      if (this.problem !== undefined) throw this.problem
      if (this.child.exitCode !== null || this.child.signalCode !== null) {
        throw new Error(`the server ended: ${this.stderr}`)
      }
      await new Promise<void>((resolve) => this.#waiting.add(resolve))
    }
  }

  async initialize(): Promise<Answer> {
    const answer = await this.request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: CLIENT,
    })
    this.write(lineOf({ method: 'notifications/initialized' }))
    return answer
  }

  async end() {
    this.child.stdin.end()
    return this.exit
  }

  #read = (text: string): void => {
    const lines = (this.#unfinished + text).split('\n')
    this.#unfinished = lines.pop() ?? ''
    for (const line of lines) {
      try {
        this.#onAnswer(answerSchema.parse(JSON.parse(line)))
      } catch (error) {
        this.problem ??= new Error(`stdout carries ${line.slice(0, 200)}`, { cause: error })
      }
    }
    this.#wake()
  }

  #wake(): void {
    for (const wake of this.#waiting) wake()
    this.#waiting.clear()
  }
}

export function lineOf(message: object): string {
  return `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`
}

/** A call of a tool, as a client of the era sends it. */
export function toolCall(
  id: string | number,
  args: object,
  era: Era = 'legacy',
  name = 'sequential_thinking',
) {
  const params = { name, arguments: args, ...(era === 'modern' && { _meta: MODERN_META }) }
  return lineOf({ id, method: 'tools/call', params })
}

export function stepOf(thoughtNumber: number, others: object = {}) {
  return {
    thought: `Idea ${thoughtNumber}`,
    thoughtNumber,
    totalThoughts: thoughtNumber,
    nextThoughtNeeded: true,
    ...others,
  }
}

export function codeOf(answer: Answer | undefined): unknown {
  return answer?.result?._meta?.['seqthink/code'] ?? answer?.error?.code
}

function cleanEnvironment() {
  const inherited = Object.entries(process.env).filter(
    ([name]) => name !== 'LOG_LEVEL' && !name.startsWith('SEQTHINK_'),
  )
  return Object.fromEntries(inherited)
}
