import { expect, test } from 'vitest'
import { fingerprintOf } from '../../src/engine/repetition.ts'
import { fork, play, revision, step, steps } from '../helpers.ts'

const LOGS = 'Let me check the logs.'

test('names the thought that a step repeats', () => {
  const { last } = play([step(1), step(2, { thought: LOGS }), step(3, { thought: LOGS })])
  expect(last.nextThoughtNeeded).toBe(true)
  expect(last.notices[0]).toMatch(/Thought 3 repeats thought 2/)
})

test.each([
  'let me CHECK  the\nlogs. ',
  'Step 3: Let me check the logs.',
  'thought 12 - Let me check the logs.',
  '**Step 3/9:** Let me check the logs.',
  '第3步：Let me check the logs.',
  '第三步: Let me check the logs.',
])('takes %j for a repeat', (thought) => {
  const { last } = play([step(1, { thought: LOGS }), step(2, { thought })])
  expect(last.notices.join()).toContain('repeats thought 1')
})

test.each([
  ['Port 8080: closed', 'Port 8081: closed'],
  ['Step 1:', 'Step 2:'],
  ['Check 1', 'Check 2'],
  ['第3步：', '第4步：'],
])('tells %j from %j', (one, other) => {
  expect(play([step(1, { thought: one }), step(2, { thought: other })]).last.notices).toEqual([])
  expect(fingerprintOf(one)).not.toBe(fingerprintOf(other))
})

test('counts as white space what a pattern calls so', () => {
  const units = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit))
  const ignored = units.filter((unit) => fingerprintOf(`a${unit}b`) === fingerprintOf('ab'))
  expect(ignored).toEqual(units.filter((unit) => /\s/u.test(unit)))
})

test.each([
  ['the beginning', (id: number) => `${id}${'x'.repeat(400)}`],
  ['the end', (id: number) => `${'x'.repeat(400)}${id}`],
  ['the middle', (id: number) => `${'x'.repeat(200)}${id}${'x'.repeat(200)}`],
])('compares long texts that differ only at %s', (_, textOf) => {
  const { outcomes } = play([1, 2, 3, 1].map((id, index) => step(index + 1, { thought: textOf(id) })))
  expect(outcomes.map(({ notices }) => notices.length)).toEqual([0, 0, 0, 1])
  expect(outcomes[3]?.notices[0]).toMatch(/repeats thought 1/)
})

test('forces stop at the third repeat and at each later one, with a warning that says so', () => {
  const { outcomes } = play([...steps(1, 5, { thought: LOGS }), step(6), step(7, { thought: LOGS })])
  expect(outcomes.map((outcome) => outcome.nextThoughtNeeded)).toEqual([
    true,
    true,
    true,
    false,
    false,
    true,
    false,
  ])
  expect(outcomes[3]?.warning).toMatch(/repeating/)
  expect(outcomes[6]?.warning).toMatch(/repeating/)
})

test('has no warning where the third repeat ends the chain by itself', () => {
  const { last } = play([
    ...steps(1, 3, { thought: LOGS }),
    step(4, { thought: LOGS, nextThoughtNeeded: false }),
  ])
  expect(last.warning).toBeUndefined()
})

test('compares with the own line only', () => {
  const { last } = play([...steps(1, 2, {}), fork(1, 'x', { thought: 'Idea 2' })])
  expect(last.notices).toEqual([])
})

test('counts the repeats of all lines together', () => {
  const { last } = play([
    step(1, { thought: LOGS }),
    step(2, { thought: LOGS }),
    fork(1, 'x', { thought: LOGS }),
    step(3, { thought: LOGS, branchId: 'x' }),
    step(4, { thought: LOGS, branchId: 'x' }),
  ])
  expect(last.nextThoughtNeeded).toBe(false)
})

test('compares with the present text of a revised thought', () => {
  const revised = [...steps(1, 2), revision(1, 1, { thought: 'New' })]
  expect(play([...revised, step(3, { thought: 'Idea 1' })]).last.notices).toEqual([])
  expect(play([...revised, step(3, { thought: 'new' })]).last.notices.join()).toContain('repeats thought 1')
})

test('forgets texts that were summarized away', () => {
  const { last } = play([...steps(1, 12), step(13, { thought: 'Idea 2' })], { maxChainLength: 11 })
  expect(last.notices.join()).not.toContain('repeats')
  const kept = play([...steps(1, 12), step(13, { thought: 'Idea 11' })], { maxChainLength: 11 })
  expect(kept.last.notices.join()).toContain('repeats thought 11')
})
