import { LRUCache } from 'lru-cache'
import type { Task } from '../agents/prompts.ts'
import type { Provider } from '../agents/provider.ts'
import type { ProviderConfig } from '../agents/providers.ts'
import type { ResearchConfig } from '../agents/research.ts'
import { toTask } from '../agents/task.ts'
import { createTurns } from '../agents/turns.ts'
import { type NoThinking, type Thinking, thinkWithAgents } from '../agents/workflow.ts'
import { MAIN_LINE, type Thought } from '../engine/thought.ts'
import { openChain, type Recorded, type RecordingOptions, recordThought } from './record-thought.ts'
import { findSession, sessionNotFound } from './session-lookup.ts'
import { createSpecialistParser, type SpecialistCall } from './specialist-arguments.ts'
import {
  SPECIALIST_OUTPUT_SCHEMA,
  type SpecialistResult,
  toSpecialistResult,
  toText,
} from './specialist-result.ts'
import { type JsonSchema, type Tool, type ToolContext, ToolFailure, type ToolReply } from './tool.ts'

export interface SpecialistThinkingOptions extends RecordingOptions {
  /** How many sessions are kept for each caller; the description tells the model. */
  readonly maxSessions: number
  readonly config: ProviderConfig
  readonly research: ResearchConfig | undefined
  readonly load: () => Promise<Provider>
  /** Time that the agents have for one thought, in milliseconds. */
  readonly deadlineMs: number
  /** Aborts when the server stops. */
  readonly shutdown: AbortSignal
}

/** The answer to the latest thought of a line. */
interface KeptAnswer {
  readonly thoughtNumber: number
  readonly revisionNumber: number
  readonly thinking: Thinking
}

/** Lines whose latest answer is kept for a client that asks again. */
const MAX_KEPT_ANSWERS = 1000

/** The tool that sends each thought of a chain through specialist agents and returns their answer. */
export function createSpecialistThinkingTool(options: SpecialistThinkingOptions): Tool {
  const { limits, config, research, load, deadlineMs, shutdown } = options
  const parse = createSpecialistParser(limits)
  const inTurn = createTurns()
  const kept = new LRUCache<string, KeptAnswer>({ max: MAX_KEPT_ANSWERS })

  async function think(task: Task, signal: AbortSignal, { reportProgress }: ToolContext): Promise<Thinking> {
    const provider = await load()
    const onAgentEnd = reportProgress ?? (() => {})
    const run = { provider, config, research, deadlineMs, signal, onAgentEnd }
    const thinking = await thinkWithAgents(task, run)
    if ('allFailed' in thinking) throw agentsFailed(thinking)
    return thinking
  }

  async function open(call: SpecialistCall, signal: AbortSignal, context: ToolContext): Promise<ToolReply> {
    const thinking = await think(toTask(call.input, undefined), signal, context)
    const recorded = await openChain(call.input, context, options, (_, outcome) =>
      toSpecialistResult(call, outcome, thinking, limits),
    )
    return conclude(recorded, thinking, context)
  }

  async function proceed(
    sessionId: string,
    call: SpecialistCall,
    signal: AbortSignal,
    context: ToolContext,
  ): Promise<ToolReply> {
    const { owner } = context.caller
    const prepared = await context.sessions.use({ owner, sessionId }, (chain) => {
      const target = chain.check(call.input)
      const again = target.kind === 'retry' ? keptAnswer(owner, sessionId, target.thought) : undefined
      return again === undefined ? { task: toTask(call.input, chain) } : { again }
    })
    if (prepared === undefined) throw sessionNotFound(sessionId)
    const thinking = prepared.again ?? (await think(prepared.task, signal, context))
    // The chain may have changed while the agents ran, so recording may refuse what the check let pass.
    const recorded = await recordThought(sessionId, call.input, context, options, (_, outcome) =>
      toSpecialistResult(call, outcome, thinking, limits),
    )
    return conclude(recorded, thinking, context)
  }

  function keptAnswer(owner: string, sessionId: string, thought: Thought): Thinking | undefined {
    const answer = kept.get(keyOf(owner, sessionId, thought))
    const isOfThis =
      answer?.thoughtNumber === thought.thoughtNumber && answer.revisionNumber === thought.revisionNumber
    return isOfThis ? answer.thinking : undefined
  }

  function conclude(
    { sessionId, outcome, view, notice }: Recorded<SpecialistResult>,
    thinking: Thinking,
    { caller }: ToolContext,
  ): ToolReply {
    const { thought, nextThoughtNeeded } = outcome
    const { line, thoughtNumber, revisionNumber } = thought
    kept.set(keyOf(caller.owner, sessionId, thought), { thoughtNumber, revisionNumber, thinking })
    caller.openChains?.note(sessionId, nextThoughtNeeded)
    const { next_call_arguments: next, parameter_usage: usage } = view
    return {
      result: {
        ...view,
        session_id: sessionId,
        ...(next !== undefined && { next_call_arguments: { ...next, sessionId } }),
        ...(notice !== undefined && { parameter_usage: { ...usage, thought: `${usage.thought} ${notice}` } }),
      },
      text: toText(sessionId, view),
      log: {
        session: sessionId,
        line: line.branchId ?? MAIN_LINE,
        number: thoughtNumber,
        revision: revisionNumber,
      },
    }
  }

  return {
    name: 'sequentialthinking',
    title: 'Sequential thinking with specialists',
    description: describe(options),
    inputSchema: INPUT_SCHEMA,
    outputSchema: SPECIALIST_OUTPUT_SCHEMA,
    // It reaches a model provider, and perhaps the web, and each call costs money.
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    async handle(args, context) {
      const call = parse(args)
      const signal = context.signal === undefined ? shutdown : AbortSignal.any([context.signal, shutdown])
      try {
        const sessionId = call.sessionId ?? (await findSession(call.input, context))
        if (sessionId === undefined) return await open(call, signal, context)
        // A retry that overtakes its first call would run all agents once more.
        return await inTurn(keyOf(context.caller.owner, sessionId), signal, () =>
          proceed(sessionId, call, signal, context),
        )
      } catch (error) {
        if (signal.aborted && error === signal.reason) throw cancelled(shutdown.aborted)
        throw error
      }
    },
  }
}

function keyOf(owner: string, sessionId: string, thought?: Thought): string {
  return JSON.stringify([owner, sessionId, thought?.line.branchId])
}

function agentsFailed({ allFailed }: NoThinking): ToolFailure {
  const reasons = new Map<string, string[]>()
  for (const { agent, reason } of allFailed) reasons.set(reason, [...(reasons.get(reason) ?? []), agent])
  const why = [...reasons].map(([reason, agents]) => `${agents.join(', ')}: ${reason}.`)
  return new ToolFailure(
    'agents_failed',
    `All specialists failed, so there is no answer and the thought was not recorded. ${why.join(' ')} Send the same call again once; if it fails again, tell the user the reason and go on with sequential_thinking, which needs no provider.`,
    { stop_reason: 'retry' },
  )
}

function cancelled(isShutdown: boolean): ToolFailure {
  return new ToolFailure(
    'cancelled',
    `${isShutdown ? 'The server is shutting down' : 'The call was cancelled'} before the specialists had answered, so the thought was not recorded. Send the same call again to have it done.`,
    { stop_reason: 'retry' },
  )
}

/** At most 1,024 characters, the limit of the strictest model vendor (OpenAI). */
function describe({ maxSessions }: SpecialistThinkingOptions): string {
  return `Have six specialists (factual, emotional, critical, optimistic, creative, metacognitive) think about a hard question and get one answer back, thought by thought. Slow (up to minutes a call) and paid: for questions worth it, not for what one sentence answers.
This is a loop, not a single call. First call: thoughtNumber 1, the whole question as thought, your estimate as totalThoughts (3 to 7), nextThoughtNeeded true. After each call read should_continue: while it is true, call again with next_call_arguments, which hold the sessionId, with your own next thought in the place of theirs: what the answer leaves open or gets wrong. When it is false, stop and answer the user from the last answer.
Revise weak steps: isRevision true, revisesThought with its number, the full new text. Branch: branchFromThought n, a branchId, thoughtNumber n+1; later only the branchId. If the plan was too short, needsMoreThoughts true. To end early, nextThoughtNeeded false. The ${maxSessions} chains last used are kept while the server runs.`
}

const INPUT_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    thought: { type: 'string', description: 'This step, self-contained; first the whole question' },
    thoughtNumber: { type: 'integer', minimum: 1, description: 'Its number, consecutive on its line' },
    totalThoughts: { type: 'integer', minimum: 1, description: 'Estimate, may change' },
    nextThoughtNeeded: { type: 'boolean', description: 'false ends the chain' },
    isRevision: { type: 'boolean', default: false, description: 'Replaces an earlier thought' },
    revisesThought: { type: 'integer', minimum: 1, description: 'Which one isRevision replaces' },
    branchFromThought: { type: 'integer', minimum: 1, description: 'Where a branch forks' },
    branchId: { type: 'string', description: 'Its branch; "main" is the main line' },
    needsMoreThoughts: { type: 'boolean', default: false, description: 'Go on beyond the plan' },
    sessionId: { type: 'string', description: 'session_id of the first call; none starts a chain' },
  },
  required: ['thought', 'thoughtNumber', 'totalThoughts', 'nextThoughtNeeded'],
}
