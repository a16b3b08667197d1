import { expect, test } from 'vitest'
import { fork, play, refuse, revision, step, steps } from '../helpers.ts'

test('what a session holds is bounded by its limits, however many calls it gets', () => {
  const limits = { maxSteps: 3, maxChainLength: 11, maxBranches: 2 }
  const end = { nextThoughtNeeded: false, thought: 'y'.repeat(2000) }
  const { chain } = play(
    [step(1), fork(1, 'a'), fork(1, 'b'), ...steps(2, 600, { ...end, branchId: 'main' })],
    limits,
  )
  expect(chain.nodes.length).toBeLessThanOrEqual(11)
  expect([...chain.lines()].reduce((sum, line) => sum + line.kept.length, 0)).toBeLessThanOrEqual(11)
  expect(chain.summary?.summarizes).toHaveLength(3)
  expect(chain.summary?.thought.length).toBeLessThanOrEqual(2000)
})

test('takes its limits from the caller', () => {
  expect(play(steps(1, 2), { maxSteps: 2 }).last.nextThoughtNeeded).toBe(false)
  expect(refuse([step(1), revision(1, 1)], revision(1, 2), { maxRevisions: 1 }).code).toBe('revision_limit')
  expect(refuse([step(1), fork(1, 'a')], fork(1, 'b'), { maxBranches: 1 }).code).toBe('branch_limit')
  expect(play(steps(1, 12), { maxChainLength: 11 }).chain.summary).toBeDefined()
})
