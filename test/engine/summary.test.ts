import { expect, test } from 'vitest'
import { wholeHistory } from '../../src/engine/history.ts'
import { countChars } from '../../src/engine/thought.ts'
import { fork, play, revision, step, steps } from '../helpers.ts'

const LIMITS = { maxSteps: 400 }

test('turns the ten earliest of 51 nodes into one summary', () => {
  expect(play(steps(1, 50), LIMITS).chain.nodes).toHaveLength(50)
  const { chain, last } = play(steps(1, 51), LIMITS)
  const nodes = wholeHistory(chain)
  expect(nodes).toHaveLength(42)
  expect(nodes[0]).toMatchObject({
    thoughtNumber: 1,
    revisionNumber: 0,
    isSummary: true,
    summarizes: [{ from: 1, to: 10, count: 10 }],
  })
  expect(nodes[1]?.thoughtNumber).toBe(11)
  expect(last.summary?.thought).toBe(nodes[0]?.thought)
  expect(chain.steps).toBe(51)
})

test('counts an earlier summary as one of the ten', () => {
  const { chain } = play(steps(1, 60), LIMITS)
  expect(chain.summary?.summarizes).toEqual([{ from: 1, to: 19, count: 19 }])
  expect(chain.nodes).toHaveLength(42)
})

test('takes the earliest in the order of appending, whatever the line', () => {
  const { chain } = play(
    [...steps(1, 4), fork(2, 'x'), step(4, { branchId: 'x' }), ...steps(5, 10, { branchId: 'main' })],
    {
      maxChainLength: 11,
    },
  )
  expect(chain.summary?.summarizes).toEqual([
    { from: 1, to: 8, count: 8 },
    { from: 3, to: 4, count: 2, branchId: 'x' },
  ])
})

test('keeps the leading sentence of each thought with number, branch and version', () => {
  const { chain } = play(
    [
      step(1, { thought: 'The page is slow. It takes 4 s.' }),
      step(2, { thought: '数据库查询太慢。需要索引。' }),
      revision(1, 1, { thought: 'The list page is slow! Others are not.' }),
      fork(1, 'cache', { thought: 'A cache might do. Or not.' }),
      ...steps(3, 11, { branchId: 'main' }),
    ],
    { maxChainLength: 11 },
  )
  const text = chain.summary?.thought ?? ''
  expect(text.split('\n').slice(0, 4)).toEqual([
    '1 v1: The list page is slow!',
    '2: 数据库查询太慢。',
    '2 [cache]: A cache might do.',
    '3: Idea 3',
  ])
})

test('fits into 2000 characters however long the thoughts and however often it is made', () => {
  const { chain } = play(
    Array.from({ length: 320 }, (_, i) => step(i + 1, { thought: `${i} ${'思考'.repeat(900)}` })),
    LIMITS,
  )
  expect(countChars(chain.summary?.thought ?? '')).toBeLessThanOrEqual(2000)
  expect(chain.nodes.length).toBeLessThanOrEqual(50)
})

test('keeps every entry of an earlier summary, within half the space', () => {
  const { chain } = play(
    steps(1, 60).map((input) => ({ ...input, thought: `${input.thought} ${'word '.repeat(300)}` })),
    LIMITS,
  )
  const entries = (chain.summary?.thought ?? '').split('\n')
  expect(entries.map((entry) => Number.parseInt(entry, 10))).toEqual(
    Array.from({ length: 19 }, (_, i) => i + 1),
  )
  expect(countChars(entries.slice(0, 10).join('\n'))).toBeLessThanOrEqual(1000)
})

test('tells the caller that made it', () => {
  expect(play(steps(1, 51), LIMITS).last.notices.join()).toMatch(/10 earliest.*summary/)
  expect(play(steps(1, 52), LIMITS).last.notices).toEqual(
    expect.not.arrayContaining([expect.stringMatching(/summary/)]),
  )
})

test('goes on with the numbers of the line behind a summary', () => {
  const { chain } = play(steps(1, 53), LIMITS)
  expect(chain.main.next).toBe(54)
  expect(chain.main.isSummarized(10)).toBe(true)
  expect(chain.main.isSummarized(11)).toBe(false)
})
