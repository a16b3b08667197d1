import type { MissingPerspective, Thinking } from '../agents/workflow.ts'
import type { Limits } from '../engine/limits.ts'
import { shorten } from '../engine/thought.ts'
import type { Outcome } from '../engine/thought-chain.ts'
import { describeUsage } from './parameter-usage.ts'
import type { SpecialistCall } from './specialist-arguments.ts'
import type { JsonSchema } from './tool.ts'

type StopReason =
  | 'next_thought_required'
  | 'needs_more_thoughts'
  | 'thought_sequence_complete'
  | 'stopped_early'
  | 'step_limit_reached'
  | 'repetition'

/** The arguments of the call that goes on; a caller puts its own thought in the place of the one here. */
interface NextCallArguments {
  readonly thought: string
  readonly thoughtNumber: number
  readonly totalThoughts: number
  readonly nextThoughtNeeded: boolean
  readonly branchId?: string
  readonly sessionId: string
}

/** What a call returns, without the id of its session. */
export interface SpecialistResult {
  readonly answer: string
  readonly should_continue: boolean
  readonly next_thought_number: number
  readonly stop_reason: StopReason
  readonly current_thought_number: number
  readonly total_thoughts: number
  readonly next_call_arguments?: Omit<NextCallArguments, 'sessionId'>
  readonly parameter_usage: Readonly<Record<string, string>>
  readonly missing_perspectives: readonly MissingPerspective[]
  readonly complexity: Thinking['complexity']
}

export function toSpecialistResult(
  call: SpecialistCall,
  outcome: Outcome,
  { answer, missing, complexity }: Thinking,
  limits: Limits,
): SpecialistResult {
  const { thought, totalThoughts, nextThoughtNeeded } = outcome
  return {
    answer,
    should_continue: nextThoughtNeeded,
    next_thought_number: thought.line.next,
    stop_reason: stopReason(call, outcome),
    current_thought_number: thought.thoughtNumber,
    total_thoughts: totalThoughts,
    ...(nextThoughtNeeded && { next_call_arguments: nextCall(outcome, limits) }),
    parameter_usage: describeUsage(call, outcome),
    missing_perspectives: missing,
    complexity,
  }
}

/** For a client that shows a model only text: the answer, then one line of JSON with what decides the next call. */
export function toText(sessionId: string, result: SpecialistResult): string {
  const { answer, should_continue, stop_reason, next_call_arguments, missing_perspectives } = result
  const control = {
    should_continue,
    stop_reason,
    session_id: sessionId,
    ...(next_call_arguments !== undefined && {
      next_call_arguments: { ...next_call_arguments, sessionId },
    }),
    ...(missing_perspectives.length > 0 && { missing_perspectives }),
  }
  return `${answer}\n\n${JSON.stringify(control)}`
}

function stopReason(
  { sent }: SpecialistCall,
  { stops, nextThoughtNeeded, thought, totalThoughts }: Outcome,
): StopReason {
  if (stops.includes('step_limit')) return 'step_limit_reached'
  if (stops.includes('repetition')) return 'repetition'
  if (nextThoughtNeeded) return sent.nextThoughtNeeded ? 'next_thought_required' : 'needs_more_thoughts'
  return thought.line.next - 1 < totalThoughts ? 'stopped_early' : 'thought_sequence_complete'
}

/**
 * The next step of the line. It asks to continue only below the planned total, which it raises no further than to
 * its own number: so the numbers rise to the total, and whoever follows comes to an end.
 */
function nextCall({ thought: { line }, totalThoughts }: Outcome, { maxThoughtChars }: Limits) {
  const thoughtNumber = line.next
  const total = Math.max(totalThoughts, thoughtNumber)
  const isLast = thoughtNumber === total
  const task = isLast
    ? 'draw the conclusion: the answer to the original question, with what is still open.'
    : 'go on from the answer so far: examine its weakest point, correct it, and settle what is open.'
  return {
    thought: shorten(`Thought ${thoughtNumber} of ${total}: ${task}`, maxThoughtChars),
    thoughtNumber,
    totalThoughts: total,
    nextThoughtNeeded: !isLast,
    ...(line.branchId !== undefined && { branchId: line.branchId }),
  }
}

const integer = { type: 'integer' }
const boolean = { type: 'boolean' }
const string = { type: 'string' }

/** Describes {@link SpecialistResult} with the session's id. */
export const SPECIALIST_OUTPUT_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    answer: { ...string, description: 'answer to the original question as of this thought' },
    should_continue: { ...boolean, description: 'obey: false means answer the user now' },
    next_thought_number: { ...integer, description: 'next on this line' },
    stop_reason: { ...string, description: 'why it goes on or ends' },
    current_thought_number: { ...integer, description: 'as recorded' },
    total_thoughts: { ...integer, description: 'as recorded' },
    next_call_arguments: {
      type: 'object',
      description: 'arguments of the next call; put your own thought in',
      properties: {
        thought: { ...string, description: 'a task to replace by your thought' },
        thoughtNumber: { ...integer, description: 'its number' },
        totalThoughts: { ...integer, description: 'estimate' },
        nextThoughtNeeded: { ...boolean, description: 'whether one more follows' },
        branchId: { ...string, description: 'only on a branch' },
        sessionId: { ...string, description: 'this chain' },
      },
      required: ['thought', 'thoughtNumber', 'totalThoughts', 'nextThoughtNeeded', 'sessionId'],
    },
    parameter_usage: { type: 'object', description: 'what each parameter did' },
    session_id: { ...string, description: 'pass back as sessionId' },
    missing_perspectives: {
      type: 'array',
      description: 'agents that gave nothing',
      items: {
        type: 'object',
        properties: {
          agent: { ...string, description: 'name' },
          reason: { ...string, description: 'why' },
        },
        required: ['agent', 'reason'],
      },
    },
    complexity: {
      type: 'object',
      description: 'of the thought; steers nothing',
      properties: {
        score: { ...integer, description: '0 to 100' },
        problem_type: { ...string, description: 'kind of problem' },
        thinking_modes: { type: 'array', description: 'specialists that matter most', items: string },
      },
      required: ['score', 'problem_type', 'thinking_modes'],
    },
  },
  required: [
    'answer',
    'should_continue',
    'next_thought_number',
    'stop_reason',
    'current_thought_number',
    'total_thoughts',
    'parameter_usage',
    'session_id',
    'missing_perspectives',
    'complexity',
  ],
}
