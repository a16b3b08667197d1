import type { JSONRPCRequest, JSONRPCResultResponse } from '@modelcontextprotocol/server'

// Most messages have nothing out of the ordinary. The SDK looks at each of them with a schema several times, so its
// build here (see scripts/lean-sdk.ts) asks these first, and its schemas about what they do not take.

/** Whether a value is a request without anything out of the ordinary. */
export function isPlainRequest(value: unknown): value is JSONRPCRequest {
  if (!isObject(value) || Object.keys(value).length !== 4) return false
  if (!('jsonrpc' in value && 'id' in value && 'method' in value && 'params' in value)) return false
  const { jsonrpc, id, method, params } = value
  return jsonrpc === '2.0' && isPlainId(id) && typeof method === 'string' && hasNoMeta(params)
}

/** Whether a value is the answer to a request that succeeded, without anything out of the ordinary. */
export function isPlainResult(value: unknown): value is JSONRPCResultResponse {
  if (!isObject(value) || Object.keys(value).length !== 3) return false
  if (!('jsonrpc' in value && 'id' in value && 'result' in value)) return false
  return value.jsonrpc === '2.0' && isPlainId(value.id) && hasNoMeta(value.result)
}

function isPlainId(id: unknown): boolean {
  return typeof id === 'string' || Number.isSafeInteger(id)
}

/** Any object will do, but what the protocol itself keeps in it has a form. */
function hasNoMeta(value: unknown): boolean {
  return isObject(value) && !('_meta' in value)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
