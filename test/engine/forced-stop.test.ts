import { expect, test } from 'vitest'
import { historyOf } from '../../src/engine/history.ts'
import { fork, play, refuse, revision, step, steps } from '../helpers.ts'

test('stops the 30th step that asks to continue, with a warning node last', () => {
  const { chain, outcomes, last } = play(steps(1, 30))
  expect(outcomes.slice(0, 29).every((outcome) => outcome.nextThoughtNeeded)).toBe(true)
  expect(last).toMatchObject({ nextThoughtNeeded: false, closes: true })
  expect(chain.nodes).toHaveLength(30)
  const nodes = historyOf(chain, last, { historyBudget: 1000, closingBudget: 8000 })
  expect(nodes).toHaveLength(31)
  expect(nodes.at(-1)).toMatchObject({ isWarning: true, thoughtNumber: 30 })
  expect(nodes.at(-1)?.thought).toMatch(/limit of 30 steps.*conclusion.*\.$/s)
})

test('has no warning where the 30th step ends the chain by itself', () => {
  const { last } = play([...steps(1, 29), step(30, { nextThoughtNeeded: false })])
  expect(last).toMatchObject({ nextThoughtNeeded: false, warning: undefined })
})

test('stops revisions that ask to continue too', () => {
  const { last } = play([...steps(1, 3), revision(2, 1)], { maxSteps: 3 })
  expect(last).toMatchObject({ nextThoughtNeeded: false })
  expect(last.warning).toBeDefined()
})

test('counts the steps of branches, not revisions', () => {
  const limits = { maxSteps: 4 }
  expect(
    play([...steps(1, 2), revision(1, 1), revision(2, 1), fork(1, 'x')], limits).last.nextThoughtNeeded,
  ).toBe(true)
  expect(play([...steps(1, 2), fork(1, 'x'), fork(1, 'y')], limits).last.nextThoughtNeeded).toBe(false)
})

test('counts summarized steps', () => {
  const { last, chain } = play(steps(1, 13), { maxSteps: 13, maxChainLength: 11 })
  expect(chain.steps).toBe(13)
  expect(last.nextThoughtNeeded).toBe(false)
})

test('refuses steps that ask to continue at twice the limit', () => {
  const { code, offers } = refuse(steps(1, 6), step(7), { maxSteps: 3 })
  expect(code).toBe('step_limit')
  expect(offers.map(({ fields }) => fields)).toEqual([{ nextThoughtNeeded: false }])
  expect(refuse(steps(1, 6), fork(1, 'x'), { maxSteps: 3 }).code).toBe('step_limit')
  const beyond = [...steps(1, 6), ...steps(7, 8, { nextThoughtNeeded: false })]
  expect(refuse(beyond, step(9), { maxSteps: 3 }).message).toContain('has 8 steps and its limit is 3')
})

test('takes revisions and concluding steps at twice the limit and beyond', () => {
  const { chain } = play(
    [
      ...steps(1, 6),
      revision(2, 1),
      ...steps(7, 9, { nextThoughtNeeded: false }),
      fork(1, 'x', { nextThoughtNeeded: false }),
      revision(3, 1, { branchId: 'main' }),
    ],
    { maxSteps: 3 },
  )
  expect(chain.steps).toBe(10)
})

test('offers only concluding steps at twice the limit', () => {
  const { offers } = refuse(steps(1, 6), step(9), { maxSteps: 3 })
  expect(offers[0]?.fields).toEqual({ thoughtNumber: 7, nextThoughtNeeded: false })
})
