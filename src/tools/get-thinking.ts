import * as z from 'zod'
import { wholeHistory } from '../engine/history.ts'
import type { ThoughtChain } from '../engine/thought-chain.ts'
import { onFirstUse } from '../on-first-use.ts'
import type { SessionSummary } from '../sessions/session-store.ts'
import * as lenient from './lenient.ts'
import { sessionNotFound } from './session-lookup.ts'
import { toBranchViews } from './thinking-result.ts'
import type { Tool, ToolContext, ToolReply } from './tool.ts'

/** Characters of a chain that come back whole: well below the 25,000 tokens to which Claude Code limits a result. */
const MAX_HISTORY_CHARS = 60_000

const MAX_LISTED_SESSIONS = 10

const argumentsSchema = onFirstUse(() =>
  lenient.camelCaseKeys(
    ['sessionId'],
    z.object({
      sessionId: lenient.optionalString({
        name: 'sessionId',
        meaning: 'the id that the first call of the chain returned',
      }),
    }),
  ),
)

/** The tool that gives a chain back to a model whose context was cut. It records nothing. */
export function createGetThinkingTool(): Tool {
  return {
    name: 'get_thinking',
    title: 'Get thinking',
    description:
      'Returns a chain of sequential_thinking whole: when your context was cut or the user asks to see it. Without sessionId it lists the chains last used.',
    inputSchema: {
      type: 'object',
      properties: { sessionId: { type: 'string', description: 'Leave out to list chains' } },
    },
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    async handle(args, context) {
      const sessionId = lenient.parseArguments(argumentsSchema(), args).sessionId?.toLowerCase()
      const run = () => (sessionId === undefined ? list(context) : read(sessionId, context))
      return (await context.caller.openChains?.inOrder(true, run)) ?? run()
    },
  }
}

async function list({ sessions, caller }: ToolContext): Promise<ToolReply> {
  const listed = caller.maySeeList ? await sessions.list(caller.owner, MAX_LISTED_SESSIONS) : []
  return { result: { sessions: listed.map(toListed) }, log: {} }
}

/** What a model needs to find its chain; the rest is for people, see `thinking://sessions`. */
function toListed({ opened, lastCall, ...session }: SessionSummary) {
  return session
}

async function read(sessionId: string, { sessions, caller }: ToolContext): Promise<ToolReply> {
  const result = await sessions.use({ owner: caller.owner, sessionId }, toResult)
  if (result === undefined) throw sessionNotFound(sessionId)
  caller.openChains?.noteRead(sessionId)
  return { result: { sessionId, ...result }, log: { session: sessionId } }
}

function toResult(chain: ThoughtChain) {
  return {
    nextThoughtNeeded: chain.isOpen,
    nextThoughtNumber: chain.main.next,
    branches: toBranchViews(chain),
    thoughtHistoryLength: chain.nodes.length,
    thinkingHistory: wholeHistory(chain, MAX_HISTORY_CHARS),
  }
}
