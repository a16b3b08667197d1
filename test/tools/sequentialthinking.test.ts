import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { PATIENT } from '../agents/fake-model.ts'
import { stepArguments as step } from './desk.ts'
import { createSpecialistDesk, failureOf } from './specialist-desk.ts'

const CALLS = 9

/** Few, so that many starts are played to their end in little time. */
const MAX_STEPS = 8

const nextSchema = z.object({
  should_continue: z.boolean(),
  stop_reason: z.string(),
  session_id: z.string(),
  next_call_arguments: z
    .object({
      thought: z.string(),
      thoughtNumber: z.number(),
      totalThoughts: z.number(),
      nextThoughtNeeded: z.boolean(),
      sessionId: z.string(),
    })
    .loose()
    .optional(),
})

async function open(desk: ReturnType<typeof createSpecialistDesk>, others: Record<string, unknown> = {}) {
  return nextSchema.parse(await desk.ask(step(1, others))).session_id
}

describe('a result', () => {
  test('has every field of the contract', async () => {
    const { ask } = createSpecialistDesk()
    const result = await ask(step(1, { totalThoughts: 3 }))
    const { session_id } = result
    expect(result).toEqual({
      answer: 'The answer of all.',
      should_continue: true,
      next_thought_number: 2,
      stop_reason: 'next_thought_required',
      current_thought_number: 1,
      total_thoughts: 3,
      next_call_arguments: {
        thought: expect.stringMatching(/^Thought 2 of 3: /),
        thoughtNumber: 2,
        totalThoughts: 3,
        nextThoughtNeeded: true,
        sessionId: session_id,
      },
      parameter_usage: {
        thought: 'Recorded as thought 1 of the main line.',
        thoughtNumber: 'Numbered this step 1.',
        totalThoughts: 'Taken as the estimate: 3.',
        nextThoughtNeeded: 'Asked to continue, and the chain goes on.',
        sessionId: 'Not sent: a new chain was opened. Send session_id back as sessionId.',
      },
      session_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      missing_perspectives: [],
      complexity: { score: 42, problem_type: 'design', thinking_modes: ['critical', 'creative'] },
    })
  })

  test('is the answer first in the text, then one line of JSON', async () => {
    const { call } = createSpecialistDesk(({ agent }) => (agent === 'final' ? 'Two\nlines.' : undefined))
    const { text = '', result } = await call(step(1))
    const [control = '', blank, ...answer] = text.split('\n').reverse()
    expect(answer.reverse().join('\n')).toBe('Two\nlines.')
    expect(blank).toBe('')
    const { should_continue, stop_reason, session_id, next_call_arguments } = result
    expect(JSON.parse(control)).toEqual({ should_continue, stop_reason, session_id, next_call_arguments })
  })

  test('names what is missing in the text too', async () => {
    const { call } = createSpecialistDesk(({ agent }) =>
      agent === 'critical' ? { failure: 'empty' } : undefined,
    )
    expect((await call(step(1))).text).toContain('"missing_perspectives":[{"agent":"critical"')
  })
})

describe('the chain', () => {
  test('is that of sequential_thinking', async () => {
    const desk = createSpecialistDesk()
    const sessionId = await open(desk)
    await desk.think(step(2, { sessionId }))
    await desk.ask(step(3, { sessionId }))
    expect(desk.fake.promptOf('final')).toContain('[thought 2]\nIdea 2')
    expect(desk.fake.promptOf('final')).toContain('label="question">\nIdea 1\n')
    expect(await desk.read({ sessionId })).toMatchObject({ thoughtHistoryLength: 3 })
  })

  test('is read while agents run', async () => {
    const desk = createSpecialistDesk(({ agent, prompt }) =>
      agent === 'critical' && prompt.text.includes('Idea 2') ? 'hang' : undefined,
    )
    const sessionId = await open(desk)
    const controller = new AbortController()
    const call = desk.call(step(2, { sessionId }), { signal: controller.signal })
    await expect
      .poll(() => desk.fake.agents().filter((agent) => agent === 'critical'), PATIENT)
      .toHaveLength(2)
    expect(await desk.read({ sessionId })).toMatchObject({ thoughtHistoryLength: 1 })
    controller.abort()
    await failureOf(call)
  })

  test('that changed while the agents ran refuses the thought', async () => {
    const desk = createSpecialistDesk(({ agent, prompt }) =>
      agent === 'final' && prompt.text.includes('Late idea')
        ? desk.think(step(2, { sessionId })).then(() => 'Late.')
        : undefined,
    )
    const sessionId = await open(desk)
    await expect(desk.ask(step(2, { sessionId, thought: 'Late idea' }))).rejects.toThrow(
      'Thought 2 already exists',
    )
  })

  test.each([
    [{ thoughtNumber: 5 }, 'thought_out_of_order'],
    [{ isRevision: true, revisesThought: 7 }, 'revision_target_not_found'],
    [{ branchId: 'nowhere' }, 'branch_not_found'],
    [{ sessionId: 'none' }, 'session_not_found'],
    [{ needsMoreThoughts: 'perhaps' }, 'invalid_input'],
    [{ thought: 'x'.repeat(2001) }, 'thought_too_long'],
  ])('refuses %j before any agent is asked', async (wrong, code) => {
    const desk = createSpecialistDesk()
    const sessionId = await open(desk)
    await expect(desk.ask(step(2, { sessionId, ...wrong }))).rejects.toMatchObject({ code })
    expect(desk.fake.calls).toHaveLength(CALLS)
  })

  test('takes sloppy arguments', async () => {
    const desk = createSpecialistDesk()
    const session_id = await open(desk)
    const sloppy = { thought: 'x', thought_number: '2', total_thoughts: '2', next_thought_needed: 'no' }
    expect(await desk.ask({ ...sloppy, needs_more_thoughts: 'True', session_id })).toMatchObject({
      current_thought_number: 2,
      stop_reason: 'needs_more_thoughts',
    })
  })

  test('without an id goes on with the only open one of a connection of the older era', async () => {
    const { ask } = createSpecialistDesk(undefined, {}, 'legacy')
    await ask(step(1))
    expect(await ask(step(2))).toMatchObject({
      current_thought_number: 2,
      parameter_usage: { sessionId: 'Not sent: the only open chain of the connection was continued.' },
    })
  })
})

describe('a retry', () => {
  test('gets the kept answer', async () => {
    const desk = createSpecialistDesk(({ agent }) =>
      agent === 'final' ? `Answer ${desk.fake.calls.length}` : undefined,
    )
    const sessionId = await open(desk)
    const first = await desk.ask(step(2, { sessionId }))
    const again = await desk.ask(step(2, { sessionId }))
    expect(desk.fake.calls).toHaveLength(2 * CALLS)
    expect(again).toMatchObject({ answer: first.answer, current_thought_number: 2, next_thought_number: 3 })
    expect(again.parameter_usage).toMatchObject({ thought: expect.stringContaining('Already recorded') })
    expect(await desk.read({ sessionId })).toMatchObject({ thoughtHistoryLength: 2 })
  })

  test('of a call with isRevision that was appended is one too', async () => {
    const desk = createSpecialistDesk()
    const sessionId = await open(desk)
    for (const told of ['Recorded', 'Already recorded']) {
      const result = await desk.ask(step(2, { sessionId, isRevision: true }))
      expect(result.parameter_usage).toMatchObject({ thought: expect.stringContaining(told) })
    }
    expect(desk.fake.calls).toHaveLength(2 * CALLS)
  })

  test('that arrives while the first call runs waits for its answer', async () => {
    const desk = createSpecialistDesk()
    const sessionId = await open(desk)
    const [first, again] = await Promise.all([
      desk.ask(step(2, { sessionId })),
      desk.ask(step(2, { sessionId })),
    ])
    expect(again.answer).toBe(first.answer)
    expect(desk.fake.calls).toHaveLength(2 * CALLS)
  })

  test('of a thought that sequential_thinking recorded asks the agents', async () => {
    const desk = createSpecialistDesk()
    const { sessionId } = await desk.think(step(1))
    await desk.ask(step(1, { sessionId }))
    expect(desk.fake.calls).toHaveLength(CALLS)
    expect(await desk.read({ sessionId })).toMatchObject({ thoughtHistoryLength: 1 })
  })
})

describe('what is wrong', () => {
  test('all agents failing is an error that asks for a retry and records nothing', async () => {
    const desk = createSpecialistDesk(() => ({ failure: 'empty' }))
    const { sessionId } = await desk.think(step(1))
    const failure = await failureOf(desk.ask(step(2, { sessionId })))
    expect(failure.meta).toEqual({ stop_reason: 'retry' })
    expect(failure.message).toContain('factual, emotional, critical')
    expect(await desk.read({ sessionId })).toMatchObject({ thoughtHistoryLength: 1 })
    await failureOf(desk.ask(step(1)))
    expect(await desk.read({})).toMatchObject({ sessions: [{ sessionId }] })
  })

  test.each(['the client', 'the server'])(
    'a call that %s ends is an error and records nothing',
    async (who) => {
      const desk = createSpecialistDesk(({ agent }) => (agent === 'creative' ? 'hang' : undefined))
      const controller = new AbortController()
      const call = desk.call(step(1), { signal: controller.signal })
      const ended = failureOf(call)
      await expect.poll(() => desk.fake.agents(), PATIENT).toContain('metacognitive')
      if (who === 'the client') controller.abort()
      else desk.shutdown.abort()
      expect((await ended).code).toBe('cancelled')
      expect(desk.fake.calls.find(({ agent }) => agent === 'creative')?.signal.aborted).toBe(true)
      expect(await desk.read({})).toEqual({ sessions: [] })
    },
  )

  test('a call that waits for its turn can be cancelled, and the next one waits on', async () => {
    let release = (_: string) => {}
    const held = new Promise<string>((resolve) => {
      release = resolve
    })
    const desk = createSpecialistDesk(({ agent, prompt }) =>
      agent === 'final' && prompt.text.includes('Idea 2') ? held : undefined,
    )
    const sessionId = await open(desk)
    const controller = new AbortController()
    const second = desk.ask(step(2, { sessionId }))
    const cancelled = failureOf(desk.call(step(3, { sessionId }), { signal: controller.signal }))
    const third = desk.ask(step(3, { sessionId }))
    controller.abort()
    expect((await cancelled).code).toBe('cancelled')
    release('Held.')
    expect(await Promise.all([second, third])).toMatchObject([
      { current_thought_number: 2 },
      { current_thought_number: 3 },
    ])
  })
})

describe('whether it goes on', () => {
  test.each([
    [{ nextThoughtNeeded: true }, true, 'next_thought_required'],
    [{ nextThoughtNeeded: false, needsMoreThoughts: true }, true, 'needs_more_thoughts'],
    [{ nextThoughtNeeded: true, needsMoreThoughts: true }, true, 'next_thought_required'],
    [{ nextThoughtNeeded: false, totalThoughts: 1 }, false, 'thought_sequence_complete'],
    [{ nextThoughtNeeded: false, totalThoughts: 4 }, false, 'stopped_early'],
  ])('%j', async (args, should_continue, stop_reason) => {
    const { ask } = createSpecialistDesk()
    const result = await ask(step(1, args))
    expect(result).toMatchObject({ should_continue, stop_reason })
    expect('next_call_arguments' in result).toBe(should_continue)
  })

  test('the step limit stops it', async () => {
    const { ask } = createSpecialistDesk(undefined, { maxSteps: 1 })
    expect(await ask(step(1))).toMatchObject({ should_continue: false, stop_reason: 'step_limit_reached' })
  })

  test('repetition stops it', async () => {
    const { ask } = createSpecialistDesk()
    let args = step(1, { thought: 'Same' })
    for (let number = 2; number <= 4; number++) {
      const { session_id: sessionId } = await ask(args)
      args = step(number, { thought: 'Same', sessionId })
    }
    expect(await ask(args)).toMatchObject({ should_continue: false, stop_reason: 'repetition' })
  })

  test('whoever follows next_call_arguments comes to an end', { timeout: 60_000 }, async () => {
    const start = fc.record({
      totalThoughts: fc.oneof(
        fc.integer({ min: 1, max: 2 * MAX_STEPS }),
        fc.constant(Number.MAX_SAFE_INTEGER),
      ),
      nextThoughtNeeded: fc.boolean(),
      needsMoreThoughts: fc.boolean(),
      isRevision: fc.boolean(),
      recorded: fc.integer({ min: 0, max: MAX_STEPS }),
      kind: fc.constantFrom('step', 'revision', 'branch'),
      maxThoughtChars: fc.constantFrom(1, 20, 2000),
      ownWords: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(start, async ({ recorded, kind, maxThoughtChars, ownWords, ...args }) => {
        const desk = createSpecialistDesk(() => 'x', { maxThoughtChars, maxSteps: MAX_STEPS })
        const word = (number: number) => String.fromCharCode(0x4e00 + number)
        let sessionId: unknown
        for (let number = 1; number <= recorded; number++)
          ({ sessionId } = await desk.think(step(number, { thought: word(number), sessionId })))
        const first = {
          step: step(recorded + 1, args),
          revision: step(Math.max(1, recorded), { ...args, isRevision: true }),
          branch: step(recorded + 1, {
            ...args,
            ...(recorded > 0 && { branchFromThought: recorded, branchId: 'b' }),
          }),
        }[kind]
        let result = nextSchema.parse(await desk.ask({ ...first, thought: word(99), sessionId }))
        let calls = 1
        while (result.next_call_arguments !== undefined) {
          expect(result.should_continue).toBe(true)
          const { next_call_arguments: next } = result
          result = nextSchema.parse(await desk.ask(ownWords ? { ...next, thought: word(100 + calls) } : next))
          expect(++calls).toBeLessThanOrEqual(MAX_STEPS + 1)
        }
        expect(result.should_continue).toBe(false)
      }),
      { numRuns: 500 },
    )
  })
})

describe('parameter_usage says what each parameter did', () => {
  const desk = () => createSpecialistDesk()

  test.each<[Record<string, unknown>, Record<string, string>]>([
    [
      { thoughtNumber: 3, isRevision: true, revisesThought: 1 },
      {
        thought: 'Replaced the text of thought 1 of the main line, which is now at version 1.',
        thoughtNumber: 'Not used: revisesThought named thought 1.',
        revisesThought: 'Named the thought that is revised: 1.',
        isRevision: 'Taken as revision 1 of thought 1 of the main line.',
        sessionId: 'Continued this chain.',
      },
    ],
    [
      { thoughtNumber: 2, isRevision: true },
      {
        thoughtNumber: 'Named the thought that was revised.',
        isRevision: 'Taken as revision 1 of thought 2 of the main line.',
      },
    ],
    [
      { thoughtNumber: 3, isRevision: true },
      { isRevision: 'Not applied: there was no thought 3 to revise, so this was appended as a step.' },
    ],
    [
      { thoughtNumber: 3, isRevision: false, revisesThought: 1, needsMoreThoughts: false },
      {
        isRevision: 'false: nothing was to be revised.',
        revisesThought: 'Ignored, because isRevision is not true.',
        needsMoreThoughts: 'false: no more thoughts than planned were asked for.',
      },
    ],
    [
      { thoughtNumber: 2, branchFromThought: 1, branchId: 'x', totalThoughts: 1, nextThoughtNeeded: false },
      {
        branchFromThought: 'Opened branch "x" from thought 1.',
        branchId: 'Named the new branch "x".',
        totalThoughts: 'Raised from 1 to 2, the number of the thought.',
        nextThoughtNeeded: 'Ended the chain.',
      },
    ],
    [
      { thoughtNumber: 3, branchId: 'main', nextThoughtNeeded: false, needsMoreThoughts: true },
      {
        branchId: 'Put this on the main line.',
        nextThoughtNeeded: 'false, but needsMoreThoughts asked to continue.',
        needsMoreThoughts: 'Asked to continue although nextThoughtNeeded is false, and the chain goes on.',
      },
    ],
  ])('%j', async (args, usage) => {
    const { ask, think } = desk()
    const { sessionId } = await think(step(1))
    await think(step(2, { sessionId }))
    const { parameter_usage } = await ask({ ...step(3), sessionId, thought: 'New', ...args })
    expect(Object(parameter_usage)).toMatchObject(
      Object.fromEntries(Object.entries(usage).map(([name, text]) => [name, expect.stringContaining(text)])),
    )
  })
})

describe('the definition', () => {
  const { tool } = createSpecialistDesk()

  test('has a description of at most 1,024 characters that carries the call contract', () => {
    expect(tool.description.length).toBeLessThanOrEqual(1024)
    for (const words of [
      'loop, not a single call',
      'should_continue',
      'next_call_arguments',
      'Revise weak steps',
    ])
      expect(tool.description).toContain(words)
  })

  test('advertises plain schemas', () => {
    const json = JSON.stringify([tool.inputSchema, tool.outputSchema])
    for (const word of [
      'anyOf',
      'oneOf',
      '$ref',
      'format',
      'pattern',
      'exclusiveMinimum',
      'maximum',
      '$schema',
    ])
      expect(json).not.toContain(`"${word}"`)
    expect(json).not.toContain('"type":[')
  })
})
