import type { Budgets } from '../engine/history.ts'
import { MAIN_LINE, type ThoughtInput } from '../engine/thought.ts'
import type { Outcome } from '../engine/thought-chain.ts'
import { openChain, type Recorded, type RecordingOptions, recordThought } from './record-thought.ts'
import { findSession, isOpening } from './session-lookup.ts'
import { THINKING_OUTPUT_SCHEMA, type ThinkingResult, toThinkingResult } from './thinking-result.ts'
import { createArgumentParser } from './thought-arguments.ts'
import type { JsonSchema, Tool, ToolContext, ToolReply } from './tool.ts'

export interface SequentialThinkingOptions extends RecordingOptions {
  readonly budgets: Budgets
  /** How many sessions are kept for each caller; the description tells the model. */
  readonly maxSessions: number
}

/** The tool that records one step of a chain of thought per call. */
export function createSequentialThinkingTool(options: SequentialThinkingOptions): Tool {
  const { limits, budgets } = options
  const parse = createArgumentParser(limits)

  function open(input: ThoughtInput, context: ToolContext): Promise<Recorded<ThinkingResult>> {
    return openChain(input, context, options, (chain, outcome) =>
      toThinkingResult(chain, outcome, budgets, []),
    )
  }

  function record(
    sessionId: string,
    input: ThoughtInput,
    context: ToolContext,
  ): Promise<Recorded<ThinkingResult>> {
    return recordThought(sessionId, input, context, options, (chain, outcome) =>
      toThinkingResult(chain, outcome, budgets, explainRevision(input, outcome)),
    )
  }

  return {
    name: 'sequential_thinking',
    title: 'Sequential thinking',
    description: describe(options),
    inputSchema: INPUT_SCHEMA,
    outputSchema: THINKING_OUTPUT_SCHEMA,
    annotations: {
      // It changes nothing outside its own memory; without this hint clients ask the user to confirm every step.
      readOnlyHint: true,
      // Nothing that exists is lost: a revision is a version, and a chain is only added to.
      destructiveHint: false,
      // The same call twice is a retry or a second step, so a client must not repeat it at will.
      idempotentHint: false,
      // It reaches nothing beyond this process.
      openWorldHint: false,
    },
    async handle(args, context) {
      const { sessionId, input } = parse(args)
      const run = async () => {
        const target = sessionId ?? (await findSession(input, context))
        const recorded = target === undefined ? open(input, context) : record(target, input, context)
        return reply(await recorded, context)
      }
      const hasId = sessionId !== undefined || isOpening(input)
      return (await context.caller.openChains?.inOrder(hasId, run)) ?? run()
    },
  }
}

function reply(
  { sessionId, outcome, view, notice }: Recorded<ThinkingResult>,
  { caller }: ToolContext,
): ToolReply {
  const { thought, nextThoughtNeeded } = outcome
  caller.openChains?.note(sessionId, nextThoughtNeeded)
  return {
    result: { sessionId, ...withNotice(view, notice) },
    log: {
      session: sessionId,
      line: thought.line.branchId ?? MAIN_LINE,
      number: thought.thoughtNumber,
      revision: thought.revisionNumber,
    },
  }
}

function withNotice(result: ThinkingResult, notice: string | undefined): ThinkingResult {
  return notice === undefined ? result : { ...result, notices: [...(result.notices ?? []), notice] }
}

/** Tells a model that used the reference server's field what became of its call. */
function explainRevision({ revisionNumber }: ThoughtInput, { thought }: Outcome): string[] {
  if (typeof revisionNumber === 'number' || thought.revisionNumber === 0) return []
  return [
    `isRevision was taken as revision ${thought.revisionNumber} of thought ${thought.thoughtNumber}; to revise, send thoughtNumber and revisionNumber.`,
  ]
}

/** At most 1,024 characters, the limit of the strictest model vendor (OpenAI). */
function describe({ maxSessions }: SequentialThinkingOptions): string {
  return `Think a hard problem through, one step per call: debugging, planning, design, analysis, whatever has several parts or likely wrong turns. Not for a question that one sentence answers.
Write only conclusions and reasons in each thought. The first call (thoughtNumber 1) returns a sessionId: pass sessionId back on every later call. Set nextThoughtNeeded to false as soon as the key aspects are covered or the information suffices, then answer.
Revise: when a later step shows thought n wrong, send thoughtNumber n, revisionNumber 1 (next time 2) and the full replacement text.
Branch: for an alternative after thought n, send branchFromThought n, a branchId and thoughtNumber n+1 (the first thought of a branch is branchFromThought + 1); repeat branchId on its later thoughts, leave branchId out to go on with the main line.
A closed chain can still be corrected or continued. The ${maxSessions} chains last used are kept while the server runs.`
}

const INPUT_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    thought: { type: 'string', description: 'This step, self-contained' },
    thoughtNumber: {
      type: 'integer',
      minimum: 1,
      description: 'Its number, consecutive on its line',
    },
    totalThoughts: { type: 'integer', minimum: 1, description: 'Estimate, may change' },
    nextThoughtNeeded: { type: 'boolean', description: 'false ends the chain' },
    revisionNumber: {
      type: 'integer',
      minimum: 0,
      default: 0,
      description: '0: new; n: n-th revision of thoughtNumber',
    },
    branchFromThought: { type: 'integer', minimum: 1, description: 'Where a branch forks' },
    branchId: { type: 'string', description: 'Its branch; "main" is the main line' },
    sessionId: { type: 'string', description: 'From the first call; none starts a chain' },
  },
  required: ['thought', 'thoughtNumber', 'totalThoughts', 'nextThoughtNeeded'],
}
