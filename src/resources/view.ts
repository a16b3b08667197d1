import {
  CLIENT_CAPABILITIES_META_KEY,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type Resource,
} from '@modelcontextprotocol/server'
import * as z from 'zod'
import { describeFailure, type Logger } from '../logger.ts'
import type { Tool } from '../tools/tool.ts'

const VIEW_URI = 'ui://seqthink/chain'
const VIEW_MIME_TYPE = 'text/html;profile=mcp-app'
const TOOL_WITH_VIEW = 'sequential_thinking'

/** What the tool's definition carries for the view; hosts of the draft read the flat key. */
const VIEW_META = { ui: { resourceUri: VIEW_URI }, 'ui/resourceUri': VIEW_URI }

/** Capabilities of a client that shows the views of MCP Apps. */
const appsCapabilitySchema = z.object({
  extensions: z.object({ 'io.modelcontextprotocol/ui': z.object({}) }),
})

interface ViewContext {
  readonly tools: readonly Tool[]
  /** The resources that people pick from a menu. */
  readonly listResources: () => Promise<Resource[]>
  readonly logger: Logger
}

/**
 * Offers the view of a chain to clients that support MCP Apps: the page, which is read only when a host asks for
 * it, and the tool that it belongs to. For other clients the definition of the tool stays as it is.
 */
export function registerView(server: McpServer, { tools, listResources, logger }: ViewContext): void {
  server.registerResource(
    'chain-view',
    VIEW_URI,
    {
      title: 'Chain as a view',
      description: 'Draws the chain inside the conversation, in clients that support MCP Apps',
      mimeType: VIEW_MIME_TYPE,
    },
    async ({ href }) => {
      const text = await readPage(logger)
      const meta = { ui: { permissions: { clipboardWrite: {} }, prefersBorder: true } }
      return { contents: [{ uri: href, mimeType: VIEW_MIME_TYPE, text, _meta: meta }] }
    },
  )

  // Nobody has a use for the page in a menu: a host finds it through the tool.
  server.server.setRequestHandler('resources/list', async () => ({ resources: await listResources() }))

  // The SDK's own list is the same for every client.
  server.server.setRequestHandler('tools/list', (_, { mcpReq }) => {
    const envelope: Record<string, unknown> = { ...mcpReq.envelope }
    const capabilities = envelope[CLIENT_CAPABILITIES_META_KEY] ?? server.server.getClientCapabilities()
    const showsViews = appsCapabilitySchema.safeParse(capabilities).success
    return {
      tools: tools.map(({ name, title, description, inputSchema, annotations, outputSchema }) => ({
        name,
        title,
        description,
        inputSchema: { ...inputSchema, type: 'object' as const },
        annotations,
        ...(showsViews && name === TOOL_WITH_VIEW && { _meta: VIEW_META }),
        ...(outputSchema !== undefined && { outputSchema: { ...outputSchema, type: 'object' as const } }),
      })),
    }
  })
}

async function readPage(logger: Logger): Promise<string> {
  try {
    const { readViewPage } = await import('../documents/view-page.ts')
    return await readViewPage()
  } catch (error) {
    logger.error({ resource: 'chain-view', ...describeFailure(error) }, 'read failed')
    throw new ProtocolError(ProtocolErrorCode.InternalError, 'The server failed unexpectedly.')
  }
}
