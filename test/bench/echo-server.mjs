// The floor: JSON-RPC over stdio by hand, no SDK, no validation, no state.
// What another server costs beyond this one is its own doing.

const protocolVersions = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']
const serverInfo = { name: 'echo', version: '0.0.0' }
const capabilities = { tools: {} }

const tools = [
  {
    name: 'echo',
    description: 'Returns the thought.',
    inputSchema: { type: 'object', properties: { thought: { type: 'string' } }, required: ['thought'] },
  },
]

function answer(method, params) {
  switch (method) {
    case 'initialize':
      return { protocolVersion: params.protocolVersion, capabilities, serverInfo }
    case 'server/discover':
      return { resultType: 'complete', supportedVersions: protocolVersions, capabilities, serverInfo }
    case 'tools/list':
      return { tools }
    case 'tools/call':
      return { content: [{ type: 'text', text: params.arguments.thought }] }
    case 'ping':
      return {}
    default:
      return undefined
  }
}

function handle(line) {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const result = answer(method, params)
  const reply =
    result === undefined
      ? { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } }
      : { jsonrpc: '2.0', id, result }
  process.stdout.write(`${JSON.stringify(reply)}\n`)
}

let rest = ''
process.stdin.setEncoding('utf8')
process.stdin.on('data', (chunk) => {
  rest += chunk
  let start = 0
  for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n', start)) {
    handle(rest.slice(start, end))
    start = end + 1
  }
  rest = rest.slice(start)
})
