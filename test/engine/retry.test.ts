import { expect, test } from 'vitest'
import { fork, play, refuse, revision, snapshot, step, steps } from '../helpers.ts'

test('records a retried step once and says which number comes next', () => {
  const { chain, last } = play([...steps(1, 2), step(2)])
  expect(chain.nodes).toHaveLength(2)
  expect(chain.steps).toBe(2)
  expect(last.thought.thoughtNumber).toBe(2)
  expect(last.notices.join()).toMatch(/already recorded.*thoughtNumber 3/)
})

test('takes nextThoughtNeeded and totalThoughts of a retry as sent now', () => {
  const { chain, last } = play([...steps(1, 2), step(2, { nextThoughtNeeded: false, totalThoughts: 2 })])
  expect(last).toMatchObject({ nextThoughtNeeded: false, totalThoughts: 2, closes: true })
  expect(chain.isOpen).toBe(false)
  expect(chain.nodes.at(-1)?.totalThoughts).toBe(2)
})

test('records a retried revision once', () => {
  const { last } = play([...steps(1, 2), revision(1, 1), revision(1, 1)])
  expect(last.thought.revisionNumber).toBe(1)
})

test('takes a retry of the last revision that is allowed for a retry, not for a fourth', () => {
  const { last } = play([step(1), ...[1, 2, 3, 3].map((n) => revision(1, n))])
  expect(last.thought.revisionNumber).toBe(3)
})

test('takes a retried fork without a name for the same branch', () => {
  const { chain } = play([...steps(1, 2), fork(1, undefined), fork(1, undefined)])
  expect([...chain.branches.keys()]).toEqual(['branch-1'])
})

test('takes a retried fork with a name for the same branch', () => {
  const { chain } = play([...steps(1, 2), fork(1, 'x'), fork(1, 'x')])
  expect(chain.branches.get('x')?.next).toBe(3)
})

test('knows the last call of each line', () => {
  const inputs = [...steps(1, 3), fork(1, 'x'), step(3, { branchId: 'main' })]
  expect(play(inputs).last.notices.join()).toContain('already recorded')
})

test('takes the third retry in a row for a mistake', () => {
  const { code, message } = refuse([...steps(1, 2), step(2), step(2)], step(2))
  expect(code).toBe('thought_exists')
  expect(message).toContain('thoughtNumber 3')
})

test('counts retries in a row anew after another call', () => {
  const { chain } = play([...steps(1, 2), step(2), step(2), step(3), step(3), step(3)])
  expect(chain.steps).toBe(3)
})

test('does not take an equal text under another number or version for a retry', () => {
  const { chain } = play([...steps(1, 2), step(3, { thought: 'Idea 2' })])
  expect(chain.steps).toBe(3)
  expect(refuse([...steps(1, 2), revision(1, 1)], step(2)).code).toBe('thought_exists')
})

test('leaves a chain that is retried as it was', () => {
  const before = play(steps(1, 4))
  expect(snapshot(play([...steps(1, 4), step(4)]).chain)).toEqual(snapshot(before.chain))
})

test('stays stopped when the stopped step is retried', () => {
  const { last } = play([...steps(1, 4, { thought: 'Same' }), step(4, { thought: 'Same' })])
  expect(last.nextThoughtNeeded).toBe(false)
  expect(last.warning).toMatch(/repeating/)
})

test('takes a call of the main line sent again for a retry, even where its number is the next of the last branch', () => {
  const { chain, last } = play([...steps(1, 3), fork(1, 'x'), step(3)])
  expect(last.thought.line).toBe(chain.main)
  expect(last.notices.join()).toContain('already recorded')
  expect(chain.steps).toBe(4)
})

test('counts the retries in a row of each call apart', () => {
  const calls = [...steps(1, 2), fork(1, 'x'), fork(1, 'x'), fork(1, 'x')]
  expect(play([...calls, step(2, { branchId: 'main', thought: 'Idea 2' })]).last.notices.join()).toContain(
    'already recorded',
  )
  expect(refuse(calls, fork(1, 'x')).code).toBe('thought_exists')
})
