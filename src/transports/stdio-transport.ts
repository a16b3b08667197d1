import type { Readable, Writable } from 'node:stream'
import {
  type JSONRPCMessage,
  parseJSONRPCMessage,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server'
import { LineBuffer } from './line-buffer.ts'
import { toJson } from './message-json.ts'
import { isPlainRequest } from './plain-message.ts'

/** Longest line that is read, as in the SDK. Beyond it the start of the next line cannot be relied on. */
const MAX_LINE_BYTES = 10 * 1024 * 1024

/** A request that stays open until the connection ends, so nothing waits for its answer. */
const LISTEN_METHOD = 'subscriptions/listen'

/**
 * JSON-RPC lines over a pair of streams. Unlike the SDK's own transport it knows which requests are still to be
 * answered, so that the end of stdin does not cut them off; it writes all answers of one turn at once; a reader
 * that stalls costs no listener for every message; and a long line is read in time that grows with its length.
 */
export class StdioTransport implements Transport {
  onmessage?: NonNullable<Transport['onmessage']>
  onerror?: (error: Error) => void
  onclose?: () => void
  /** No message will follow: the client has closed stdin, or sent a `problem` that cannot be read past. */
  onend?: (problem?: Error) => void
  /** Stdout is closed, so the connection is of no use any more. */
  onlost?: (error: Error) => void

  readonly #stdin: Readable
  readonly #stdout: Writable
  readonly #lines = new LineBuffer(MAX_LINE_BYTES)
  readonly #unanswered = new Map<RequestId, number>()
  #unwritten = ''
  #writes = 0
  readonly #idleWaiters = new Set<() => void>()
  #isReading = true
  #isClosed = false

  constructor(stdin: Readable, stdout: Writable) {
    this.#stdin = stdin
    this.#stdout = stdout
  }

  async start(): Promise<void> {
    this.#stdin.on('data', this.#read)
    this.#stdin.on('end', this.#end)
    this.#stdin.on('error', this.#end)
    this.#stdout.on('error', this.#lose)
    if (this.#stdin.readableEnded || this.#stdin.destroyed) setImmediate(this.#end)
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return
    if (this.#unwritten === '') process.nextTick(this.#write)
    this.#unwritten += `${toJson(message)}\n`
    if (!('method' in message) && message.id !== undefined) this.#settle(message.id)
  }

  /** Reads no further. What was read before is still answered. */
  stopReading(): void {
    this.#isReading = false
    this.#stdin.off('data', this.#read)
    this.#stdin.off('end', this.#end)
    this.#stdin.pause()
  }

  /** Resolves when every request that was read is answered and stdout has taken all of it. */
  async idle(): Promise<void> {
    for (;;) {
      // What was read last is handed on within this turn, and may be answered though nothing waits for it.
      await new Promise<void>((resolve) => setImmediate(resolve))
      if (this.#unanswered.size === 0 && this.#unwritten === '' && this.#writes === 0) return
      await new Promise<void>((resolve) => this.#idleWaiters.add(resolve))
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.stopReading()
    this.#write()
    this.#isClosed = true
    this.#unanswered.clear()
    this.onclose?.()
    this.#wake()
  }

  #read = (chunk: Buffer): void => {
    try {
      for (const line of this.#lines.linesOf(chunk)) this.#receive(line)
    } catch (error) {
      this.#finishReading(toError(error))
    }
  }

  #end = (): void => {
    if (!this.#isReading) return
    // The last request of `printf '…' | seqthink-mcp` may lack its line end.
    this.#read(Buffer.from('\n'))
    this.#finishReading()
  }

  #finishReading(problem?: Error): void {
    if (!this.#isReading) return
    this.stopReading()
    this.onend?.(problem)
  }

  #lose = (error: Error): void => {
    this.stopReading()
    this.#unanswered.clear()
    this.#unwritten = ''
    this.onlost?.(error)
  }

  #receive(line: string): void {
    const value = parseJson(line)
    if (value === undefined) return
    try {
      this.#deliver(isPlainRequest(value) ? value : parseJSONRPCMessage(value))
    } catch (error) {
      this.onerror?.(toError(error))
    }
  }

  #deliver(message: JSONRPCMessage): void {
    if ('method' in message && 'id' in message && message.method !== LISTEN_METHOD) {
      this.#unanswered.set(message.id, (this.#unanswered.get(message.id) ?? 0) + 1)
    } else if ('method' in message && message.method === 'notifications/cancelled') {
      const id = message.params?.requestId
      if (typeof id === 'string' || typeof id === 'number') this.#settle(id)
    }
    this.onmessage?.(message)
  }

  /** One request of this id needs no answer any more: it got one, or the client cancelled it. */
  #settle(id: RequestId): void {
    const count = this.#unanswered.get(id) ?? 0
    if (count > 1) this.#unanswered.set(id, count - 1)
    else this.#unanswered.delete(id)
    this.#wake()
  }

  #write = (): void => {
    if (this.#unwritten === '' || this.#isClosed) return
    const text = this.#unwritten
    this.#unwritten = ''
    this.#writes++
    this.#stdout.write(text, () => {
      this.#writes--
      this.#wake()
    })
  }

  #wake(): void {
    if (this.#idleWaiters.size === 0) return
    for (const wake of this.#idleWaiters) wake()
    this.#idleWaiters.clear()
  }
}

/** Nothing where a line is no JSON, such as an empty one: like the SDK, the server answers only to JSON-RPC. */
function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
