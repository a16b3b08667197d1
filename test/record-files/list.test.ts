import { stripVTControlCharacters } from 'node:util'
import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import { DEFAULT_LIMITS } from '../../src/engine/limits.ts'
import { ThoughtChain } from '../../src/engine/thought-chain.ts'
import { toRows, toTable } from '../../src/record-files/list.ts'
import { tickingClock } from '../clock.ts'
import { hostileTexts } from '../documents/hostile-texts.ts'
import { step } from '../helpers.ts'

function sessionOf(thought: string, problem?: string) {
  const record = { recordBudget: 100, now: tickingClock() }
  const { chain } = ThoughtChain.open(step(1, { thought }), DEFAULT_LIMITS, record)
  return { sessionId: '12345678-0000-4000-8000-000000000000', chain, problem }
}

test('the table fits into 80 columns and is aligned, whatever the titles are', () => {
  const texts = [...hostileTexts(), '思'.repeat(100), '👩‍👩‍👧'.repeat(50), 'x'.repeat(300)]
  const [head = '', ...rows] = toTable(
    texts.map((text) => sessionOf(text)),
    80,
  )
    .trimEnd()
    .split('\n')
  expect(rows).toHaveLength(texts.length)
  for (const row of rows) {
    expect(stripVTControlCharacters(row)).toBe(row)
    expect(row).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u)
    expect(stringWidth(row), row).toBe(stringWidth(head) + '2026-12-01 09:00'.length - 'LAST CALL'.length)
    expect(stringWidth(row)).toBeLessThanOrEqual(80)
  }
})

test('a wider terminal gets longer titles', () => {
  expect(toTable([sessionOf('x'.repeat(70))], 80)).toContain('x…')
  expect(toTable([sessionOf('x'.repeat(70))], 160)).toContain('x'.repeat(70))
})

test('a session whose file is damaged is marked', () => {
  expect(toTable([sessionOf('Why?', 'The last line, 3, is torn.')], 80)).toContain('! Why?')
})

test('rows for programs have one line and six fields a session, whatever the titles are', () => {
  const texts = hostileTexts()
  const rows = toRows(texts.map((text) => sessionOf(text)))
    .trimEnd()
    .split('\n')
  expect(rows).toHaveLength(texts.length + 1)
  for (const row of rows) expect(row.split('\t')).toHaveLength(6)
})
