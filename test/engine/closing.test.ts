import { expect, test } from 'vitest'
import { fork, play, revision, step, steps } from '../helpers.ts'

const END = { nextThoughtNeeded: false, totalThoughts: 1 }

test('says first to stop calling and to give the answer', () => {
  const { last } = play([...steps(1, 2), step(3, END)])
  expect(last).toMatchObject({ closes: true, nextThoughtNeeded: false })
  expect(last.notices).toHaveLength(1)
  expect(last.notices[0]).toMatch(/^Stop calling .*answer.*\.$/)
})

test('ends the whole chain from a branch, and names the branch', () => {
  const { chain, last } = play([...steps(1, 3), fork(1, 'cache', END)])
  expect(chain.isOpen).toBe(false)
  expect(last.notices[0]).toContain('branch "cache"')
})

test('says so when a forced stop closes the chain', () => {
  const { last } = play(steps(1, 3), { maxSteps: 3 })
  expect(last.notices[0]).toMatch(/^Stop calling/)
})

test('makes an early end visible in the second notice', () => {
  const { last } = play([step(1), step(2, { nextThoughtNeeded: false, totalThoughts: 8 })])
  expect(last.notices).toHaveLength(2)
  expect(last.notices[1]).toMatch(/2 of 8/)
})

test('measures an early end by the last number of the line, whatever the call revises', () => {
  const { last } = play([...steps(1, 3), revision(1, 1, { nextThoughtNeeded: false, totalThoughts: 3 })])
  expect(last.notices.join()).not.toContain('early')
})

test('has no early end where the plan was fulfilled', () => {
  const { last } = play([step(1), step(2, { nextThoughtNeeded: false, totalThoughts: 2 })])
  expect(last.notices).toHaveLength(1)
})

test.each([1, 12, 40])('stays within 300 characters with %i thoughts to check', (count) => {
  const limits = { maxSteps: 99 }
  const name = '"'.repeat(64)
  const branch = steps(2, count + 1, { branchId: name, branchFromThought: 1 })
  const { last } = play([step(1), ...branch, revision(1, 1), step(2, END)], limits)
  const [sentence = ''] = last.notices
  expect(sentence.length).toBeLessThanOrEqual(300)
  expect(sentence).toMatch(/answer/)
  expect(sentence).toMatch(/^First check /)
})

test('counts the thoughts that it does not name', () => {
  const { last } = play([...steps(1, 45), revision(1, 1, END)], { maxSteps: 99 })
  const [sentence = ''] = last.notices
  const named = sentence.match(/(?<=thoughts ).*(?= and (\d+) more)/)?.[0].split(', ') ?? []
  const more = Number(/and (\d+) more/.exec(sentence)?.[1])
  expect(named[0]).toBe('2')
  expect(named.length + more).toBe(44)
})
