import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ThoughtError } from '../../src/engine/errors.ts'
import type { ThoughtInput } from '../../src/engine/thought.ts'
import type { ThoughtChain } from '../../src/engine/thought-chain.ts'
import { fork, play, refuse, revision, step } from '../helpers.ts'

const LIMITS = { maxSteps: 7, maxChainLength: 11, maxRevisions: 1, maxBranches: 3 }

const numbers = fc.integer({ min: 1, max: 12 })
const names = fc.constantFrom(undefined, 'a', 'b and "c", d', 'main')
const call = fc.record({
  // Mostly what a line expects, so that chains grow; the rest is anything.
  kind: fc.constantFrom('goes on', 'goes on', 'goes on', 'names no line', 'revises', 'forks', 'anything'),
  line: fc.nat(3),
  thoughtNumber: numbers,
  revisionNumber: fc.integer({ min: 0, max: 2 }),
  branchId: names,
  branchFromThought: fc.option(numbers, { nil: undefined }),
  nextThoughtNeeded: fc.boolean(),
})
type Call = typeof call extends fc.Arbitrary<infer T> ? T : never

/** Codes that a chain raises; the others belong to parsing and to sessions. */
const CODES = [
  'branch_ambiguous',
  'branch_conflict',
  'branch_limit',
  'branch_not_found',
  'branch_point_not_found',
  'revision_limit',
  'revision_out_of_order',
  'revision_target_not_found',
  'step_limit',
  'thought_exists',
  'thought_out_of_order',
  'thought_summarized',
]

test('every call that a refusal offers is taken, whatever came before', () => {
  const seen = new Set<string>()
  fc.assert(
    fc.property(fc.array(call, { minLength: 12, maxLength: 30 }), (calls) => {
      const inputs = [step(1)]
      const { chain } = play(inputs, LIMITS)
      for (const [i, drawn] of calls.entries()) {
        const input = toInput(chain, drawn, `Text ${i}`)
        if (input.branchId === 'main' && input.branchFromThought !== undefined) continue
        try {
          chain.record(input)
          inputs.push(input)
        } catch (error) {
          if (!(error instanceof ThoughtError)) throw error
          seen.add(error.code)
          refuse(inputs, input, LIMITS)
        }
      }
    }),
    { numRuns: 250, seed: 2026 },
  )
  expect([...seen].sort()).toEqual(CODES)
})

function toInput(chain: ThoughtChain, { kind, line: nth, ...fields }: Call, thought: string): ThoughtInput {
  const { nextThoughtNeeded, thoughtNumber, revisionNumber, branchId } = fields
  const lines = [...chain.lines()]
  const line = lines[nth % lines.length] ?? chain.main
  const said = { thought, nextThoughtNeeded }
  switch (kind) {
    case 'goes on':
      return step(line.next, { ...said, branchId: line.branchId ?? 'main' })
    case 'names no line':
      return step(line.next, said)
    case 'revises':
      return step(thoughtNumber, { ...said, revisionNumber: 1, branchId: line.branchId })
    case 'forks':
      return step(thoughtNumber + 1, {
        ...said,
        branchFromThought: thoughtNumber,
        branchId: branchId === 'main' ? undefined : branchId,
      })
    default:
      return step(thoughtNumber, { ...fields, thought, revisionNumber })
  }
}

test('offers a branch in the place of a thought only where it would leave the line of that thought', () => {
  const three = [1, 2, 3].map((n) => revision(3, n, { branchId: 'x' }))
  const { code, message } = refuse(
    [
      step(1),
      fork(1, 'x'),
      step(3, { branchId: 'x' }),
      fork(1, 'y'),
      ...three,
      step(2, { branchId: 'main' }),
    ],
    revision(3, 4, { branchId: 'x' }),
  )
  expect(code).toBe('revision_limit')
  expect(message).not.toContain('branchFromThought')
  expect(message).toContain('thoughtNumber 4 and branchId "x"')
})
