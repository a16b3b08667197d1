import { randomUUID } from 'node:crypto'
import {
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server'
import { toJson } from '../message-json.ts'
import type { InFlight } from './in-flight.ts'

/** Shorter than the time after which proxies drop a silent connection. */
const KEEP_ALIVE_MS = 15_000

/** What a client may leave unread before its connection is closed. */
const MAX_UNREAD_BYTES = 8 * 1024 * 1024

/**
 * Server side of the HTTP+SSE transport of protocol 2024-11-05: one stream carries all that the server sends, the
 * client posts what it sends to the address that the stream's first event names.
 */
export class SseTransport implements Transport {
  onmessage?: NonNullable<Transport['onmessage']>
  onerror?: (error: Error) => void
  onclose?: () => void

  readonly sessionId = randomUUID()
  readonly stream: ReadableStream<Uint8Array>

  readonly #messagesPath: string
  readonly #inFlight: InFlight
  readonly #unanswered = new Map<RequestId, () => void>()
  readonly #encoder = new TextEncoder()
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  #keepAlive: NodeJS.Timeout | undefined

  constructor(messagesPath: string, inFlight: InFlight) {
    this.#messagesPath = messagesPath
    this.#inFlight = inFlight
    this.stream = new ReadableStream(
      {
        start: (controller) => {
          this.#controller = controller
        },
        cancel: () => this.close(),
      },
      { highWaterMark: MAX_UNREAD_BYTES, size: (chunk) => chunk?.byteLength ?? 0 },
    )
  }

  async start(): Promise<void> {
    this.#write(`event: endpoint\ndata: ${this.#messagesPath}?sessionId=${this.sessionId}\n\n`)
    this.#keepAlive = setInterval(() => this.#write(': keepalive\n\n'), KEEP_ALIVE_MS).unref()
  }

  receive(message: JSONRPCMessage): void {
    if (isJSONRPCRequest(message)) {
      this.#settle(message.id)
      this.#unanswered.set(message.id, this.#inFlight.begin())
    } else if ('method' in message && message.method === 'notifications/cancelled') {
      const id = message.params?.requestId
      if (typeof id === 'string' || typeof id === 'number') this.#settle(id)
    }
    this.onmessage?.(message)
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#write(`event: message\ndata: ${toJson(message)}\n\n`)
    const isAnswer = isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)
    if (isAnswer && message.id !== undefined) this.#settle(message.id)
  }

  async close(): Promise<void> {
    const controller = this.#controller
    if (controller === undefined) return
    this.#controller = undefined
    clearInterval(this.#keepAlive)
    for (const id of this.#unanswered.keys()) this.#settle(id)
    try {
      controller.close()
    } catch {
      // The client has cancelled the stream.
    }
    this.onclose?.()
  }

  #write(event: string): void {
    const controller = this.#controller
    if (controller === undefined) return
    controller.enqueue(this.#encoder.encode(event))
    if (controller.desiredSize !== null && controller.desiredSize > 0) return
    this.onerror?.(new Error('The client does not read its stream.'))
    void this.close()
  }

  #settle(id: RequestId): void {
    this.#unanswered.get(id)?.()
    this.#unanswered.delete(id)
  }
}
