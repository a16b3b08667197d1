import { expect, test } from 'vitest'
import { wholeHistory } from '../../src/engine/history.ts'
import { countChars, countJsonChars, firstChars } from '../../src/engine/thought.ts'
import { play, revision, step } from '../helpers.ts'

const TEXTS = [
  'a\u0000b',
  '\ud800 alone \udfff',
  '\u202Eright to left\u202C',
  '</script><script>alert(1)</script>',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the point is that nothing expands it
  '${process.exit(1)} {{constructor}} %s %d %j',
  '{"thoughtNumber": 9, "__proto__": {}}',
  '../../etc/passwd',
  '  leading and trailing \r\n\t ',
  '\ufeffbom and e\u0301 unlike \u00e9',
  '__proto__',
]

test.each(TEXTS)('hands back %j unit for unit', (thought) => {
  const { chain } = play([step(1, { thought }), step(2), revision(2, 1, { thought: `${thought}!` })])
  expect(wholeHistory(chain).map((node) => node.thought)).toEqual([thought, `${thought}!`])
})

test.each([
  ['abc', 3],
  ['😀😀', 2],
  ['思考', 2],
  ['\ud83d', 1],
  ['\ude00\ud83d', 2],
  ['\ud83d😀', 2],
  ['e\u0301', 2],
  ['', 0],
])('counts %j as %i characters', (text, chars) => {
  expect(countChars(text)).toBe(chars)
})

test('counts what JSON makes of every unit, alone and among others', () => {
  const units = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit))
  const texts = [...units, ...units.map((unit) => `é${unit}a`), '😀"\n\\', '思考\ud83d']
  const wrong = texts.filter((text) => countJsonChars(text) !== Array.from(JSON.stringify(text)).length - 2)
  expect(wrong).toEqual([])
})

test.each([
  ['abcd', 'abc'],
  ['思考😀日本', '思考😀'],
  ['\ud83dab😀', '\ud83dab'],
])('takes the first characters of %j', (text, start) => {
  expect(firstChars(text, 3)).toBe(start)
})
