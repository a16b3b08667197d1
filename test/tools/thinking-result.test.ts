import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { DEFAULT_BUDGETS } from '../../src/engine/history.ts'
import type { ThoughtInput } from '../../src/engine/thought.ts'
import { THINKING_OUTPUT_SCHEMA, toThinkingResult } from '../../src/tools/thinking-result.ts'
import { fork, play, revision, step, steps } from '../helpers.ts'

const END = { nextThoughtNeeded: false, totalThoughts: 1 }
const LONG_STEPS = steps(1, 25).map((input) => ({ ...input, thought: input.thought.padEnd(900, 'x') }))
const validate = new Ajv({ strict: true }).compile(closed(THINKING_OUTPUT_SCHEMA))

/** The schema with every object closed, so that a field that it does not describe is an error. */
function closed(schema: unknown): object {
  return JSON.parse(JSON.stringify(schema), (_, value) =>
    value?.properties === undefined ? value : { ...value, additionalProperties: false },
  )
}

function resultOf(inputs: readonly ThoughtInput[], limits = {}) {
  const { chain, last } = play(inputs, limits)
  return toThinkingResult(chain, last, DEFAULT_BUDGETS, [])
}

const CHAINS: [string, ThoughtInput[], object?][] = [
  ['the first call', [step(1)]],
  ['a first call that ends the chain', [step(1, END)]],
  ['a revision', [...steps(1, 3), revision(2, 1)]],
  ['a branch', [...steps(1, 2), fork(1, 'x')]],
  ['a branch of a branch', [...steps(1, 2), fork(1, 'x'), fork(2, 'y')]],
  ['a retry', [...steps(1, 2), step(2)]],
  ['a repeat', [step(1, { thought: 'a' }), step(2, { thought: 'a' })]],
  ['a forced stop', steps(1, 3), { maxSteps: 3 }],
  ['a forced stop on a branch', [step(1), fork(1, 'x'), fork(1, 'y')], { maxSteps: 3 }],
  ['an end with excerpts', [...LONG_STEPS, step(26, END)]],
  [
    'a summary',
    [...steps(1, 4), fork(2, 'x'), ...steps(5, 11, { branchId: 'main' })],
    { maxChainLength: 11 },
  ],
  ['a reopened chain', [step(1, END), step(2)]],
  ['a revised fork', [...steps(1, 4), revision(4, 1, { branchFromThought: 2 })]],
]

test.each(CHAINS)('the result of %s fits the output schema', (_, inputs, limits) => {
  // As a client gets it: without fields that are undefined.
  const result = { sessionId: 'x', ...JSON.parse(JSON.stringify(resultOf(inputs, limits))) }
  validate(result)
  expect(validate.errors ?? []).toEqual([])
})

test('shows numbers as recorded and the next one', () => {
  expect(resultOf([step(1), step(2, { totalThoughts: 1 })])).toMatchObject({
    thoughtNumber: 2,
    totalThoughts: 2,
    nextThoughtNeeded: true,
    revisionNumber: 0,
    branches: [],
    thoughtHistoryLength: 2,
    nextThoughtNumber: 3,
  })
})

test('leaves out what does not apply', () => {
  const names = Object.keys(resultOf([step(1)]))
  expect(names).not.toContain('branchId')
  expect(names).not.toContain('mainNextThoughtNumber')
  expect(names).not.toContain('notices')
})

test('leaves out nextThoughtNumber when the chain is closed, and keeps that of the main line', () => {
  const result = resultOf([...steps(1, 3), fork(1, 'x', END)])
  expect(result).not.toHaveProperty('nextThoughtNumber')
  expect(result).toMatchObject({ branchId: 'x', mainNextThoughtNumber: 4 })
})

test('lists branches with their fork point, parent and next number, oldest first', () => {
  expect(
    resultOf([...steps(1, 3), fork(1, 'x'), fork(2, 'y'), step(4, { branchId: 'main' })]).branches,
  ).toEqual([
    { branchId: 'x', branchFromThought: 1, nextThoughtNumber: 3 },
    { branchId: 'y', branchFromThought: 2, parentBranchId: 'x', nextThoughtNumber: 4 },
  ])
})

test('gives the next number of the revised line after a revision', () => {
  expect(resultOf([...steps(1, 3), revision(1, 1)])).toMatchObject({
    revisionNumber: 1,
    nextThoughtNumber: 4,
  })
})

test('names get_thinking where texts are excerpts', () => {
  const { notices } = resultOf([...LONG_STEPS, step(26, END)])
  expect(notices?.at(-1)).toContain('get_thinking')
})

test('counts a summary as one node', () => {
  expect(resultOf(steps(1, 12), { maxChainLength: 11 }).thoughtHistoryLength).toBe(3)
})

test('stays below 64 KB with the defaults, even where JSON needs six characters for one', () => {
  const name = (n: number) => `${n}`.padEnd(64, '\u0001')
  const text = (n: number) => `${n}`.padEnd(2000, '\u0001')
  const result = resultOf([
    step(1, { thought: text(1) }),
    ...Array.from({ length: 20 }, (_, i) => fork(i + 1, name(i), { thought: text(i) })),
    ...Array.from({ length: 8 }, (_, i) => step(i + 3, { branchId: name(i), thought: text(100 + i) })),
    revision(2, 1, { branchId: name(0), thought: text(0), nextThoughtNeeded: false }),
  ])
  const size = Buffer.byteLength(JSON.stringify({ sessionId: crypto.randomUUID(), ...result }))
  expect(size).toBeGreaterThan(50_000)
  expect(size).toBeLessThan(65_536)
})
