import { setTimeout as sleep } from 'node:timers/promises'
import type { ContentBlock, McpServer } from '@modelcontextprotocol/server'

/** A red pixel. */
export const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='

/** A WAV file without a sample. */
const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA='

/** Between two notifications, so that a client gets them one by one. */
const PAUSE_MS = 50

const text = (value: string) => ({ type: 'text' as const, text: value })
const image = { type: 'image' as const, data: PNG, mimeType: 'image/png' }
const resource = (uri: string, mimeType: string, value: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: value },
})

/** What each tool that only answers answers. */
const ANSWERS: Record<string, ContentBlock[]> = {
  test_simple_text: [text('This is a simple text response for testing.')],
  test_image_content: [image],
  test_audio_content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }],
  test_embedded_resource: [
    resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
  ],
  test_multiple_content_types: [
    text('Multiple content types test:'),
    image,
    resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ],
  test_streaming_elicitation: [text('The stream carries this result only.')],
}

/** The suite's tools that ask the client for nothing. */
export function registerTools(server: McpServer): void {
  for (const [name, content] of Object.entries(ANSWERS)) {
    server.registerTool(name, { description: name }, async () => ({ content }))
  }

  server.registerTool('test_error_handling', { description: 'Fails' }, async () => {
    throw new Error('This tool intentionally returns an error for testing')
  })

  server.registerTool('test_tool_with_logging', { description: 'Logs in steps' }, async ({ mcpReq }) => {
    for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data } })
      await sleep(PAUSE_MS)
    }
    return { content: [text('Tool with logging executed successfully')] }
  })

  server.registerTool('test_logging_tool', { description: 'Logs where it may' }, async ({ mcpReq }) => {
    await mcpReq.log('info', 'Seen only by a client that set a log level')
    return { content: [text('Logged')] }
  })

  server.registerTool('test_tool_with_progress', { description: 'Reports progress' }, async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined) {
        const params = { progressToken, progress, total: 100 }
        await mcpReq.notify({ method: 'notifications/progress', params })
      }
      await sleep(PAUSE_MS)
    }
    return { content: [text('Done')] }
  })
}
