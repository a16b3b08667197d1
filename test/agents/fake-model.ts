import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'
import * as z from 'zod'

/** For polling: long enough for a machine that is busy with other tests. */
export const PATIENT = { timeout: 15_000 }

/** A request as the fake got it. */
export interface ModelRequest {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly model: string
  /** Which agent asks, by its system prompt. */
  readonly agent: string
  readonly prompt: string
  readonly body: Record<string, unknown>
  /** How often this agent has asked before. */
  readonly earlier: number
}

export type Reply =
  | { readonly text: string }
  | { readonly call: { readonly name: string; readonly arguments: object } }
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body: string }
  | 'hang'
  | 'reset'

const AGENTS: readonly [RegExp, string][] = [
  [/You are the (\w+) specialist/, '$1'],
  [/You are the (initial|final) synthesis/, '$1'],
  [/You rate how complex/, 'complexity'],
  [/You condense the earliest/, 'summary'],
]

const content = z.union([
  z.string(),
  z
    .array(z.looseObject({ text: z.string().optional() }))
    .transform((parts) => parts.map(({ text }) => text).join('')),
  z.null().transform(() => ''),
])
const bodySchema = z.looseObject({
  model: z.string(),
  system: content.optional(),
  messages: z.array(z.looseObject({ role: z.string(), content: content.optional() })),
})

/**
 * A model provider on loopback for what a mock server of fixtures cannot do: to hang, to break the connection, to
 * answer with anything at all.
 */
export async function startFakeModel(answer: (request: ModelRequest) => Reply | Promise<Reply>) {
  const requests: ModelRequest[] = []
  let aborted = 0

  const server = createServer((message, response) => {
    read(message).then((body) => {
      const { agent, prompt, model } = understand(body)
      const request = {
        path: message.url ?? '',
        headers: message.headers,
        model,
        agent,
        prompt,
        body,
        earlier: requests.filter((other) => other.agent === agent).length,
      }
      requests.push(request)
      response.on('close', () => {
        if (!response.writableFinished) aborted++
      })
      Promise.resolve(answer(request)).then((reply) => send(response, reply, request.path))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    /** Requests whose connection the client closed. */
    get aborted() {
      return aborted
    },
    requestsOf: (agent: string) => requests.filter((request) => request.agent === agent),
  }
}

async function read(message: IncomingMessage): Promise<Record<string, unknown>> {
  let text = ''
  for await (const chunk of message.setEncoding('utf8')) text += chunk
  return z.record(z.string(), z.unknown()).parse(JSON.parse(text))
}

function understand(body: Record<string, unknown>) {
  const parsed = bodySchema.safeParse(body)
  if (!parsed.success) return { agent: 'none', prompt: '', model: '' }
  const { model, messages, system: systemField } = parsed.data
  const system = systemField ?? messages.find(({ role }) => role === 'system')?.content ?? ''
  const prompt = messages.flatMap((message) => (message.role === 'system' ? [] : message.content)).join('\n')
  return { agent: agentOf(system), prompt, model }
}

/** Which agent a system prompt is for. */
export function agentOf(system: string): string {
  for (const [pattern, name] of AGENTS) {
    const found = pattern.exec(system)
    if (found !== null) return name.replace('$1', found[1] ?? '')
  }
  return 'none'
}

function send(response: ServerResponse, reply: Reply, path: string): void {
  if (reply === 'hang') return
  if (reply === 'reset') {
    response.socket?.resetAndDestroy()
    return
  }
  if ('status' in reply) {
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers }).end(reply.body)
    return
  }
  const body = path.endsWith('/messages') ? toMessage(reply) : toCompletion(reply)
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

type Said = Extract<Reply, { text: string } | { call: object }>

function toCompletion(reply: Said) {
  const message =
    'text' in reply
      ? { role: 'assistant', content: reply.text }
      : {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              id: 'call-1',
              type: 'function',
              function: { name: reply.call.name, arguments: JSON.stringify(reply.call.arguments) },
            },
          ],
        }
  return {
    id: 'x',
    object: 'chat.completion',
    created: 1,
    model: 'fake',
    choices: [{ index: 0, message, finish_reason: 'text' in reply ? 'stop' : 'tool_calls' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  }
}

function toMessage(reply: Said) {
  return {
    id: 'x',
    type: 'message',
    role: 'assistant',
    model: 'fake',
    content: [
      'text' in reply
        ? { type: 'text', text: reply.text }
        : { type: 'tool_use', id: 'call-1', name: reply.call.name, input: reply.call.arguments },
    ],
    stop_reason: 'text' in reply ? 'end_turn' : 'tool_use',
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  }
}
