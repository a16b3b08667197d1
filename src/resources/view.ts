import { type McpServer, ProtocolError, ProtocolErrorCode, type Resource } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { describeFailure, type Logger } from '../logger.ts'

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
  /** The resources that people pick from a menu. */
  readonly listResources: () => Promise<Resource[]>
  readonly logger: Logger
}

/** What a tool's definition says of the view; nothing to clients that cannot show it. */
export function viewMetaOf(toolName: string, clientCapabilities: unknown): typeof VIEW_META | undefined {
  const showsViews = appsCapabilitySchema.safeParse(clientCapabilities).success
  return showsViews && toolName === TOOL_WITH_VIEW ? VIEW_META : undefined
}

/** Offers the page that draws a chain. It is read only when a host asks for it. */
export function registerView(server: McpServer, { listResources, logger }: ViewContext): void {
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
