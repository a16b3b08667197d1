import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { PNG } from './tools.ts'

const user = (text: string) => ({ role: 'user' as const, content: { type: 'text' as const, text } })

export function registerResources(server: McpServer): void {
  const register = (name: string, mimeType: string, content: { text: string } | { blob: string }) => {
    const uri = `test://${name}`
    server.registerResource(name, uri, { mimeType }, async () => ({
      contents: [{ uri, mimeType, ...content }],
    }))
  }
  register('static-text', 'text/plain', { text: 'This is the content of the static text resource.' })
  register('static-binary', 'image/png', { blob: PNG })
  register('watched-resource', 'text/plain', { text: 'Watched resource content' })

  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { mimeType: 'application/json' },
    async ({ href }, { id }) => {
      const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` })
      return { contents: [{ uri: href, mimeType: 'application/json', text }] }
    },
  )
  server.server.setRequestHandler('resources/subscribe', async () => ({}))
  server.server.setRequestHandler('resources/unsubscribe', async () => ({}))
}

export function registerPrompts(server: McpServer): void {
  server.registerPrompt('test_simple_prompt', { description: 'Without arguments' }, async () => ({
    messages: [user('This is a simple prompt for testing.')],
  }))
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'With arguments', argsSchema: z.object({ arg1: z.string(), arg2: z.string() }) },
    async ({ arg1, arg2 }) => ({
      messages: [user(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
    }),
  )
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'With a resource', argsSchema: z.object({ resourceUri: z.string() }) },
    async ({ resourceUri }) => {
      const resource = {
        uri: resourceUri,
        mimeType: 'text/plain',
        text: 'Embedded resource content for testing.',
      }
      return {
        messages: [
          { role: 'user', content: { type: 'resource', resource } },
          user('Please process the embedded resource above.'),
        ],
      }
    },
  )
  server.registerPrompt('test_prompt_with_image', { description: 'With an image' }, async () => ({
    messages: [
      { role: 'user', content: { type: 'image', data: PNG, mimeType: 'image/png' } },
      user('Please analyze the image above.'),
    ],
  }))
  server.server.setRequestHandler('completion/complete', async () => ({
    completion: { values: [], total: 0, hasMore: false },
  }))
}
