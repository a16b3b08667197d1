import type { Readable, Writable } from 'node:stream'
import { type JSONRPCMessage, ReadBuffer, type RequestId, type Transport } from '@modelcontextprotocol/server'

/** Longest line that is read, the SDK's own limit. Beyond it the start of the next line cannot be found. */
const MAX_LINE_BYTES = 10 * 1024 * 1024

/** A request that stays open until the connection ends, so nothing waits for its answer. */
const LISTEN_METHOD = 'subscriptions/listen'

/**
 * JSON-RPC lines over a pair of streams, with the SDK's reader. Unlike the SDK's own transport it knows which
 * requests are still to be answered, so that the end of stdin does not cut them off; it writes all answers of
 * one turn at once; and a reader that stalls costs no listener for every message.
 */
export class StdioTransport implements Transport {
  onmessage?: NonNullable<Transport['onmessage']>
  onerror?: (error: Error) => void
  onclose?: () => void
  /** The client has closed stdin: no message will follow. */
  onend?: () => void
  /** The connection is of no use any more: stdout is closed, or a line was too long. */
  onlost?: (error: Error) => void

  readonly #stdin: Readable
  readonly #stdout: Writable
  readonly #lines = new ReadBuffer({ maxBufferSize: MAX_LINE_BYTES })
  readonly #unanswered = new Map<RequestId, number>()
  #unwritten = ''
  #writes = 0
  #onidle: (() => void) | undefined
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
    this.#unwritten += `${JSON.stringify(message)}\n`
    if (!('method' in message) && message.id !== undefined) this.#settle(message.id)
  }

  /** Reads no further. What was read before is still answered. */
  stopReading(): void {
    this.#stdin.off('data', this.#read)
    this.#stdin.off('end', this.#end)
    this.#stdin.pause()
  }

  /** Resolves when every request that was read is answered and stdout has taken all of it. */
  async idle(): Promise<void> {
    while (this.#unanswered.size > 0 || this.#unwritten !== '' || this.#writes > 0) {
      await new Promise<void>((resolve) => {
        this.#onidle = resolve
      })
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.stopReading()
    this.#write()
    this.#isClosed = true
    this.#unanswered.clear()
    this.onclose?.()
    this.#onidle?.()
  }

  #read = (chunk: Buffer): void => {
    try {
      this.#lines.append(chunk)
    } catch {
      this.#lose(new Error(`A line is longer than ${MAX_LINE_BYTES} bytes.`))
      return
    }
    for (;;) {
      try {
        const message = this.#lines.readMessage()
        if (message === null) return
        this.#deliver(message)
      } catch (error) {
        this.onerror?.(error instanceof Error ? error : new Error(String(error)))
      }
    }
  }

  #end = (): void => {
    // The last request of `printf '…' | seqthink-mcp` may lack its line end.
    this.#read(Buffer.from('\n'))
    this.stopReading()
    this.onend?.()
  }

  #lose = (error: Error): void => {
    this.stopReading()
    this.#unanswered.clear()
    this.#unwritten = ''
    this.onlost?.(error)
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
    this.#onidle?.()
  }

  #write = (): void => {
    if (this.#unwritten === '' || this.#isClosed) return
    const text = this.#unwritten
    this.#unwritten = ''
    this.#writes++
    this.#stdout.write(text, () => {
      this.#writes--
      this.#onidle?.()
    })
  }
}
