import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toSnapshot } from '../../src/documents/to-snapshot.ts'
import { ThoughtError } from '../../src/engine/errors.ts'
import { DEFAULT_LIMITS } from '../../src/engine/limits.ts'
import type { ThoughtInput } from '../../src/engine/thought.ts'
import { ThoughtChain } from '../../src/engine/thought-chain.ts'
import { replay } from '../../src/record-files/reader.ts'
import { toRecordedCall } from '../../src/record-files/recorded-call.ts'
import { tickingClock } from '../clock.ts'
import { fork, revision, snapshot, step, steps } from '../helpers.ts'

const SESSION_ID = '00000000-0000-4000-8000-000000000000'
const LIMITS = { ...DEFAULT_LIMITS, maxSteps: 15, maxChainLength: 11 }
const RECORD_BUDGET = 200

/** Plays the calls, refused ones too, and returns the chain with the file that a writer would have made. */
function write(inputs: readonly ThoughtInput[]) {
  const [first = step(1), ...others] = inputs
  const record = { recordBudget: RECORD_BUDGET, now: tickingClock() }
  const { chain, outcome } = ThoughtChain.open(first, LIMITS, record)
  const header = {
    type: 'session',
    format: 1,
    version: '0.0.0',
    sessionId: SESSION_ID,
    limits: LIMITS,
    recordBudget: RECORD_BUDGET,
  }
  const lines: object[] = [header, toRecordedCall(chain, first, outcome)]
  for (const input of others) {
    try {
      lines.push(toRecordedCall(chain, input, chain.record(input)))
    } catch (error) {
      if (!(error instanceof ThoughtError)) throw error
    }
  }
  return { chain, file: lines.map((line) => `${JSON.stringify(line)}\n`).join('') }
}

/** Calls of which most are taken, since numbers and names are few. */
const calls: fc.Arbitrary<ThoughtInput[]> = fc
  .array(
    fc.record({
      kind: fc.constantFrom('next', 'next', 'next', 'next', 'revise', 'revise', 'fork', 'retry', 'other'),
      number: fc.integer({ min: 1, max: 20 }),
      branchId: fc.constantFrom(undefined, 'main', 'main', 'main', 'a', '__proto__'),
      thought: fc.oneof(
        fc.constantFrom('Same', 'same', 'Step 3: same'),
        fc.string({ unit: 'binary', minLength: 1 }),
      ),
      nextThoughtNeeded: fc.constantFrom(true, true, true, false),
    }),
    { minLength: 10, maxLength: 60, size: 'max' },
  )
  .map((drawn) => {
    const next = new Map<string | undefined, number>([['main', 2]])
    let last: ThoughtInput = step(1)
    const inputs = [last]
    for (const { kind, number, branchId, thought, nextThoughtNeeded } of drawn) {
      const line = branchId === undefined ? 'main' : branchId
      const others = { thought, nextThoughtNeeded, branchId: line }
      const at = next.get(line)
      if (kind === 'retry') {
        inputs.push(last)
        continue
      }
      if (kind === 'fork' || at === undefined) {
        if (line === 'main') continue
        const from = 1 + (number % ((next.get('main') ?? 2) - 1))
        last = step(from + 1, { ...others, branchFromThought: from })
        if (!next.has(line)) next.set(line, from + 2)
      } else if (kind === 'revise') {
        last = step(1 + (number % (at - 1)), { ...others, revisionNumber: number % 3 === 0 ? 1 : 'next' })
      } else if (kind === 'other') {
        last = step(number, { ...others, branchId })
      } else {
        last = step(at, others)
        next.set(line, at + 1)
      }
      inputs.push(last)
    }
    return inputs
  })

describe('replaying a file', () => {
  test('gives the chain that wrote it, with its record and its times', () => {
    fc.assert(
      fc.property(calls, (inputs) => {
        const { chain, file } = write(inputs)
        const replayed = replay(file)
        expect(replayed.problem).toBeUndefined()
        expect(snapshot(replayed.chain)).toEqual(snapshot(chain))
        expect(toSnapshot(SESSION_ID, replayed.chain)).toEqual(toSnapshot(SESSION_ID, chain))
      }),
      { numRuns: 200, seed: 1 },
    )
  })

  test('gives a chain that goes on as the one that wrote it would', () => {
    const { chain, file } = write([...steps(1, 3), fork(2, 'a'), revision(2, 1, { branchId: 'main' })])
    const replayed = replay(file).chain
    for (const input of [
      step(4, { branchId: 'main' }),
      step(4, { branchId: 'main' }),
      step(4, { branchId: 'a' }),
    ]) {
      expect(replayed.record(input).notices).toEqual(chain.record(input).notices)
    }
  })

  test('says of a file cut anywhere how far it goes', () => {
    const { file } = write([...steps(1, 3), revision(2, 1, { thought: '思\n考\u2028' })])
    const bytes = Buffer.from(file)
    const wholeLines = (length: number) => bytes.subarray(0, length).filter((byte) => byte === 10).length
    for (let length = 0; length <= bytes.length; length++) {
      const text = bytes.subarray(0, length).toString('utf8')
      const whole = wholeLines(length)
      if (whole < 2) {
        expect(() => replay(text), `${length} bytes`).toThrow(/no record of a session|first call is torn/)
        continue
      }
      const { chain, problem } = replay(text)
      expect(chain.steps + chain.revisions, `${length} bytes`).toBe(whole - 1)
      const isTorn = bytes[length - 1] !== 10
      expect(problem, `${length} bytes`).toBe(
        isTorn ? `The last line, ${whole + 1}, is torn; the call in it is left out.` : undefined,
      )
    }
  })

  test.each([
    ['damaged', 'x', 'Line 4 is damaged; the chain is shown up to there.'],
    ['missing', '', 'Line 4 does not follow from the lines before it; the chain is shown up to there.'],
  ])('stops at a line that is %s', (_, damage, problem) => {
    const lines = write(steps(1, 4)).file.split('\n')
    const damaged = lines.flatMap((line, i) => (i !== 3 ? [line] : damage === '' ? [] : [damage + line]))
    const replayed = replay(damaged.join('\n'))
    expect(replayed.problem).toBe(problem)
    expect(replayed.chain.steps).toBe(2)
  })

  test.each(['1e30', '-1e16', '"now"', 'null'])('takes a line of the time %s for damaged', (time) => {
    const lines = write(steps(1, 3)).file.split('\n')
    const damaged = lines.map((line, i) => (i === 2 ? line.replace(/"atMs":\d+/, `"atMs":${time}`) : line))
    expect(replay(damaged.join('\n')).problem).toBe('Line 3 is damaged; the chain is shown up to there.')
  })

  test('stops at a call that had another effect', () => {
    const file = write(steps(1, 3)).file.replace('"steps":2', '"steps":7')
    expect(replay(file).problem).toBe(
      'Line 3 has another effect in this version; the chain is shown up to there.',
    )
  })

  test('refuses an id that the server cannot have made', () => {
    const file = write([step(1)]).file.replace(SESSION_ID, '../../elsewhere')
    expect(() => replay(file)).toThrow('it is no record of a session that this version can read')
  })

  test.each(['', '\n', '{}\n{}\n', '{"type":"session","format":2}\n', 'null\nnull\n'])(
    'refuses %j',
    (text) => {
      expect(() => replay(text)).toThrow('it is no record of a session that this version can read')
    },
  )
})
