import { McpServer, ResourceTemplate, type Transport } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import * as z from 'zod'

/** Serves tools, a resource, a template and a prompt: of each kind of request some can be answered. */
export function serveSample(transport: Transport): void {
  serveStdio(() => createSampleServer(), { transport, onerror: () => {} })
}

function createSampleServer(): McpServer {
  const server = new McpServer(
    { name: 'sample', version: '1.0.0' },
    { capabilities: { logging: {}, resources: { subscribe: true } } },
  )
  server.registerTool('echo', { inputSchema: z.object({ text: z.string() }) }, ({ text }) => ({
    content: [{ type: 'text', text }],
    structuredContent: { text },
  }))
  server.registerTool('give', { inputSchema: z.object({ result: z.any() }) }, ({ result }) => result)
  server.registerResource('list', 'sample://list', { mimeType: 'text/plain' }, ({ href }) => ({
    contents: [{ uri: href, text: 'all' }],
  }))
  server.registerResource(
    'one',
    new ResourceTemplate('sample://one/{id}', { list: undefined, complete: { id: () => ['a', 'b'] } }),
    {},
    ({ href }, { id }) => ({ contents: [{ uri: href, text: String(id) }] }),
  )
  server.registerPrompt('ask', { argsSchema: z.object({ topic: z.string().optional() }) }, ({ topic }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: topic ?? 'anything' } }],
  }))
  return server
}
