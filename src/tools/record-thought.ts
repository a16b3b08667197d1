import { ThoughtError } from '../engine/errors.ts'
import type { Thought, ThoughtInput } from '../engine/thought.ts'
import type { Outcome, ThoughtChain } from '../engine/thought-chain.ts'
import { sessionNotFound } from './session-lookup.ts'
import type { ToolContext } from './tool.ts'

/**
 * Words a summary of nodes that a chain no longer keeps, the earliest first. Never throws.
 *
 * @returns nothing where the built-in excerpt is to stay
 */
export type Summarizer = (nodes: readonly Thought[], signal?: AbortSignal) => Promise<string | undefined>

export interface Recorded<R> {
  readonly outcome: Outcome
  readonly view: R
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
  { sessions, caller, signal }: ToolContext,
  summarize: Summarizer | undefined,
  toView: (chain: ThoughtChain, outcome: Outcome) => R,
): Promise<Recorded<R>> {
  const key = { owner: caller.owner, sessionId }
  const recorded = await sessions.use(key, (chain) => {
    const outcome = recordOn(chain, input)
    return { outcome, view: toView(chain, outcome) }
  })
  if (recorded === undefined) throw sessionNotFound(sessionId)
  const { outcome } = recorded
  const { summary } = outcome
  if (summarize === undefined || summary === undefined) return recorded
  const text = await summarize(outcome.summarized, signal)
  if (text === undefined) return recorded
  const reworded = await sessions.use(key, (chain) => {
    chain.rewordSummary(summary, text)
    return { outcome, view: toView(chain, outcome) }
  })
  return reworded ?? recorded
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
