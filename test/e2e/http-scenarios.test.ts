import { describe, expect, test } from 'vitest'
import { CONNECTIONS, think } from './http-clients.ts'
import { startHttpProcess } from './http-process.ts'

const WIRES = {
  'in the newer era': CONNECTIONS['client 2, 2026-07-28'],
  'in the older era': CONNECTIONS['client 2, initialize'],
  'over SSE': CONNECTIONS['client 1, SSE'],
} as const

describe.each(Object.entries(WIRES))('%s', (wire, connect) => {
  const isModern = wire === 'in the newer era'

  /** A client and the chain that it has opened. */
  async function open(args: string[] = []) {
    const { origin } = await startHttpProcess(args)
    const client = await connect(origin)
    const { result } = await think(client, 1, { totalThoughts: 40 })
    const { sessionId } = result
    const go = (thoughtNumber: number, others: Record<string, unknown> = {}) =>
      think(client, thoughtNumber, { sessionId, totalThoughts: 40, ...others })
    return { client, go, sessionId, opened: result }
  }

  test('a chain opens, goes on and closes with its whole history, the text the same as the structure', async () => {
    const { go, opened } = await open()
    expect(opened).toMatchObject({
      thoughtNumber: 1,
      nextThoughtNumber: 2,
      branches: [],
      thoughtHistoryLength: 1,
    })
    await go(2)
    const { result, text } = await go(3, { nextThoughtNeeded: false })
    expect(JSON.parse(text)).toEqual(result)
    expect(result.thinkingHistory).toHaveLength(3)
    expect(result.notices[0]).toMatch(/answer/)
  })

  test('revisions replace, go up by one and end at three', async () => {
    const { go } = await open()
    await go(2)
    const { result } = await go(1, { thought: 'better', revisionNumber: 1 })
    expect(result.thinkingHistory).toMatchObject([
      { thought: 'better', isRevision: true },
      { thoughtNumber: 2 },
    ])
    expect((await go(1, { revisionNumber: 3 })).code).toBe('revision_out_of_order')
    expect((await go(7, { revisionNumber: 1 })).code).toBe('revision_target_not_found')
    await go(1, { thought: 'c', revisionNumber: 2 })
    await go(1, { thought: 'd', revisionNumber: 3 })
    expect((await go(1, { thought: 'e', revisionNumber: 4 })).code).toBe('revision_limit')
    expect((await go(3)).result.thoughtHistoryLength).toBe(3)
  })

  test('branches have numbers of their own, and a call that fits two lines is refused', async () => {
    const { go } = await open()
    await go(2)
    const forked = await go(2, { thought: 'other', branchFromThought: 1, branchId: '__proto__' })
    expect(forked.result).toMatchObject({
      branchId: '__proto__',
      branches: [{ branchId: '__proto__', branchFromThought: 1, nextThoughtNumber: 3 }],
      mainNextThoughtNumber: 3,
    })
    expect((await go(3)).code).toBe('branch_ambiguous')
    expect((await go(3, { branchId: 'main' })).result.branchId).toBeUndefined()
    expect((await go(9, { branchFromThought: 8 })).code).toBe('branch_point_not_found')
  })

  test('numbers that are taken or too far on are refused, and retries are not recorded twice', async () => {
    const { go } = await open()
    expect((await go(3)).code).toBe('thought_out_of_order')
    await go(2)
    expect((await go(2)).result).toMatchObject({
      thoughtHistoryLength: 2,
      notices: [expect.stringMatching(/already/)],
    })
    expect((await go(1, { thought: 'new' })).code).toBe('thought_exists')
  })

  test('sloppy values are taken, and uncertain ones refused by name', async () => {
    const { go, sessionId } = await open()
    const sloppy = { thoughtNumber: '2', totalThoughts: ' 40 ', nextThoughtNeeded: 'True', branchId: null }
    expect((await go(2, { ...sloppy, sessionId: sessionId.toUpperCase() })).result.thoughtNumber).toBe(2)
    const refused = await go(3, { totalThoughts: 'many', revisionNumber: 1.5 })
    expect(refused.code).toBe('invalid_input')
    expect(refused.text).toMatch(/totalThoughts[\s\S]*revisionNumber/)
  })

  test('2000 characters of any script fit, and nothing is cut', async () => {
    const { go } = await open(['--history-budget', 'full'])
    const thought = '🧠'.repeat(2000)
    expect((await go(2, { thought })).result.thinkingHistory[1].thought).toBe(thought)
    expect((await go(3, { thought: `${thought}a` })).code).toBe('thought_too_long')
  })

  test('the limits of steps and of length hold', async () => {
    const { go } = await open(['--max-steps', '3', '--max-chain-length', '11'])
    await go(2)
    const stopped = (await go(3)).result
    expect(stopped.nextThoughtNeeded).toBe(false)
    expect(stopped.thinkingHistory.at(-1)).toMatchObject({ isWarning: true })
    for (let number = 4; number <= 6; number++) await go(number)
    expect((await go(7)).code).toBe('step_limit')
    for (let number = 7; number <= 11; number++) await go(number, { nextThoughtNeeded: false })
    const { result } = await go(12, { nextThoughtNeeded: false })
    expect(result).toMatchObject({ thoughtHistoryLength: 3 })
  })

  test('an id that was never issued is refused with a way on', async () => {
    const { go } = await open()
    const refused = await go(2, { sessionId: '58767b56-3edd-4802-82bb-88a822fb4323' })
    expect(refused.code).toBe('session_not_found')
    expect(refused.text).toContain('thoughtNumber 1')
  })

  test(`a later call without the id ${isModern ? 'is refused' : 'goes to the only open chain'}`, async () => {
    const { client } = await open()
    const { result, code } = await think(client, 2)
    if (isModern) expect(code).toBe('session_required')
    else expect(result).toMatchObject({ thoughtNumber: 2, thoughtHistoryLength: 2 })
  })

  test('two chains of one client never mix', async () => {
    const { client, go } = await open()
    const { sessionId } = (await think(client, 1, { thought: 'another problem' })).result
    await think(client, 2, { sessionId })
    const { result } = await think(client, 3, { sessionId, nextThoughtNeeded: false })
    expect(result.thinkingHistory[0].thought).toBe('another problem')
    expect((await go(2)).result.thoughtHistoryLength).toBe(2)
  })
})
