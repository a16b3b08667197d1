import { expect, test } from 'vitest'
import { createDesk, stepArguments } from './desk.ts'

test('returns the whole chain with what it takes to go on', async () => {
  const { think, read } = createDesk()
  const { sessionId } = await think(stepArguments(1, { thought: 'x'.repeat(1500) }))
  await think(stepArguments(2, { sessionId }))
  await think(stepArguments(2, { sessionId, branchFromThought: 1, branchId: 'b', nextThoughtNeeded: false }))
  expect(await read({ sessionId })).toEqual({
    sessionId,
    nextThoughtNeeded: false,
    nextThoughtNumber: 3,
    branches: [{ branchId: 'b', branchFromThought: 1, nextThoughtNumber: 3 }],
    thoughtHistoryLength: 3,
    thinkingHistory: [
      expect.objectContaining({ thought: 'x'.repeat(1500) }),
      expect.objectContaining({ thoughtNumber: 2 }),
      expect.objectContaining({ branchId: 'b', branches: [1] }),
    ],
  })
})

test('records nothing', async () => {
  const { think, read } = createDesk()
  const { sessionId } = await think(stepArguments(1))
  expect(await read({ sessionId })).toEqual(await read({ sessionId }))
})

test('shortens what lies between the first and the newest ones beyond 60,000 characters', async () => {
  const { think, read } = createDesk()
  const { sessionId } = await think(stepArguments(1, { thought: `1${'x'.repeat(1990)}` }))
  for (let n = 2; n <= 40; n++)
    await think(stepArguments(n, { sessionId, thought: `${n}${'x'.repeat(1990)}` }))
  const { thinkingHistory } = await read({ sessionId })
  expect(JSON.stringify(thinkingHistory).length).toBeLessThan(70_000)
  expect(thinkingHistory).toHaveLength(40)
  expect(JSON.stringify(thinkingHistory)).toContain('"isExcerpt":true')
})

test('lists the chains of the caller, last used first, at most ten', async () => {
  const { think, read, callerOf } = createDesk()
  await callerOf('them', 'modern').think(stepArguments(1))
  const ids: unknown[] = []
  for (let n = 1; n <= 12; n++)
    ids.push((await think(stepArguments(1, { thought: `Problem ${n}` }))).sessionId)
  await read({ sessionId: ids[0] })
  const { sessions } = await read({})
  expect(sessions).toHaveLength(10)
  expect(sessions).toMatchObject([
    { sessionId: ids[0], opening: 'Problem 1', steps: 1, nextThoughtNeeded: true, nextThoughtNumber: 2 },
    { sessionId: ids[11] },
    { sessionId: ids[10] },
    ...Array.from({ length: 7 }, () => ({})),
  ])
})

test.each([undefined, null, {}, { sessionId: null }, { sessionId: '' }, { sessionId: 0 }])(
  'lists when the arguments are %j',
  async (args) => {
    expect(await createDesk().read(args)).toEqual({ sessions: [] })
  },
)

test('lists nothing where callers cannot be told apart, and still reads by the id', async () => {
  const { think, read } = createDesk().callerOf('anyone', 'modern', false)
  const { sessionId } = await think(stepArguments(1))
  expect(await read({})).toEqual({ sessions: [] })
  expect(await read({ sessionId })).toMatchObject({ sessionId })
})

test('refuses an unknown id', async () => {
  await expect(createDesk().read({ sessionId: 'nope' })).rejects.toMatchObject({ code: 'session_not_found' })
})
