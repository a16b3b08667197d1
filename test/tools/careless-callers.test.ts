import { describe, expect, test } from 'vitest'
import { errorOf } from '../helpers.ts'
import { offersOf } from '../offers.ts'
import { createDesk, stepArguments } from './desk.ts'

type Arguments = Record<string, unknown>
type Answer = Record<string, unknown>
type Think = (args: unknown) => Promise<Answer>

/** What a model does that has only the text of the refusal: it sends one of the calls that the text offers. */
async function corrected(think: Think, args: Arguments, nth = 0): Promise<Answer> {
  const text = await refusalOf(think, args)
  const offer = offersOf(text)[nth]
  if (offer === undefined) throw new Error(`no offer ${nth} in: ${text}`)
  const { sessionId } = args
  const { thought, totalThoughts, nextThoughtNeeded, thoughtNumber } = args
  const session = offer.isNewChain ? {} : { sessionId }
  return think({ thought, totalThoughts, nextThoughtNeeded, thoughtNumber, ...session, ...offer.fields })
}

async function refusalOf(think: Think, args: unknown): Promise<string> {
  const outcome = await think(args).then(
    () => () => undefined,
    (error: unknown) => () => {
      throw error
    },
  )
  return errorOf(outcome).message
}

async function chainOf(think: Think, length: number, others: Arguments = {}): Promise<string> {
  const { sessionId } = await think(stepArguments(1, others))
  for (let number = 2; number <= length; number++)
    await think(stepArguments(number, { sessionId, ...others }))
  return String(sessionId)
}

describe('a caller that', () => {
  test('forgets the id finds its chain in the list', async () => {
    const { think, read } = createDesk()
    const sessionId = await chainOf(think, 2)
    const text = await refusalOf(think, stepArguments(3))
    expect(text).toMatch(/sessionId is missing.*get_thinking/s)
    const { sessions } = await read({})
    expect(sessions).toEqual([expect.objectContaining({ sessionId, nextThoughtNumber: 3 })])
    expect(await think(stepArguments(3, { sessionId }))).toMatchObject({ thoughtHistoryLength: 3 })
  })

  test('forgets the id with several chains open on the older era is asked which one', async () => {
    const { think } = createDesk().callerOf('me', 'legacy')
    const sessionId = await chainOf(think, 1)
    await chainOf(think, 1)
    expect(await refusalOf(think, stepArguments(2))).toMatch(/several chains are open/)
    expect(await think(stepArguments(2, { sessionId }))).toMatchObject({ thoughtNumber: 2 })
  })

  test('starts with thought 2 learns how to start', async () => {
    const { think } = createDesk()
    const text = await refusalOf(think, stepArguments(2))
    expect(offersOf(text)).toContainEqual(
      expect.objectContaining({ fields: { thoughtNumber: 1 }, isNewChain: true }),
    )
    expect(await corrected(think, stepArguments(2))).toMatchObject({ thoughtNumber: 1 })
  })

  test("sends another conversation's id learns how to start or to find its own", async () => {
    const desk = createDesk()
    const theirs = await chainOf(desk.callerOf('them', 'modern').think, 3)
    const text = await refusalOf(desk.think, stepArguments(4, { sessionId: theirs }))
    expect(text).toMatch(/No chain has.*get_thinking.*thoughtNumber 1/s)
    expect(await corrected(desk.think, stepArguments(4, { sessionId: theirs }))).toMatchObject({
      thoughtNumber: 1,
    })
  })

  test('makes up an id learns that the server makes it', async () => {
    const { think } = createDesk()
    const answer = await corrected(think, stepArguments(1, { sessionId: 'my-session' }))
    expect(answer.sessionId).not.toBe('my-session')
  })

  test('forgets the branch is asked which line it means', async () => {
    const { think } = createDesk()
    const sessionId = await chainOf(think, 2)
    await think(stepArguments(2, { sessionId, branchFromThought: 1, branchId: 'x' }))
    const call = stepArguments(3, { sessionId, thought: 'Which?' })
    expect(await corrected(think, call, 1)).toMatchObject({ branchId: 'x', thoughtNumber: 3 })
  })

  test('forgets the number is told what it means', async () => {
    const { think } = createDesk()
    const sessionId = await chainOf(think, 1)
    const text = await refusalOf(think, stepArguments(0, { sessionId, thoughtNumber: undefined }))
    expect(text).toMatch(/thoughtNumber is missing.*number of this step, counted from 1/)
  })

  test('counts from 0 learns where to start and goes on', async () => {
    const { think } = createDesk()
    const text = await refusalOf(think, stepArguments(0))
    expect(text).toMatch(/thoughtNumber is 0.*1 or more.*such as 1/)
    const { sessionId } = await think(stepArguments(1))
    expect(await corrected(think, stepArguments(1, { sessionId, thought: 'My second' }), 1)).toMatchObject({
      thoughtNumber: 2,
    })
  })

  test('revises what is not there learns how to go on', async () => {
    const { think } = createDesk()
    const sessionId = await chainOf(think, 2)
    expect(await corrected(think, stepArguments(5, { sessionId, revisionNumber: 1 }))).toMatchObject({
      thoughtNumber: 3,
      revisionNumber: 0,
    })
  })

  test('guesses the version of a revision learns it', async () => {
    const { think } = createDesk()
    const sessionId = await chainOf(think, 2)
    expect(
      await corrected(think, stepArguments(2, { sessionId, thought: 'x', revisionNumber: 3 })),
    ).toMatchObject({
      thoughtNumber: 2,
      revisionNumber: 1,
    })
  })

  test('goes on after the stop is told again to answer, and is refused in the end', async () => {
    const { think } = createDesk()
    const sessionId = await chainOf(think, 59)
    const late = await think(stepArguments(60, { sessionId }))
    expect(late).toMatchObject({
      nextThoughtNeeded: false,
      notices: expect.arrayContaining([expect.stringMatching(/^Stop calling/)]),
    })
    expect(await corrected(think, stepArguments(61, { sessionId }))).toMatchObject({
      thoughtNumber: 61,
      nextThoughtNeeded: false,
    })
  })

  test('runs in circles is told so, then stopped', async () => {
    const { think } = createDesk()
    const { sessionId } = await think(stepArguments(1, { thought: 'Check the logs.' }))
    const answers: Answer[] = []
    for (let number = 2; number <= 4; number++) {
      answers.push(
        await think(stepArguments(number, { sessionId, thought: `Step ${number}: check the logs.` })),
      )
    }
    expect(answers[0]?.notices).toEqual([expect.stringMatching(/repeats thought 1.*say something new/)])
    expect(answers.map(({ nextThoughtNeeded }) => nextThoughtNeeded)).toEqual([true, true, false])
  })

  test('sends the same call again and again is told what comes next', async () => {
    const { think } = createDesk()
    const sessionId = await chainOf(think, 2)
    const again = stepArguments(2, { sessionId })
    await think(again)
    await think(again)
    expect(await corrected(think, again)).toMatchObject({ thoughtNumber: 3 })
  })

  test('sends steps in parallel loses none when it sends the refused ones again', async () => {
    const { think } = createDesk()
    const sessionId = await chainOf(think, 1)
    const calls = [4, 3, 2].map((number) => stepArguments(number, { sessionId }))
    const settled = await Promise.allSettled(calls.map(think))
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
    await think(stepArguments(3, { sessionId }))
    expect(await think(stepArguments(4, { sessionId }))).toMatchObject({ thoughtHistoryLength: 4 })
  })

  test('lost its context reads its chain and goes on', async () => {
    const { think, read } = createDesk()
    const sessionId = await chainOf(think, 3)
    const { nextThoughtNumber, thinkingHistory } = await read({ session_id: ` ${sessionId.toUpperCase()} ` })
    expect(thinkingHistory).toHaveLength(3)
    expect(await think(stepArguments(Number(nextThoughtNumber), { sessionId }))).toMatchObject({
      thoughtNumber: 4,
    })
  })

  test("knows the reference server's fields revises with them and is told the right ones", async () => {
    const { think } = createDesk()
    const sessionId = await chainOf(think, 3)
    const call = { sessionId, thought: 'x', isRevision: true, revisesThought: 2, needsMoreThoughts: true }
    const answer = await think(stepArguments(4, call))
    expect(answer).toMatchObject({ thoughtNumber: 2, revisionNumber: 1, thoughtHistoryLength: 3 })
    expect(answer.notices).toContainEqual(
      expect.stringMatching(/isRevision was taken as revision 1 of thought 2/),
    )
  })

  test('sets isRevision on a new step has it appended', async () => {
    const { think } = createDesk()
    const sessionId = await chainOf(think, 2)
    expect(await think(stepArguments(3, { sessionId, isRevision: true }))).toMatchObject({
      thoughtNumber: 3,
      revisionNumber: 0,
    })
  })

  test('repeats branchFromThought on each call of its branch goes on with it', async () => {
    const { think } = createDesk()
    const sessionId = await chainOf(think, 2)
    for (const number of [2, 3, 4]) {
      const answer = await think(
        stepArguments(number, { sessionId, branchFromThought: 1, thought: `Other ${number}` }),
      )
      expect(answer).toMatchObject({ branchId: 'branch-1', thoughtNumber: number })
    }
  })

  test('names a branch without saying where it leaves learns how to open it', async () => {
    const { think } = createDesk()
    const sessionId = await chainOf(think, 2)
    const text = await refusalOf(think, stepArguments(3, { sessionId, branchId: 'x' }))
    expect(text).toMatch(/add branchFromThought.*thoughtNumber one above/)
    expect(await corrected(think, stepArguments(3, { sessionId, branchId: 'x' }))).toMatchObject({
      thoughtNumber: 3,
    })
  })

  test('starts a second problem on the first chain learns to leave out the id', async () => {
    const { think } = createDesk()
    const sessionId = await chainOf(think, 3)
    const call = stepArguments(1, { sessionId, thought: 'Another problem' })
    const offers = offersOf(await refusalOf(think, call))
    const answer = await corrected(
      think,
      call,
      offers.findIndex(({ isNewChain }) => isNewChain),
    )
    expect(answer.sessionId).not.toBe(sessionId)
  })

  test('writes too much learns the limit', async () => {
    const { think } = createDesk()
    expect(await refusalOf(think, stepArguments(1, { thought: 'x'.repeat(2500) }))).toMatch(
      /2500.*2000.*Split it.*or condense it/s,
    )
  })
})

test('a refused call without an id opens nothing', async () => {
  const { think, read } = createDesk()
  await refusalOf(think, stepArguments(2))
  await refusalOf(think, stepArguments(1, { totalThoughts: 'many' }))
  await refusalOf(think, stepArguments(1, { revisionNumber: 1 }))
  await refusalOf(think, stepArguments(1, { branchId: 'x' }))
  expect(await read({})).toEqual({ sessions: [] })
})

test('every opening call opens a chain of its own, the same one sent twice too', async () => {
  const { think } = createDesk()
  const [one, other] = [await think(stepArguments(1)), await think(stepArguments(1))]
  expect(other.sessionId).not.toBe(one.sessionId)
  expect(other).toMatchObject({ thoughtHistoryLength: 1 })
})

test.each(['main', 'MAIN', ' Main '])('opens a chain with branchId %j', async (branchId) => {
  const { think } = createDesk()
  expect(await think(stepArguments(1, { branchId }))).not.toHaveProperty('branchId')
})

test('one and the same error answers every id that is not known', async () => {
  const desk = createDesk({ maxSessions: 1 })
  const dropped = await chainOf(desk.think, 1)
  await chainOf(desk.think, 1)
  const theirs = await chainOf(desk.callerOf('them', 'modern').think, 1)
  const texts = await Promise.all(
    [dropped, theirs, crypto.randomUUID(), 'malformed'].map(async (sessionId) =>
      (await refusalOf(desk.think, stepArguments(2, { sessionId }))).replace(JSON.stringify(sessionId), 'ID'),
    ),
  )
  expect(new Set(texts).size).toBe(1)
})
