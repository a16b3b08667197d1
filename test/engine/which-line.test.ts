import { expect, test } from 'vitest'
import { fork, play, refuse, revision, step, steps } from '../helpers.ts'

const ON_BRANCH = [...steps(1, 2), fork(1, 'x')]

test('takes a call without branchId, or with "main", for the main line', () => {
  for (const branchId of [undefined, 'main']) {
    const { last } = play([...steps(1, 2), step(3, { branchId })])
    expect(last.thought.line.branchId).toBeUndefined()
  }
})

test('goes back from a branch to the main line where the number leaves no doubt', () => {
  const { chain, last } = play([...steps(1, 4), fork(1, 'x'), step(5)])
  expect(last.thought.line).toBe(chain.main)
})

test('refuses a number that both the branch of the last call and the main line expect', () => {
  const { code, offers } = refuse(ON_BRANCH, step(3, { thought: 'Which?' }))
  expect(code).toBe('branch_ambiguous')
  expect(offers.map(({ fields }) => fields)).toEqual([
    { thoughtNumber: 3, branchId: 'main' },
    { thoughtNumber: 3, branchId: 'x' },
  ])
})

test('refuses the next number of the branch of the last call although the main line expects another', () => {
  const { code, offers } = refuse([...steps(1, 4), fork(1, 'x')], step(3, { thought: 'Which?' }))
  expect(code).toBe('branch_ambiguous')
  expect(offers.map(({ fields }) => fields)).toEqual([
    { thoughtNumber: 5, branchId: 'main' },
    { thoughtNumber: 3, branchId: 'x' },
  ])
})

test('refuses a revision of a number that both the main line and a branch have', () => {
  const { code, offers } = refuse(ON_BRANCH, revision(2, 1))
  expect(code).toBe('branch_ambiguous')
  expect(offers.map(({ fields }) => fields)).toEqual([
    { branchId: 'main', thoughtNumber: 2, revisionNumber: 1 },
    { branchId: 'x', thoughtNumber: 2, revisionNumber: 1 },
  ])
})

test('offers each line its own next version in an ambiguous revision', () => {
  const { code, offers } = refuse(
    [...ON_BRANCH, revision(2, 1, { branchId: 'x' })],
    revision(2, 1, { thought: 'y' }),
  )
  expect(code).toBe('branch_ambiguous')
  expect(offers.map(({ fields }) => fields)).toEqual([
    { branchId: 'main', thoughtNumber: 2, revisionNumber: 1 },
    { branchId: 'x', thoughtNumber: 2, revisionNumber: 2 },
  ])
})

test('revises the main line without a question when the last call was on it', () => {
  const { last } = play([...ON_BRANCH, step(3, { branchId: 'main' }), revision(2, 1)])
  expect(last.thought).toMatchObject({ thought: 'Idea 2, version 1', revisionNumber: 1 })
  expect(last.thought.line.branchId).toBeUndefined()
})

test('revises what only the main line has without a question', () => {
  const { last } = play([...ON_BRANCH, revision(1, 1)])
  expect(last.thought.thoughtNumber).toBe(1)
})

test('tells names apart by the case of their letters', () => {
  const { chain } = play([step(1), fork(1, 'Cache'), fork(1, 'cache')])
  expect([...chain.branches.keys()]).toEqual(['Cache', 'cache'])
})
