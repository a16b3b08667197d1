import {
  CLIENT_CAPABILITIES_META_KEY,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { ThoughtError } from '../engine/errors.ts'
import { describeFailure, type Logger, loggedId } from '../logger.ts'
import type { SessionStore } from '../sessions/session-store.ts'
import { TEXT_IS_DATA } from './text-is-data.ts'
import {
  type Caller,
  type CallLog,
  type ReportProgress,
  type Tool,
  type ToolContext,
  ToolFailure,
} from './tool.ts'

export interface ToolsContext {
  readonly tools: readonly Tool[]
  readonly sessions: SessionStore
  readonly caller: Caller
  readonly logger: Logger
  /** What a tool's definition carries in `_meta`, for a client with these capabilities; nothing by default. */
  readonly metaOf?: (toolName: string, clientCapabilities: unknown) => Record<string, unknown> | undefined
}

/**
 * Answers `tools/list` and `tools/call` in the place of the SDK's `registerTool`, whose list is the same for every
 * client, and which checks each call once more and words what is wrong with it before the tool sees it.
 */
export function registerTools(
  server: McpServer,
  { tools, sessions, caller, logger, metaOf }: ToolsContext,
): void {
  server.server.setRequestHandler('tools/list', (_, { mcpReq }) => {
    const envelope: Record<string, unknown> = { ...mcpReq.envelope }
    const capabilities = envelope[CLIENT_CAPABILITIES_META_KEY] ?? server.server.getClientCapabilities()
    return { tools: tools.map((tool) => toDefinition(tool, metaOf?.(tool.name, capabilities))) }
  })

  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  server.server.setRequestHandler('tools/call', ({ params }, { mcpReq }) => {
    const tool = byName.get(params.name)
    if (tool === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool ${params.name} not found`)
    const context = {
      sessions,
      caller,
      get signal() {
        return mcpReq.signal
      },
      reportProgress: reporterOf(mcpReq),
    }
    return call(tool, params.arguments ?? {}, context, logger)
  })
}

function toDefinition(tool: Tool, meta: Record<string, unknown> | undefined) {
  const { name, title, description, inputSchema, annotations, outputSchema } = tool
  return {
    name,
    title,
    description,
    inputSchema: { ...inputSchema, type: 'object' as const },
    annotations,
    ...(meta !== undefined && { _meta: meta }),
    ...(outputSchema !== undefined && { outputSchema: { ...outputSchema, type: 'object' as const } }),
  }
}

/** Reports to the client, if it gave a token for that; a client that is gone misses it. */
function reporterOf({ _meta, notify }: ServerContext['mcpReq']): ReportProgress | undefined {
  const progressToken = _meta?.progressToken
  if (progressToken === undefined) return undefined
  return (progress, total, message) => {
    const params = { progressToken, progress, total, message }
    notify({ method: 'notifications/progress', params }).catch(() => {})
  }
}

/** Runs a tool. Whatever it throws becomes an answer here and nowhere else. */
async function call(tool: Tool, args: unknown, context: ToolContext, logger: Logger) {
  const isLogged = logger.isEnabled('info')
  const startedMs = isLogged ? performance.now() : 0
  const logCall = (fields: CallLog & { code?: string }, message: string) => {
    if (!isLogged) return
    const session = fields.session === undefined ? undefined : loggedId(fields.session)
    logger.info({ tool: tool.name, ...fields, session, durationMs: performance.now() - startedMs }, message)
  }
  try {
    const { result, text, log } = await tool.handle(args, context)
    logCall(log, 'call')
    return {
      content: [{ type: 'text' as const, text: text ?? JSON.stringify(result) }],
      structuredContent: result,
      ...(text === undefined && { [TEXT_IS_DATA]: true }),
    }
  } catch (error) {
    if (error instanceof ThoughtError) {
      logCall({ code: error.code }, 'refused')
      return toErrorResult(error.message, { 'seqthink/code': error.code })
    }
    if (error instanceof ToolFailure) {
      logCall({ code: error.code }, 'not done')
      return toErrorResult(error.message, { 'seqthink/code': error.code, ...error.meta })
    }
    logger.error({ tool: tool.name, ...describeFailure(error) }, 'call failed')
    return toErrorResult(
      'The server failed unexpectedly. Send the same call again, it will not be recorded twice; if it fails again, go on without this tool.',
    )
  }
}

function toErrorResult(message: string, meta?: Record<string, unknown>) {
  return {
    content: [{ type: 'text' as const, text: message }],
    isError: true,
    ...(meta !== undefined && { _meta: meta }),
  }
}
