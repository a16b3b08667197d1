const SENTENCES =
  'The cache is read before the index, so a stale entry survives a rebuild. Two writers can meet at the lock. ' +
  'The slow path is taken once in forty requests and costs nine tenths of the time. A retry hides the fault. ' +
  'If the queue is bounded, the producer has to wait, which is what the design asks for. Measure that first. '
const PROSE = SENTENCES.repeat(Math.ceil(4_000 / SENTENCES.length))

/**
 * Prose of exactly `chars` characters that no other serial number has. The number stands last, since a
 * leading label is what servers that look for repeats leave out of the comparison.
 */
export function thoughtText(serial: number, chars: number): string {
  const tail = ` #${serial}`
  const from = (serial * 7) % SENTENCES.length
  return PROSE.slice(from, from + chars - tail.length) + tail
}
