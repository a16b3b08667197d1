import type { JSONRPCMessage } from '@modelcontextprotocol/server'
import { expect, test } from 'vitest'
import { TEXT_IS_DATA } from '../../src/tools/text-is-data.ts'
import { toJson } from '../../src/transports/message-json.ts'

const data = { thought: 'a "quoted"\n\u2028 \ud800 thought', thinkingHistory: [{ thoughtNumber: 1 }] }
const said = { content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: data }

const MESSAGES: Record<string, JSONRPCMessage> = {
  'a request': { jsonrpc: '2.0', id: 1, method: 'ping' },
  'an error': { jsonrpc: '2.0', id: 'a', error: { code: 1, message: 'no' } },
  'a result without data': { jsonrpc: '2.0', id: 1, result: { content: [] } },
  'a result with another text': {
    jsonrpc: '2.0',
    id: 1,
    result: { ...said, content: [{ type: 'text', text: 'x' }] },
  },
  'a result that says so': { jsonrpc: '2.0', id: '"', result: { ...said, [TEXT_IS_DATA]: true } },
  'a result of the newer era that says so': {
    jsonrpc: '2.0',
    id: 7,
    result: { _meta: { a: 1 }, resultType: 'complete', ...said, [TEXT_IS_DATA]: true },
  },
}

test.each(Object.entries(MESSAGES))('writes %s as JSON', (_what, message) => {
  const text = toJson(message)
  expect(text).not.toMatch(/\n/)
  expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(message)))
})

test('takes the text for the data where the result says so', () => {
  const result = { content: [{ type: 'text', text: '{"as":"text"}' }], structuredContent: { as: 'data' } }
  const message = { jsonrpc: '2.0' as const, id: 1, result }
  expect(JSON.parse(toJson(message)).result.structuredContent).toEqual({ as: 'data' })
  const marked = { ...message, result: { ...result, [TEXT_IS_DATA]: true } }
  expect(JSON.parse(toJson(marked)).result.structuredContent).toEqual({ as: 'text' })
})
