import { McpServer } from '@modelcontextprotocol/server'
import type { Budgets } from './engine/history.ts'
import type { Limits } from './engine/limits.ts'
import type { RecordOptions } from './engine/record.ts'
import type { Logger } from './logger.ts'
import { registerThinkStepByStep } from './prompts/think-step-by-step.ts'
import type { SessionFiles } from './record-files/session-files.ts'
import { registerSessionResources } from './resources/sessions.ts'
import { registerView, viewMetaOf } from './resources/view.ts'
import type { SessionStore } from './sessions/session-store.ts'
import { createGetThinkingTool } from './tools/get-thinking.ts'
import type { Summarizer } from './tools/record-thought.ts'
import { registerTools } from './tools/register-tools.ts'
import { createSequentialThinkingTool } from './tools/sequential-thinking.ts'
import type { Caller, Tool } from './tools/tool.ts'

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
  registerTools(server, { tools, sessions, caller, logger, ...(hasView && { metaOf: viewMetaOf }) })
  registerThinkStepByStep(server)
  const listResources = registerSessionResources(server, { sessions, maxSessions, caller, logger })
  if (hasView) registerView(server, { listResources, logger })
  return server
}
