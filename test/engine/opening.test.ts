import { expect, test } from 'vitest'
import { wholeHistory } from '../../src/engine/history.ts'
import { play, refuse, step } from '../helpers.ts'

test('opens a chain with its first thought', () => {
  const { chain, last } = play([step(1, { thought: 'Which part is slow?', totalThoughts: 5 })])
  expect(last).toMatchObject({
    opens: true,
    closes: false,
    nextThoughtNeeded: true,
    totalThoughts: 5,
    notices: [],
  })
  expect(wholeHistory(chain)).toEqual([
    {
      thoughtNumber: 1,
      totalThoughts: 5,
      thought: 'Which part is slow?',
      revisionNumber: 0,
      isRevision: false,
    },
  ])
})

test('opens a chain of its own every time', () => {
  const one = play([step(1), step(2)])
  const other = play([step(1)])
  expect(one.chain.nodes).toHaveLength(2)
  expect(other.chain.nodes).toHaveLength(1)
})

test('recognizes a chain by the first 80 characters of its opening thought', () => {
  expect(play([step(1, { thought: '思'.repeat(80) })]).chain.opening).toBe('思'.repeat(80))
  expect(play([step(1, { thought: '😀'.repeat(81) })]).chain.opening).toBe('😀'.repeat(80))
})

test('raises totalThoughts to thoughtNumber', () => {
  const { last } = play([step(1, { totalThoughts: 1 }), step(2, { totalThoughts: 1 })])
  expect(last.totalThoughts).toBe(2)
})

test('lets totalThoughts move up and down', () => {
  const { outcomes } = play([5, 9, 3].map((totalThoughts, i) => step(i + 1, { totalThoughts })))
  expect(outcomes.map((outcome) => outcome.totalThoughts)).toEqual([5, 9, 3])
})

test('refuses a second first thought on a chain and says how to start another', () => {
  const { code, offers } = refuse([step(1)], step(1, { thought: 'Another problem' }))
  expect(code).toBe('thought_exists')
  expect(offers.some((offer) => offer.isNewChain)).toBe(true)
})
