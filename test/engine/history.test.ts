import { expect, test } from 'vitest'
import { type Budgets, DEFAULT_BUDGETS, historyOf, wholeHistory } from '../../src/engine/history.ts'
import { countJsonChars, type ThoughtInput, takeJsonChars } from '../../src/engine/thought.ts'
import { fork, play, revision, step, steps } from '../helpers.ts'

const END = { nextThoughtNeeded: false, totalThoughts: 1 }
const LONG = 'x'.repeat(600)

function lastHistory(inputs: readonly ThoughtInput[], budgets: Partial<Budgets> = {}, limits = {}) {
  const { chain, last } = play(inputs, limits)
  return historyOf(chain, last, { ...DEFAULT_BUDGETS, ...budgets })
}

function long(from: number, to: number, chars = 600): ThoughtInput[] {
  return steps(from, to).map((input) => ({ ...input, thought: `${input.thoughtNumber} `.padEnd(chars, 'x') }))
}

test('returns the whole chain while its texts fit into the history budget', () => {
  const half = 'x'.repeat(500)
  expect(lastHistory([step(1, { thought: half }), step(2, { thought: `y${half.slice(1)}` })])).toHaveLength(2)
  expect(lastHistory([step(1, { thought: half }), step(2, { thought: `y${half}` })])).toEqual([])
})

test('counts the budget in characters as JSON writes them', () => {
  const quotes = (count: number) => '"'.repeat(count)
  expect(lastHistory([step(1, { thought: 'a' }), step(2, { thought: quotes(499) })])).toHaveLength(2)
  expect(lastHistory([step(1, { thought: 'a' }), step(2, { thought: quotes(500) })])).toEqual([])
  expect(lastHistory([step(1, { thought: 'a' }), step(2, { thought: '😀'.repeat(999) })])).toHaveLength(2)
})

test('returns the opening thought whatever its length', () => {
  expect(lastHistory([step(1, { thought: 'x'.repeat(2000) })])).toHaveLength(1)
})

test('returns beyond the budget only the nodes that the server made in this call', () => {
  expect(lastHistory(long(1, 3))).toEqual([])
  const stopped = lastHistory([...long(1, 3), step(4, END), step(5)], {}, { maxSteps: 3 })
  expect(stopped).toEqual([expect.objectContaining({ isWarning: true })])
  const summarized = lastHistory(long(1, 12), {}, { maxChainLength: 11 })
  expect(summarized).toEqual([expect.objectContaining({ isSummary: true })])
})

test('returns the whole chain to the call that closes it', () => {
  expect(lastHistory([...long(1, 3), step(4, END)]).map(({ thought }) => thought)).toEqual([
    ...long(1, 3).map(({ thought }) => thought),
    'Idea 4',
  ])
})

test('returns the whole chain to a call that is stopped, the warning last', () => {
  const nodes = lastHistory(long(1, 3), {}, { maxSteps: 3 })
  expect(nodes.map(({ isWarning }) => isWarning)).toEqual([undefined, undefined, undefined, true])
})

test('returns to a further call on a closed chain no more than to one on an open chain', () => {
  expect(lastHistory([...long(1, 3), step(4, END), revision(2, 1, END)])).toEqual([])
  expect(lastHistory([...steps(1, 3), step(4, END), revision(2, 1, END)])).toHaveLength(4)
})

test('returns the whole chain again when a reopened chain is closed again', () => {
  expect(lastHistory([...long(1, 3), step(4, END), step(5), step(6, END)])).toHaveLength(6)
})

test('cuts the nodes between the first and the newest ones to excerpts where the closing budget is too small', () => {
  const nodes = lastHistory(
    [...long(1, 8, 1000), ...long(9, 9, 1000).map((input) => ({ ...input, ...END }))],
    {
      closingBudget: 4000,
    },
  )
  expect(nodes.map(({ isExcerpt }) => isExcerpt === true)).toEqual([
    false,
    true,
    true,
    true,
    true,
    true,
    true,
    false,
    false,
  ])
  const excerpts = nodes.filter(({ isExcerpt }) => isExcerpt)
  expect(excerpts.every(({ thought }) => thought.endsWith('…') && thought.length >= 24)).toBe(true)
  expect(nodes.reduce((sum, { thought }) => sum + countJsonChars(thought), 0)).toBeLessThanOrEqual(4000)
})

test('keeps as many of the newest nodes whole as fit', () => {
  const nodes = lastHistory([...long(1, 9, 1000), step(10, END)], { closingBudget: 5000 })
  expect(nodes.map(({ isExcerpt }) => isExcerpt === true)).toEqual([
    false,
    true,
    true,
    true,
    true,
    true,
    false,
    false,
    false,
    false,
  ])
})

test('keeps a revised node whole in the call that revises it and closes', () => {
  const nodes = lastHistory([...long(1, 9, 1000), revision(4, 1, { ...END, thought: LONG })], {
    closingBudget: 2000,
  })
  expect(nodes[3]).toMatchObject({ thought: LONG })
  expect(nodes[3]).not.toHaveProperty('isExcerpt')
})

test('never cuts an excerpt within a character or an escape', () => {
  for (const unit of ['😀', '"', '\u0000', '思']) {
    const long = steps(1, 9).map((input) => ({
      ...input,
      thought: `${input.thoughtNumber}${unit.repeat(900)}`,
    }))
    const nodes = lastHistory([...long, step(10, END)], { closingBudget: 999 })
    const excerpts = nodes.filter(({ isExcerpt }) => isExcerpt)
    expect(excerpts).toHaveLength(8)
    for (const { thought } of excerpts) expect(thought.replaceAll(unit, '')).toMatch(/^\d…$/)
  }
})

test('returns all, whole, on every call with the budget "full"', () => {
  const full = { historyBudget: 'full', closingBudget: 0 } as const
  expect(lastHistory(long(1, 20), full)).toHaveLength(20)
  const closing = lastHistory([...long(1, 20), step(21, END)], full)
  expect(closing).toHaveLength(21)
  expect(closing.some(({ isExcerpt }) => isExcerpt)).toBe(false)
})

test('returns nothing but what the server made with budgets of 0', () => {
  const none = { historyBudget: 0, closingBudget: 0 }
  expect(lastHistory([step(1)], none)).toEqual([])
  expect(lastHistory([step(1), step(2, END)], none)).toEqual([])
  expect(lastHistory(steps(1, 3), none, { maxSteps: 3 })).toEqual([
    expect.objectContaining({ isWarning: true }),
  ])
  expect(lastHistory([step(1), step(2, END)], { historyBudget: 0 })).toHaveLength(2)
})

test('lists the main line first, then each branch in the order of opening', () => {
  const { chain } = play([
    ...steps(1, 2),
    fork(1, 'b'),
    fork(1, 'a'),
    step(3, { branchId: 'b' }),
    step(3, { branchId: 'main' }),
    step(3, { branchId: 'a' }),
  ])
  expect(
    wholeHistory(chain).map(({ branchId = 'main', thoughtNumber }) => `${branchId} ${thoughtNumber}`),
  ).toEqual(['main 1', 'main 2', 'main 3', 'b 2', 'b 3', 'a 2', 'a 3'])
})

test('cuts an excerpt at the characters that JSON writes', () => {
  const texts = ['a"b\\c', '\n\t\b\f\r', '\u0000\u001f\u007f', '\ud83d x \udc00', '思😀\u2028']
  for (const text of texts) {
    for (let max = 0; max <= 40; max++) {
      const taken = takeJsonChars(text, max)
      expect(text.startsWith(taken)).toBe(true)
      expect(countJsonChars(taken)).toBeLessThanOrEqual(max)
      const next = Array.from(text.slice(taken.length))[0]
      if (next !== undefined) expect(countJsonChars(taken + next)).toBeGreaterThan(max)
    }
  }
})
