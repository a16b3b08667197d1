import { expect, test } from 'vitest'
import { parsePrincipals } from '../../../src/transports/http/principals.ts'

function principalsOf(text: string) {
  const parsed = parsePrincipals(text)
  if ('problem' in parsed) throw new Error(parsed.problem)
  return parsed
}

test('reads entries from one line or many, without blanks and comments', () => {
  const { identify } = principalsOf('# staff\nann:one, ben : two\r\n\n  cy@example.com:a.b-c_d~e+f/g==\n')
  expect(['one', 'two', 'a.b-c_d~e+f/g=='].map(identify)).toEqual(['ann', 'ben', 'cy@example.com'])
  expect(['', 'on', 'one ', 'ONE', 'ann', 'ann:one', '# staff'].map(identify)).toEqual(
    Array(7).fill(undefined),
  )
})

test('takes several tokens of one name, and no token of two', () => {
  const { identify } = principalsOf('ann:old,ann:new')
  expect(['old', 'new'].map(identify)).toEqual(['ann', 'ann'])
  expect(parsePrincipals('ann:one,ben:one')).toHaveProperty('problem')
})

test.each([
  '',
  ' , \n#only:comment',
  'ann',
  'ann:',
  ':secret',
  'ann:sec ret',
  'an n:secret',
  'ann:geheim€',
  `${'a'.repeat(65)}:secret`,
])('refuses %j, and says so without a token', (text) => {
  const parsed = parsePrincipals(text)
  if (!('problem' in parsed)) throw new Error('taken')
  expect(parsed.problem).not.toMatch(/secret|sec ret|geheim/)
  expect(parsed.problem).not.toContain('\n')
})
