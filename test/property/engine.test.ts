import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ThoughtError } from '../../src/engine/errors.ts'
import type { Limits } from '../../src/engine/limits.ts'
import { type Outcome, ThoughtChain } from '../../src/engine/thought-chain.ts'
import { snapshot } from '../helpers.ts'
import { arbitraryIntent, arbitraryLimits, type Intent, toCall } from './arbitrary-calls.ts'
import { type Call, ModelChain, type Recorded } from './rules-model.ts'

const CALLS = { maxLength: 40, size: 'max' } as const

test('the engine records, refuses and stops as the model of the rules does', () => {
  fc.assert(
    fc.property(arbitraryLimits, fc.array(arbitraryIntent(), CALLS), (limits, intents) => {
      const model = new ModelChain(limits)
      const opening = callThatOpens()
      const expected = model.record(opening)
      const { chain, outcome } = ThoughtChain.open(opening, limits)
      expectEqual(shown(chain, outcome), shownByModel(model, taken(expected)))
      const sent = [opening]
      for (const intent of intents) {
        const call = toCall(intent, model, sent)
        sent.push(call)
        check(chain, model, call)
      }
    }),
    { numRuns: 2000 },
  )
}, 60_000)

test('the calls that are compared meet every rule', () => {
  const met = new Set<string>()
  fc.assert(
    fc.property(arbitraryLimits, fc.array(arbitraryIntent(), CALLS), (limits, intents) => {
      for (const event of eventsOf(limits, intents)) met.add(event)
    }),
    { numRuns: 1000, seed: 7 },
  )
  expect([...met].sort()).toEqual([
    'branch_ambiguous',
    'branch_conflict',
    'branch_limit',
    'branch_not_found',
    'branch_point_not_found',
    'closes',
    'recorded',
    'reopens',
    'retry',
    'revision_limit',
    'revision_out_of_order',
    'revision_target_not_found',
    'step_limit',
    'stopped',
    'summarized',
    'thought_exists',
    'thought_out_of_order',
    'thought_summarized',
  ])
})

function check(chain: ThoughtChain, model: ModelChain, call: Call): void {
  const before = snapshot(chain)
  const expected = model.record(call)
  if ('refused' in expected) {
    expect(codeOf(() => chain.record(call))).toBe(expected.refused)
    expectEqual(snapshot(chain), before)
    return
  }
  const outcome = chain.record(call)
  expectEqual(shown(chain, outcome), shownByModel(model, expected))
}

function shown(chain: ThoughtChain, outcome: Outcome) {
  const { thought, totalThoughts, nextThoughtNeeded, warning, summary, closes } = outcome
  const { nodes, branches, steps, isOpen } = snapshot(chain)
  return {
    recorded: [thought.line.branchId, thought.thoughtNumber, thought.revisionNumber, totalThoughts],
    nextThoughtNeeded,
    isStopped: warning !== undefined,
    hasSummarized: summary !== undefined,
    closes,
    // The model knows what a summary stands for, not its text.
    nodes: nodes.map((node) =>
      node.isSummary ? { thoughtNumber: 1, isSummary: true, summarizes: node.summarizes } : node,
    ),
    length: chain.nodes.length,
    branches,
    steps,
    isOpen,
  }
}

function shownByModel(model: ModelChain, expected: Recorded) {
  const { thought, isStopped, hasSummarized, closes } = expected
  const branchId = thought.line === 'main' ? undefined : thought.line
  return {
    recorded: [branchId, thought.number, thought.version, thought.total],
    nextThoughtNeeded: model.isOpen,
    isStopped,
    hasSummarized,
    closes,
    nodes: model.history(),
    length: model.length,
    branches: model.branches().map(({ branchId, branchFromThought, parentBranchId, nextThoughtNumber }) => ({
      branchId,
      from: branchFromThought,
      parent: parentBranchId,
      next: nextThoughtNumber,
    })),
    steps: model.thoughts.length,
    isOpen: model.isOpen,
  }
}

function eventsOf(limits: Limits, intents: readonly Intent[]): string[] {
  const model = new ModelChain(limits)
  const sent = [callThatOpens()]
  model.record(callThatOpens())
  return intents.flatMap((intent) => {
    const call = toCall(intent, model, sent)
    sent.push(call)
    const expected = model.record(call)
    if ('refused' in expected) return [expected.refused]
    const { isStopped, hasSummarized, closes, reopens, isRetry } = expected
    return [
      'recorded',
      ...(isRetry ? ['retry'] : []),
      ...(isStopped ? ['stopped'] : []),
      ...(hasSummarized ? ['summarized'] : []),
      ...(closes ? ['closes'] : []),
      ...(reopens ? ['reopens'] : []),
    ]
  })
}

function callThatOpens(): Call {
  return {
    thought: 'idea 0',
    meaning: 'idea 0',
    thoughtNumber: 1,
    totalThoughts: 5,
    nextThoughtNeeded: true,
    revisionNumber: 0,
  }
}

/** `expect` alone would take most of the time of the property. */
function expectEqual(actual: object, expected: object): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected)
}

function taken(expected: ReturnType<ModelChain['record']>): Recorded {
  if ('refused' in expected) throw new Error(`the model refuses to open a chain: ${expected.refused}`)
  return expected
}

function codeOf(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    if (error instanceof ThoughtError) return error.code
    throw error
  }
  return 'taken'
}
