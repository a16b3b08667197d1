import { ThoughtError } from '../engine/errors.ts'
import type { Limits } from '../engine/limits.ts'
import { DEFAULT_RECORD, type RecordOptions } from '../engine/record.ts'
import type { Thought, ThoughtInput } from '../engine/thought.ts'
import { type Outcome, ThoughtChain } from '../engine/thought-chain.ts'
import { toRecordedCall } from '../record-files/recorded-call.ts'
import type { SessionFiles } from '../record-files/session-files.ts'
import { sessionNotFound } from './session-lookup.ts'
import type { ToolContext } from './tool.ts'

/**
 * Words a summary of nodes that a chain no longer keeps, the earliest first. Never throws.
 *
 * @returns nothing where the built-in excerpt is to stay
 */
export type Summarizer = (nodes: readonly Thought[], signal?: AbortSignal) => Promise<string | undefined>

export interface RecordingOptions extends Partial<RecordOptions> {
  readonly limits: Limits
  /** Where sessions are written as they go, if anywhere. */
  readonly files?: SessionFiles | undefined
  /** Words the summaries; the built-in excerpt where it is absent. */
  readonly summarize?: Summarizer | undefined
}

export interface Recorded<R> {
  readonly sessionId: string
  readonly outcome: Outcome
  /** What the caller sees of the chain. */
  readonly view: R
  /** A sentence for the caller, where the session's file could not be written. */
  readonly notice: string | undefined
}

type ToView<R> = (chain: ThoughtChain, outcome: Outcome) => R

/** Opens a chain in a session of its own and shows what became of it. */
export async function openChain<R>(
  input: ThoughtInput,
  { sessions, caller }: ToolContext,
  { limits, files, recordBudget, now }: RecordingOptions,
  toView: ToView<R>,
): Promise<Recorded<R>> {
  const { chain, outcome } = ThoughtChain.open(input, limits, {
    recordBudget: recordBudget ?? DEFAULT_RECORD.recordBudget,
    now: now ?? DEFAULT_RECORD.now,
  })
  const view = toView(chain, outcome)
  const call = files && toRecordedCall(chain, input, outcome)
  const sessionId = await sessions.add(caller.owner, chain)
  return { sessionId, outcome, view, notice: call && files?.start({ sessionId, limits }, call) }
}

/**
 * Records a thought on a session that exists and shows what became of it. Where the call made a summary, the
 * summarizer is asked while nothing holds the chain, and `toView` sees its words.
 *
 * @throws ThoughtError when there is no such session or the chain refuses the call
 */
export async function recordThought<R>(
  sessionId: string,
  input: ThoughtInput,
  context: ToolContext,
  { files, summarize }: RecordingOptions,
  toView: ToView<R>,
): Promise<Recorded<R>> {
  const { sessions, caller } = context
  const key = { owner: caller.owner, sessionId }
  const used = await sessions.use(key, (chain) => {
    const outcome = recordOn(chain, input)
    return { outcome, view: toView(chain, outcome), call: files && toRecordedCall(chain, input, outcome) }
  })
  if (used === undefined) throw sessionNotFound(sessionId)
  const { outcome, view, call } = used
  const recorded = { sessionId, outcome, view, notice: call && files?.append(sessionId, call) }
  const { summary, summarized } = outcome
  if (summarize === undefined || summary === undefined) return recorded
  const text = await summarize(summarized, context.signal)
  if (text === undefined) return recorded
  const reworded = await sessions.use(key, (chain) => {
    chain.rewordSummary(summary, text)
    return { view: toView(chain, outcome) }
  })
  return { ...recorded, ...reworded }
}

function recordOn(chain: ThoughtChain, input: ThoughtInput): Outcome {
  try {
    return chain.record(input)
  } catch (error) {
    if (!(error instanceof ThoughtError) || typeof input.revisionNumber === 'number') throw error
    // The way that the error names is in the advertised fields, which these two would override.
    throw new ThoughtError(error.code, `${error.message} Leave out isRevision and revisesThought.`)
  }
}
