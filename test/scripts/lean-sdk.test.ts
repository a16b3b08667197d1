import {
  InMemoryTransport,
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONObject,
  type JSONValue,
} from '@modelcontextprotocol/server'
import { build } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { leanSdk } from '../../scripts/lean-sdk.ts'
import { serveSample } from './sample-server.ts'

const sdk = { isJSONRPCRequest, isJSONRPCNotification, isJSONRPCResultResponse, isJSONRPCErrorResponse }

const GUARDS = [
  'isJSONRPCRequest',
  'isJSONRPCNotification',
  'isJSONRPCResultResponse',
  'isJSONRPCErrorResponse',
] as const

async function bundle(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    minifySyntax: true,
    plugins: [leanSdk],
  })
  return outputFiles[0]?.text ?? ''
}

const ABSENT = Symbol('absent')

/** What each member of a message may be, right and wrong. */
const MEMBERS: Record<string, unknown[]> = {
  jsonrpc: ['2.0', '1.0'],
  id: [ABSENT, undefined, null, 0, 1.5, 2 ** 53, 'a'],
  method: [ABSENT, 'ping', 7],
  params: [ABSENT, undefined, { a: 1 }, { _meta: {} }, [], null, { _meta: { progressToken: {} } }],
  result: [ABSENT, undefined, { tools: [] }, { _meta: { a: 1 } }, { _meta: 1 }, [], 'text', null],
  error: [ABSENT, undefined, { code: 1, message: 'no' }, { code: 'x' }, null],
}

/** Objects with every mix of members. */
function messages(): Record<string, unknown>[] {
  return Object.entries(MEMBERS).reduce<Record<string, unknown>[]>(
    (found, [name, values]) =>
      found.flatMap((message) =>
        values.map((value) => (value === ABSENT ? message : { ...message, [name]: value })),
      ),
    [{}],
  )
}

test('tells the kinds of messages apart as the SDK does', async () => {
  const code = await bundle(`export { ${GUARDS.join(', ')} } from '@modelcontextprotocol/server'`)
  const lean: typeof sdk = await import(`data:text/javascript,${encodeURIComponent(code)}`)
  const values = [undefined, null, 7, 'text', [], ...messages()]
  for (const guard of GUARDS) {
    const expected = values.filter((value) => sdk[guard](value))
    expect(expected.length).toBeGreaterThan(0)
    expect(values.filter((value) => lean[guard](value))).toEqual(expected)
  }
})

const MODERN_META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** Requests and notifications of both protocol eras, as they should be. */
const MESSAGES: [method: string, params: JSONObject & { _meta?: JSONObject }][] = [
  [
    'initialize',
    {
      protocolVersion: '2025-06-18',
      capabilities: {
        roots: { listChanged: true },
        sampling: {},
        elicitation: { form: {} },
        experimental: { a: {} },
      },
      clientInfo: { name: 'test', version: '1.0.0', title: 'Test' },
    },
  ],
  ['server/discover', {}],
  ['subscriptions/listen', { notifications: { toolsListChanged: true } }],
  ['ping', {}],
  ['tools/list', { cursor: 'a' }],
  ['tools/call', { name: 'echo', arguments: { text: 'hello' } }],
  [
    'tools/call',
    {
      name: 'give',
      arguments: {
        result: { content: [{ type: 'text', text: 'x' }], structuredContent: { a: 1 }, isError: false },
      },
      _meta: { progressToken: 'p' },
    },
  ],
  ['resources/list', {}],
  ['resources/templates/list', {}],
  ['resources/read', { uri: 'sample://one/a' }],
  ['resources/subscribe', { uri: 'sample://list' }],
  ['resources/unsubscribe', { uri: 'sample://list' }],
  ['prompts/list', {}],
  ['prompts/get', { name: 'ask', arguments: { topic: 'rain' } }],
  [
    'completion/complete',
    {
      ref: { type: 'ref/resource', uri: 'sample://one/{id}' },
      argument: { name: 'id', value: '' },
      context: { arguments: { a: 'b' } },
    },
  ],
  ['logging/setLevel', { level: 'debug' }],
  ['tasks/get', { taskId: 'a' }],
  ['tasks/list', {}],
  ['roots/list', {}],
  ['sampling/createMessage', { messages: [], maxTokens: 1 }],
  ['elicitation/create', { message: 'Who?', requestedSchema: { type: 'object', properties: {} } }],
  ['notifications/initialized', {}],
  ['notifications/cancelled', { requestId: 'none', reason: 'late' }],
  ['notifications/progress', { progressToken: 1, progress: 0.5 }],
  ['notifications/roots/list_changed', {}],
  ['no/such', {}],
]

/** The value, and the value with each of its members left out or replaced by something else. */
function* damaged(value: JSONValue): Generator<JSONValue> {
  yield value
  yield* [null, 7, 'other', [], { a: 1 }]
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return
  for (const [name, member] of Object.entries(value)) {
    const { [name]: _left, ...others } = value
    yield others
    for (const other of damaged(member ?? null)) yield { ...others, [name]: other }
  }
}

function* conversation(meta: JSONObject | undefined): Generator<JSONObject> {
  for (const [method, wellFormed] of MESSAGES) {
    for (const params of damaged(
      meta === undefined ? wellFormed : { ...wellFormed, _meta: { ...wellFormed._meta, ...meta } },
    ))
      yield { method, params }
  }
}

/** What a server answers to the messages, a list for each of them. */
async function answersOf(serve: typeof serveSample, messages: Iterable<JSONObject>): Promise<unknown[][]> {
  const [client, server] = InMemoryTransport.createLinkedPair()
  const answers: unknown[][] = []
  client.onmessage = (message) => answers.at(-1)?.push(message)
  await client.start()
  serve(server)
  for (const message of messages) {
    answers.push([])
    const isNotification = String(message.method).startsWith('notifications/')
    const id = isNotification ? {} : { id: answers.length }
    await client.send(JSON.parse(JSON.stringify({ jsonrpc: '2.0', ...id, ...message })))
    // Handlers of the sample wait for nothing, so that all that comes of a message has come after a turn.
    await new Promise(setImmediate)
  }
  await client.close()
  return answers
}

describe.each([
  ['2025-06-18', undefined],
  ['2026-07-28', MODERN_META],
])('a server for %s', (_revision, meta) => {
  test('answers every message, right or wrong, as one on the SDK as it is', async () => {
    const code = await bundle("export { serveSample } from './sample-server.ts'")
    const lean: { serveSample: typeof serveSample } = await import(
      `data:text/javascript,${encodeURIComponent(code)}`
    )
    const messages = [...conversation(meta)]
    const expected = await answersOf(serveSample, messages)
    expect(
      expected.filter(([answer]) => JSON.stringify(answer)?.includes('"result"')).length,
    ).toBeGreaterThan(20)
    expect(await answersOf(lean.serveSample, messages)).toEqual(expected)
  })
})

test('leaves out the schemas that nothing uses', async () => {
  const code = await bundle("export { McpServer } from '@modelcontextprotocol/server'")
  expect(code).toContain('JSONRPCRequestSchema = ')
  expect(code).not.toMatch(/OAuthTokensSchema = |CreateMessageResultSchema = |specTypeSchemas/)
})
