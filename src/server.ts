import { McpServer, type ServerContext } from '@modelcontextprotocol/server'
import { ThoughtError } from './engine/errors.ts'
import type { Budgets } from './engine/history.ts'
import type { Limits } from './engine/limits.ts'
import type { RecordOptions } from './engine/record.ts'
import { describeFailure, type Logger, loggedId } from './logger.ts'
import { registerThinkStepByStep } from './prompts/think-step-by-step.ts'
import type { SessionFiles } from './record-files/session-files.ts'
import { registerSessionResources } from './resources/sessions.ts'
import { registerView } from './resources/view.ts'
import type { SessionStore } from './sessions/session-store.ts'
import { createGetThinkingTool } from './tools/get-thinking.ts'
import type { Summarizer } from './tools/record-thought.ts'
import { createSequentialThinkingTool } from './tools/sequential-thinking.ts'
import {
  advertised,
  type Caller,
  type CallLog,
  type ReportProgress,
  type Tool,
  type ToolContext,
  ToolFailure,
} from './tools/tool.ts'

declare const __SEQTHINK_VERSION__: string

/** The version in package.json, fixed at build time. */
export const VERSION: string = __SEQTHINK_VERSION__

/** The lists change only with the version of the server. */
const LIST_CACHE = { ttlMs: 3_600_000, cacheScope: 'public' } as const

/** Clients that can show the view are told of it in the tool's definition, so the list is not the same for all. */
const TOOLS_CACHE = { ...LIST_CACHE, cacheScope: 'private' } as const

/** At most 600 characters: when to use the tool, and when not. */
const INSTRUCTIONS =
  'Use sequential_thinking before you answer a problem that takes several dependent steps, may need a change of course, or is easy to get wrong: debugging, planning, design, analysis, proofs, comparisons. Call it once a step, revise earlier thoughts when a later one shows them wrong, branch to try an alternative, and stop as soon as the information suffices; then answer the user. Do not use it for lookups, small talk or anything that one sentence answers. get_thinking brings a chain back when your context was cut.'

export interface ServerOptions extends Partial<RecordOptions> {
  readonly sessions: SessionStore
  readonly limits: Limits
  readonly budgets: Budgets
  readonly maxSessions: number
  /** Where sessions are written as they go, if anywhere. */
  readonly files?: SessionFiles | undefined
  /** Whether clients that support MCP Apps get a view of the chain. */
  readonly hasView?: boolean
  readonly logger: Logger
  /** Words the summaries; the built-in excerpt where it is absent or has nothing to say. */
  readonly summarize?: Summarizer | undefined
  /** Beside the tools that are always there. */
  readonly moreTools?: readonly Tool[]
}

/** Makes the tools once and returns what makes a server for each connection. */
export function createServerFactory(options: ServerOptions): (caller: Caller) => McpServer {
  const tools = [createSequentialThinkingTool(options), createGetThinkingTool(), ...(options.moreTools ?? [])]
  return (caller) => createServer(tools, caller, options)
}

function createServer(
  tools: readonly Tool[],
  caller: Caller,
  { sessions, maxSessions, hasView = true, logger }: ServerOptions,
): McpServer {
  const server = new McpServer(
    { name: 'seqthink-mcp', title: 'Sequential Thinking', version: VERSION },
    {
      instructions: INSTRUCTIONS,
      capabilities: {
        tools: { listChanged: false },
        prompts: { listChanged: false },
        resources: { listChanged: false },
      },
      cacheHints: {
        'server/discover': LIST_CACHE,
        'tools/list': TOOLS_CACHE,
        'prompts/list': LIST_CACHE,
        'resources/templates/list': LIST_CACHE,
      },
    },
  )
  for (const tool of tools) {
    const { title, description, annotations, outputSchema } = tool
    const config = { title, description, annotations, inputSchema: advertised(tool.inputSchema) }
    server.registerTool(
      tool.name,
      outputSchema === undefined ? config : { ...config, outputSchema: advertised(outputSchema) },
      (args, { mcpReq }) =>
        call(tool, args, { sessions, caller, logger, signal: mcpReq.signal, ...progressOf(mcpReq) }),
    )
  }
  registerThinkStepByStep(server)
  const listResources = registerSessionResources(server, { sessions, maxSessions, caller, logger })
  if (hasView) registerView(server, { tools, listResources, logger })
  return server
}

interface CallContext extends ToolContext {
  readonly logger: Logger
}

/** Reports to the client, if it gave a token for that; a client that is gone misses it. */
function progressOf({ _meta, notify }: ServerContext['mcpReq']): { reportProgress?: ReportProgress } {
  const progressToken = _meta?.progressToken
  if (progressToken === undefined) return {}
  return {
    reportProgress: (progress, total, message) => {
      const params = { progressToken, progress, total, message }
      notify({ method: 'notifications/progress', params }).catch(() => {})
    },
  }
}

/** Runs a tool. Whatever it throws becomes an answer here and nowhere else. */
async function call(tool: Tool, args: unknown, { logger, ...context }: CallContext) {
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
