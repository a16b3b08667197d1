import { expect, test } from 'vitest'
import { fuzz } from './fuzz.ts'
import { MUTATIONS } from './mutations.ts'

const LINES = 20_000

test('20,000 lines that go wrong in every way are answered as expected, and the calls among them rightly', async () => {
  const sent = await fuzz({ seed: 3, lines: LINES })
  expect([...sent.keys()]).toEqual(Object.keys(MUTATIONS))
  expect([...sent.values()].reduce((sum, count) => sum + count)).toBe(LINES)
  expect(Math.min(...sent.values())).toBeGreaterThan(100)
}, 120_000)
