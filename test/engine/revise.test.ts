import { expect, test } from 'vitest'
import { wholeHistory } from '../../src/engine/history.ts'
import { fork, play, refuse, revision, step, steps } from '../helpers.ts'

test('replaces the text in place and raises the version', () => {
  const { chain, last } = play([...steps(1, 3), revision(2, 1, { thought: 'Better', totalThoughts: 7 })])
  expect(last.thought).toMatchObject({ thought: 'Better', revisionNumber: 1, totalThoughts: 7 })
  expect(wholeHistory(chain).map(({ thought, isRevision }) => [thought, isRevision])).toEqual([
    ['Idea 1', false],
    ['Better', true],
    ['Idea 3', false],
  ])
  expect(chain.steps).toBe(3)
})

test('allows three revisions and refuses the fourth with a branch from the thought before', () => {
  const revised = [1, 2, 3].map((n) => revision(2, n))
  expect(play([...steps(1, 3), ...revised]).last.thought.revisionNumber).toBe(3)
  const { code, offers } = refuse([...steps(1, 3), ...revised], revision(2, 4))
  expect(code).toBe('revision_limit')
  expect(offers[0]?.fields).toMatchObject({ branchFromThought: 1, thoughtNumber: 2 })
})

test('offers a new chain instead of a fourth revision of thought 1', () => {
  const { code, message, offers } = refuse([step(1), ...[1, 2, 3].map((n) => revision(1, n))], revision(1, 4))
  expect(code).toBe('revision_limit')
  expect(offers.some((offer) => offer.isNewChain)).toBe(true)
  expect(message).not.toContain('branchFromThought')
})

test('offers the fork point of a branch instead of a fourth revision of its first thought', () => {
  const inputs = [...steps(1, 3), fork(2, 'x'), ...[1, 2, 3].map((n) => revision(3, n, { branchId: 'x' }))]
  const { code, offers } = refuse(inputs, revision(3, 4, { branchId: 'x' }))
  expect(code).toBe('revision_limit')
  expect(offers[0]?.fields).toMatchObject({ branchFromThought: 2, thoughtNumber: 3 })
})

test('refuses any revision where none is allowed', () => {
  expect(refuse(steps(1, 2), revision(2, 1), { maxRevisions: 0 }).code).toBe('revision_limit')
})

test.each([2, 3])('refuses version %i of a thought at version 0 with the version to send', (n) => {
  const { code, offers } = refuse(steps(1, 2), revision(2, n))
  expect(code).toBe('revision_out_of_order')
  expect(offers.map(({ fields }) => fields)).toEqual([{ thoughtNumber: 2, revisionNumber: 1 }])
})

test('refuses a version that exists, with another text', () => {
  const { code, offers } = refuse([...steps(1, 2), revision(2, 1)], revision(2, 1, { thought: 'Other' }))
  expect(code).toBe('revision_out_of_order')
  expect(offers[0]?.fields).toEqual({ thoughtNumber: 2, revisionNumber: 2 })
})

test('refuses a thought that does not exist, says what does, and appends nothing', () => {
  const { code, message, offers } = refuse(steps(1, 3), revision(7, 1))
  expect(code).toBe('revision_target_not_found')
  expect(message).toContain('thoughts 1 to 3')
  expect(offers[0]).toEqual({ fields: { thoughtNumber: 4 }, without: ['revisionNumber'], isNewChain: false })
})

test('refuses a revision on a branch of what only the main line has, and offers that', () => {
  const { code, offers } = refuse([...steps(1, 2), fork(1, 'x')], revision(1, 1, { branchId: 'x' }))
  expect(code).toBe('revision_target_not_found')
  expect(offers[0]?.fields).toEqual({ thoughtNumber: 1, revisionNumber: 1, branchId: 'main' })
})

test('refuses a revision on a branch that is still to be opened, and offers to open it', () => {
  const { code, offers } = refuse(steps(1, 3), revision(3, 1, { branchId: 'new', branchFromThought: 2 }))
  expect(code).toBe('revision_target_not_found')
  expect(offers[0]?.fields).toEqual({
    branchId: 'new',
    branchFromThought: 2,
    thoughtNumber: 3,
    revisionNumber: 0,
  })
})

test('names the later thoughts that came after the old text, with their branch', () => {
  const { last } = play([...steps(1, 3), fork(2, 'x'), revision(2, 1, { branchId: 'main' })])
  expect(last.notices).toHaveLength(1)
  expect(last.notices[0]).toMatch(/3 and 3 of branch "x".*thought 2.*revise those.*nothing is to be done/s)
})

test('leaves out the thoughts of a branch that forks before the revised one', () => {
  const { last } = play([...steps(1, 3), fork(1, 'x'), revision(3, 1, { branchId: 'main' })])
  expect(last.notices).toEqual([])
})

test('names at most ten later thoughts and counts the others', () => {
  const { last } = play([...steps(1, 15), revision(1, 1)])
  expect(last.notices[0]).toContain('2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 4 more')
})

test('has no notice when nothing came after', () => {
  expect(play([...steps(1, 3), revision(3, 1)]).last.notices).toEqual([])
})

test('adds branchFromThought to the numbers that a revised thought forks from, once', () => {
  const { last } = play([
    ...steps(1, 4),
    revision(4, 1, { branchFromThought: 2 }),
    revision(4, 2, { branchFromThought: 2 }),
    revision(4, 3, { branchFromThought: 1 }),
  ])
  expect(last.thought.branches).toEqual([2, 1])
})

test('does not add the fork point of the branch itself', () => {
  const { last } = play([
    ...steps(1, 3),
    fork(1, 'x'),
    revision(2, 1, { branchId: 'x', branchFromThought: 1 }),
  ])
  expect(last.thought.branches).toEqual([1])
})

test('refuses a revision that forks from a thought that does not exist', () => {
  const { code } = refuse(steps(1, 2), revision(2, 1, { branchFromThought: 9 }))
  expect(code).toBe('branch_point_not_found')
})

test('corrects a summarized thought by a branch only', () => {
  const { code, message, offers } = refuse(steps(1, 12), revision(3, 1), { maxChainLength: 11 })
  expect(code).toBe('thought_summarized')
  expect(message).toContain('summarized up to 10')
  expect(offers[0]?.fields).toMatchObject({ branchFromThought: 3, thoughtNumber: 4 })
  const exists = refuse(steps(1, 12), step(3, { thought: 'x' }), { maxChainLength: 11 })
  expect(exists.code).toBe('thought_exists')
  expect(exists.offers.some(({ fields }) => (fields.revisionNumber ?? 0) > 0)).toBe(false)
})

test('revises a thought without knowing its version when asked for the next', () => {
  expect(
    play([...steps(1, 2), revision(2, 1), step(2, { thought: 'x', revisionNumber: 'next' })]).last.thought,
  ).toMatchObject({ thought: 'x', revisionNumber: 2 })
  const { last } = play([...steps(1, 2), step(3, { revisionNumber: 'next-if-recorded' })])
  expect(last.thought).toMatchObject({ thoughtNumber: 3, revisionNumber: 0 })
})
