import type { JSONRPCMessage, Result } from '@modelcontextprotocol/server'
import { TEXT_IS_DATA } from '../tools/text-is-data.ts'

/** A message as JSON. What a result says both as text and as data is turned into JSON once. */
export function toJson(message: JSONRPCMessage): string {
  if (!('result' in message)) return JSON.stringify(message)
  const data = dataOf(message.result)
  if (data === undefined) return JSON.stringify(message)
  const { structuredContent: _, ...others } = message.result
  const result = `${JSON.stringify(others).slice(0, -1)},"structuredContent":${data}}`
  return `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":${result}}`
}

/** The JSON of a result's data, where its text is that. */
function dataOf(result: Result): string | undefined {
  if (!(TEXT_IS_DATA in result) || !('structuredContent' in result) || !Array.isArray(result.content))
    return undefined
  const [block]: unknown[] = result.content
  const text = typeof block === 'object' && block !== null && 'text' in block ? block.text : undefined
  return typeof text === 'string' ? text : undefined
}
