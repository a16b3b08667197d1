import { expect, test } from 'vitest'
import type { ThoughtInput } from '../../src/engine/thought.ts'
import { fork, play, revision, step, steps } from '../helpers.ts'

const END = { nextThoughtNeeded: false, totalThoughts: 1 }

function closingOf(inputs: readonly ThoughtInput[], limits = {}) {
  return play(inputs, limits).last.notices[0]
}

test('names the thoughts written before a revision of one that they follow', () => {
  expect(closingOf([...steps(1, 3), revision(1, 1), step(4, END)])).toMatch(/^First check thoughts 2 and 3,/)
})

test('leaves out those revised or written since', () => {
  const revised = [...steps(1, 3), revision(1, 1), revision(2, 1), step(4, END)]
  // Thought 2 was revised too, so that 3 is still older than what it builds on.
  expect(closingOf(revised)).toMatch(/^First check thought 3,/)
  expect(closingOf([step(1), revision(1, 1), step(2), step(3, END)])).toMatch(/^Stop calling/)
})

test('names thoughts of a branch that forks at or after the revised one', () => {
  const inputs = [
    ...steps(1, 2),
    fork(2, 'x'),
    revision(2, 1, { branchId: 'main' }),
    step(3, { ...END, branchId: 'main' }),
  ]
  expect(closingOf(inputs)).toMatch(/^First check thought 3 of branch "x",/)
})

test('leaves out thoughts of a branch that forks before the revised one', () => {
  const inputs = [
    ...steps(1, 2),
    fork(1, 'x'),
    revision(2, 1, { branchId: 'main' }),
    step(3, { ...END, branchId: 'main' }),
  ]
  expect(closingOf(inputs)).toMatch(/^Stop calling/)
})

test('follows a fork of a fork', () => {
  const inputs = [
    ...steps(1, 2),
    fork(2, 'x'),
    fork(3, 'y'),
    revision(1, 1, { branchId: 'main' }),
    step(3, { ...END, branchId: 'main' }),
  ]
  expect(closingOf(inputs)).toMatch(/^First check thoughts 2, 3 of branch "x" and 4 of branch "y",/)
})

test('does not name summarized thoughts, and knows a revision that was summarized since', () => {
  const limits = { maxChainLength: 11 }
  const inputs = [...steps(1, 11), revision(1, 1), step(12), step(13, END)]
  expect(closingOf(inputs, limits)).toMatch(/^First check thought 11,/)
})

test('names the revised thought itself on no account', () => {
  expect(closingOf([...steps(1, 2), revision(2, 1, END)])).toMatch(/^Stop calling/)
})
