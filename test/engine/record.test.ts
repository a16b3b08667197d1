import { describe, expect, test } from 'vitest'
import { DEFAULT_LIMITS, type Limits } from '../../src/engine/limits.ts'
import { MAX_RECORDED_EVENTS, MAX_RECORDED_TEXTS } from '../../src/engine/record.ts'
import type { ThoughtInput } from '../../src/engine/thought.ts'
import { ThoughtChain } from '../../src/engine/thought-chain.ts'
import { tickingClock } from '../clock.ts'
import { errorOf, fork, revision, step, steps } from '../helpers.ts'

const OPENED = Date.UTC(2026, 11, 1, 9)

function play(inputs: readonly ThoughtInput[], recordBudget = 100_000, limits: Partial<Limits> = {}) {
  const [first = step(1), ...others] = inputs
  const record = { recordBudget, now: tickingClock() }
  const { chain } = ThoughtChain.open(first, { ...DEFAULT_LIMITS, ...limits }, record)
  for (const input of others) chain.record(input)
  return chain
}

describe('the record', () => {
  test('keeps the earlier texts of a revised thought with their times', () => {
    const { past } = play([...steps(1, 2), revision(2, 1), revision(2, 2)])
    expect(past.texts).toEqual([
      {
        gone: 'revised',
        thoughtNumber: 2,
        revisionNumber: 0,
        thought: 'Idea 2',
        totalThoughts: 90,
        branches: [],
        recordedMs: OPENED + 1000,
      },
      expect.objectContaining({ revisionNumber: 1, thought: 'Idea 2, version 1', recordedMs: OPENED + 2000 }),
    ])
  })

  test('keeps the thoughts behind a summary, those of branches too', () => {
    const { past } = play([...steps(1, 3), fork(2, 'b'), ...steps(4, 11, { branchId: 'main' })], undefined, {
      maxChainLength: 11,
    })
    expect(past.texts.map(({ gone, thought }) => `${gone}: ${thought}`)).toEqual([
      'summarized: Idea 1',
      'summarized: Idea 2',
      'summarized: Idea 3',
      'summarized: Idea 3 of b',
      ...[4, 5, 6, 7, 8, 9].map((number) => `summarized: Idea ${number}`),
    ])
    expect(past.texts[3]).toMatchObject({ branchId: 'b', branches: [2] })
  })

  test('keeps stops with the warning that was given, closings, reopenings and repetitions', () => {
    const { past } = play(
      [
        step(1),
        step(2, { thought: 'idea 1' }),
        step(3, { nextThoughtNeeded: false }),
        step(4),
        step(5, { totalThoughts: 5 }),
        step(6, { totalThoughts: 6, nextThoughtNeeded: false }),
      ],
      undefined,
      { maxSteps: 5 },
    )
    expect(past.events).toEqual([
      { kind: 'repeated', thoughtNumber: 2, revisionNumber: 0, earlierNumber: 1, atMs: OPENED + 1000 },
      { kind: 'closed', thoughtNumber: 3, revisionNumber: 0, isEarly: true, atMs: OPENED + 2000 },
      { kind: 'reopened', thoughtNumber: 4, revisionNumber: 0, atMs: OPENED + 3000 },
      {
        kind: 'stopped',
        thoughtNumber: 5,
        revisionNumber: 0,
        text: expect.stringContaining('its limit of 5 steps'),
        atMs: OPENED + 4000,
      },
    ])
  })

  test('keeps the times of opening and of the latest call, retries included, refused calls not', () => {
    const chain = play([step(1), step(2), step(2)])
    expect([chain.openedMs, chain.lastCallMs]).toEqual([OPENED, OPENED + 2000])
    errorOf(() => chain.record(step(9)))
    expect(chain.lastCallMs).toBe(OPENED + 2000)
  })

  test('counts revisions', () => {
    expect(play([...steps(1, 2), revision(1, 1), revision(2, 1), revision(2, 2)]).revisions).toBe(3)
  })

  test('drops the oldest texts beyond its budget and says how much went', () => {
    const text = (letter: string) => letter.repeat(40)
    const revisions = ['b', 'c', 'd'].map((letter, i) => revision(1, i + 1, { thought: text(letter) }))
    const { past } = play([step(1, { thought: text('a') }), ...revisions], 80)
    expect(past.texts.map(({ thought }) => thought)).toEqual([text('b'), text('c')])
    expect(past.dropped).toEqual({ texts: 1, chars: 40, events: 0 })
  })

  test('counts its budget in code points', () => {
    const { past } = play([step(1, { thought: '😀'.repeat(80) }), revision(1, 1)], 80)
    expect(past.texts).toHaveLength(1)
  })

  test('drops a text that is larger than all of the budget', () => {
    const { past } = play([step(1, { thought: 'a'.repeat(81) }), revision(1, 1)], 80)
    expect(past.texts).toEqual([])
    expect(past.dropped).toEqual({ texts: 1, chars: 81, events: 0 })
  })

  test('keeps nothing with a budget of 0, and still says how much went', () => {
    const { past } = play([step(1), revision(1, 1, { nextThoughtNeeded: false })], 0)
    expect([past.texts, past.events]).toEqual([[], []])
    expect(past.dropped).toEqual({ texts: 1, chars: 6, events: 1 })
  })

  test('holds a bounded number of short texts and of events, however many calls are made', () => {
    const calls = 2 * MAX_RECORDED_TEXTS
    const inputs = Array.from({ length: calls }, (_, i) =>
      step(i + 1, { thought: `${i}`, nextThoughtNeeded: i % 2 === 0 && i < 20 }),
    )
    const { past, steps } = play(inputs, undefined, { maxSteps: calls })
    expect(steps).toBe(calls)
    expect(past.texts).toHaveLength(MAX_RECORDED_TEXTS)
    expect(past.events.length).toBeLessThanOrEqual(MAX_RECORDED_EVENTS)
    expect(past.dropped.texts).toBeGreaterThan(500)
  })

  test('holds at most so many events and counts the others', () => {
    const inputs = Array.from({ length: MAX_RECORDED_EVENTS + 51 }, (_, i) =>
      step(i + 1, { nextThoughtNeeded: i % 2 === 0 }),
    )
    const { past } = play(inputs, undefined, { maxSteps: 1000 })
    expect(past.events).toHaveLength(MAX_RECORDED_EVENTS)
    expect(past.dropped.events).toBe(50)
  })
})
