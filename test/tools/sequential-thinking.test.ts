import { expect, test } from 'vitest'
import { DEFAULT_LIMITS } from '../../src/engine/limits.ts'
import { createDesk, stepArguments } from './desk.ts'

const MAX_RESULT_BYTES = 64 * 1024

test('takes calls without an id in their place among those of the connection', async () => {
  const { think, read } = createDesk().callerOf('me', 'legacy')
  const { sessionId } = await think(stepArguments(1))
  const calls = [
    think(stepArguments(2)),
    think(stepArguments(3, { sessionId })),
    read({ sessionId }),
    think(stepArguments(4, { nextThoughtNeeded: false })),
    think(stepArguments(5)),
  ]
  const [second, third, whole, fourth, fifth] = await Promise.allSettled(calls)
  expect(second).toMatchObject({ value: { thoughtNumber: 2 } })
  expect(third).toMatchObject({ value: { thoughtNumber: 3 } })
  expect(whole).toMatchObject({ value: { thoughtHistoryLength: 3 } })
  expect(fourth).toMatchObject({ value: { thoughtNumber: 4, nextThoughtNeeded: false } })
  expect(fifth).toMatchObject({ reason: { code: 'session_required' } })
})

test('tells a model that marks its first call as a revision how to start a chain', async () => {
  const { think } = createDesk().callerOf('me', 'modern')
  const opening = stepArguments(1, { isRevision: true, revisesThought: 1 })
  await expect(think(opening)).rejects.toMatchObject({
    code: 'session_required',
    message: expect.stringContaining(
      'send thoughtNumber 1 without sessionId, revisionNumber, isRevision, revisesThought and branch fields.',
    ),
  })
  await expect(think(stepArguments(1))).resolves.toMatchObject({ thoughtNumber: 1 })
})

test('finds the chain that a call just before has opened', async () => {
  const { think } = createDesk().callerOf('me', 'legacy')
  const [first, second] = await Promise.all([think(stepArguments(1)), think(stepArguments(2))])
  expect(second.sessionId).toBe(first.sessionId)
})

test('opens a chain for a first thought that is marked as a revision of nothing', async () => {
  const desk = createDesk()
  for (const era of ['legacy', 'modern'] as const) {
    const { think } = desk.callerOf(era, era)
    expect(await think(stepArguments(1, { isRevision: true }))).toMatchObject({ revisionNumber: 0 })
  }
})

test('revises the first thought of the only open chain when it is marked as a revision', async () => {
  const { think } = createDesk().callerOf('me', 'legacy')
  await think(stepArguments(1))
  const revised = await think(stepArguments(1, { thought: 'Better', isRevision: true }))
  expect(revised).toMatchObject({ thoughtNumber: 1, revisionNumber: 1, thoughtHistoryLength: 1 })
})

test('tells a caller of isRevision to leave it out where a refusal offers other fields', async () => {
  const { think } = createDesk()
  const { sessionId } = await think(stepArguments(1))
  const revise = (thought: string) => think(stepArguments(1, { thought, isRevision: true, sessionId }))
  for (const thought of ['v1', 'v2', 'v3']) await revise(thought)
  await expect(revise('v4')).rejects.toMatchObject({
    code: 'revision_limit',
    message: expect.stringContaining('Leave out isRevision and revisesThought.'),
  })
})

test('names a faulty field of every part of a call in one error', async () => {
  const { think } = createDesk()
  const faulty = {
    ...stepArguments(1),
    totalThoughts: 'x',
    branchId: 'Main',
    branchFromThought: 1,
    isRevision: true,
    revisesThought: 'abc',
  }
  const error = think(faulty)
  for (const name of ['totalThoughts', 'branchFromThought', 'revisesThought']) {
    await expect(error).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining(name),
    })
  }
})

test('keeps a closing result within 64 KB where branch names take as much as texts', async () => {
  const { think, read } = createDesk({ limits: { ...DEFAULT_LIMITS, maxSteps: 100 } })
  const name = (n: number) => `${'\u0001'.repeat(61)}${n}`
  const text = (n: number) => `${'😀'.repeat(1990)}${n}`
  const { sessionId } = await think(stepArguments(1, { thought: text(1) }))
  for (let n = 2; n <= 21; n++) {
    await think(
      stepArguments(n, { sessionId, thought: text(n), branchFromThought: n - 1, branchId: name(n) }),
    )
  }
  for (let n = 22; n <= 45; n++)
    await think(stepArguments(n, { sessionId, thought: text(n), branchId: name(21) }))
  const closing = await think(
    stepArguments(2, {
      sessionId,
      thought: text(0),
      branchId: name(2),
      revisionNumber: 1,
      nextThoughtNeeded: false,
    }),
  )
  expect(Buffer.byteLength(JSON.stringify(closing))).toBeLessThanOrEqual(MAX_RESULT_BYTES)
  expect(closing.notices).toContainEqual(expect.stringMatching(/^\d+ nodes are left out here; get_thinking/))
  expect((await read({ sessionId })).thoughtHistoryLength).toBe(45)
})
