import type { JSONRPCRequest, JSONRPCResultResponse } from '@modelcontextprotocol/server'

// Most messages have nothing out of the ordinary. The SDK looks at each of them with a schema several times, so its
// build here (see scripts/lean-sdk.ts) asks these first, and its schemas about what they do not take.

const CALL_PARAMS = ['name', 'arguments', '_meta']

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

/** Whether a request is a `tools/call` without anything out of the ordinary. */
export function isPlainCall(method: string, request: unknown): boolean {
  if (method !== 'tools/call' || !isObject(request) || !('params' in request && 'method' in request))
    return false
  const { params } = request
  if (request.method !== method || !isObject(params)) return false
  if (!('name' in params) || typeof params.name !== 'string') return false
  if ('arguments' in params && !isRecord(params.arguments)) return false
  if ('_meta' in params && !isPlainMeta(params._meta)) return false
  return Object.keys(params).every((name) => CALL_PARAMS.includes(name))
}

/** Whether a result of `tools/call` is a text and the data that it stands for, without anything else. */
export function isPlainCallResult(method: string, result: unknown): boolean {
  if (method !== 'tools/call' || !isObject(result) || Object.keys(result).length !== 2) return false
  if (!('content' in result && 'structuredContent' in result && Array.isArray(result.content))) return false
  const [block, ...others]: unknown[] = result.content
  return others.length === 0 && isPlainText(block) && isRecord(result.structuredContent)
}

function isPlainId(id: unknown): boolean {
  return typeof id === 'string' || Number.isSafeInteger(id)
}

function isPlainMeta(meta: unknown): boolean {
  if (!isRecord(meta) || 'io.modelcontextprotocol/related-task' in meta) return false
  return !('progressToken' in meta) || isPlainId(meta.progressToken)
}

function isPlainText(block: unknown): boolean {
  if (!isObject(block) || Object.keys(block).length !== 2 || !('type' in block && 'text' in block))
    return false
  return block.type === 'text' && typeof block.text === 'string'
}

/** Any object will do, but what the protocol itself keeps in it has a form. */
function hasNoMeta(value: unknown): boolean {
  return isObject(value) && !('_meta' in value)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An object that JSON could be read to, without a name that a copy of it would lose. */
function isRecord(value: unknown): value is object {
  return (
    isObject(value) && Object.getPrototypeOf(value) === Object.prototype && !Object.hasOwn(value, '__proto__')
  )
}
