import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import * as z from 'zod'

export const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))

const answerSchema = z.object({
  id: z.number(),
  result: z.looseObject({
    isError: z.boolean().optional(),
    structuredContent: z
      .looseObject({ sessionId: z.string(), notices: z.array(z.string()).optional() })
      .optional(),
  }),
})
type Answer = z.infer<typeof answerSchema>

/** The built server with a record folder, spoken to in plain JSON lines so that many calls can be under way. */
export class RecordServer {
  readonly child: ChildProcess
  stderr = ''
  readonly #closed: Promise<unknown>
  readonly #answers: Answer[] = []
  #unparsed = ''
  #onanswer = () => {}
  #lastId = 0

  constructor(recordDir: string, { fileLimitKb }: { fileLimitKb?: number } = {}) {
    const command = `"${process.execPath}" "${CLI}" --record-dir "${recordDir}" --max-steps 1000`
    const limit = fileLimitKb === undefined ? '' : `ulimit -f ${fileLimitKb}; `
    this.child = spawn('bash', ['-c', `${limit}exec ${command}`], { stdio: ['pipe', 'pipe', 'pipe'] })
    this.#closed = once(this.child, 'close')
    this.child.stdin?.on('error', () => {})
    this.child.stdout?.setEncoding('utf8').on('data', this.#read)
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text
    })
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 't', version: '1' },
    }
    this.#write({ id: 0, method: 'initialize', params })
    this.#write({ method: 'notifications/initialized' })
  }

  /** Answers to calls, in the order of arrival. */
  get answers(): readonly Answer[] {
    return this.#answers
  }

  /** Sends a step without waiting for its answer. */
  send(thoughtNumber: number, others: Record<string, unknown>): void {
    const args = { thoughtNumber, totalThoughts: 1000, nextThoughtNeeded: true, ...others }
    this.#lastId++
    this.#write({
      id: this.#lastId,
      method: 'tools/call',
      params: { name: 'sequential_thinking', arguments: args },
    })
  }

  /** Opens a chain and returns its id. */
  async open(thought: string): Promise<string> {
    this.send(1, { thought })
    await this.answered(1)
    return this.#answers[0]?.result.structuredContent?.sessionId ?? ''
  }

  /** Resolves when so many calls are answered. */
  async answered(count: number): Promise<void> {
    while (this.#answers.length < count) {
      await new Promise<void>((resolve) => {
        this.#onanswer = resolve
      })
    }
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL')
    await this.#closed
  }

  async end(): Promise<void> {
    this.child.stdin?.end()
    await this.#closed
  }

  #write(message: object): void {
    this.child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }

  #read = (text: string): void => {
    const lines = (this.#unparsed + text).split('\n')
    this.#unparsed = lines.pop() ?? ''
    for (const line of lines) {
      const answer = answerSchema.parse(JSON.parse(line))
      if (answer.id > 0) this.#answers.push(answer)
    }
    this.#onanswer()
  }
}
