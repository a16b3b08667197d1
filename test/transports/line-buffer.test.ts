import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LineBuffer } from '../../src/transports/line-buffer.ts'

const MAX_LINE_BYTES = 70_000

/** The lines that come out, chunk by chunk. */
function read(chunks: readonly Uint8Array[], maxLineBytes = MAX_LINE_BYTES): string[] {
  const buffer = new LineBuffer(maxLineBytes)
  return chunks.flatMap((chunk) => [...buffer.linesOf(chunk)])
}

test('gives the same lines however the bytes are cut', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '思', '🧠', '\r', '\n', '\u{feff}'), maxLength: 60 })
  fc.assert(
    fc.property(text, fc.array(fc.nat(60)), (written, cuts) => {
      const bytes = Buffer.from(written)
      const ends = [...cuts.filter((cut) => cut < bytes.length), bytes.length].sort((a, b) => a - b)
      const chunks = ends.map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end))
      expect(read(chunks)).toEqual(written.split('\n').slice(0, -1))
    }),
  )
})

test('gives lines beyond its first size, byte by byte and whole, and short ones after them', () => {
  const long = 'x'.repeat(MAX_LINE_BYTES)
  const bytes = Buffer.from(`${long}\n${long}\nshort\n`)
  const single = Array.from({ length: bytes.length }, (_, i) => bytes.subarray(i, i + 1))
  expect(read([bytes]).map(({ length }) => length)).toEqual([MAX_LINE_BYTES, MAX_LINE_BYTES, 5])
  expect(read(single)).toEqual([long, long, 'short'])
})

test.each(['abc\ndefgh', 'abc\ndefgh\nx\n'])(
  'throws at a line that is too long, after those before it: %j',
  (text) => {
    const lines: string[] = []
    expect(() => {
      for (const line of new LineBuffer(4).linesOf(Buffer.from(text))) lines.push(line)
    }).toThrow('A line is longer than 4 bytes.')
    expect(lines).toEqual(['abc'])
  },
)

test('throws at a line that grows too long with a later chunk', () => {
  expect(() => read([Buffer.from('abc'), Buffer.from('de')], 4)).toThrow(RangeError)
  expect(read([Buffer.from('abc'), Buffer.from('d\n')], 4)).toEqual(['abcd'])
})
