import { JSDOM } from 'jsdom'
import { beforeAll, expect, test, vi } from 'vitest'
import { toMermaid } from '../../src/documents/to-mermaid.ts'
import { fork, step } from '../helpers.ts'
import { hostileTexts } from './hostile-texts.ts'
import { INVESTIGATION, LONG_CHAIN, snapshotOf } from './sample-chains.ts'

// The parser cleans labels with DOMPurify, which looks for a document when it is loaded.
beforeAll(() => {
  const { window } = new JSDOM('')
  vi.stubGlobal('window', window)
  vi.stubGlobal('document', window.document)
  return () => vi.unstubAllGlobals()
})

test('an investigation with a revision and branches is a flowchart', async () => {
  const chart = toMermaid(snapshotOf(INVESTIGATION))
  await expect(chart).toMatchFileSnapshot('golden/investigation.mmd')
  expect(await verticesOf(chart)).toHaveLength(7)
})

test('a chain that was summarized, closed and reopened is a flowchart', async () => {
  const chart = toMermaid(snapshotOf(LONG_CHAIN, { maxChainLength: 11 }))
  await expect(chart).toMatchFileSnapshot('golden/long-chain.mmd')
  await verticesOf(chart)
})

test('a chain that was stopped is a flowchart', async () => {
  const chart = toMermaid(snapshotOf(LONG_CHAIN, { maxSteps: 13, maxChainLength: 11 }, 30))
  await expect(chart).toMatchFileSnapshot('golden/stopped.mmd')
  await verticesOf(chart)
})

test('Mermaid takes every text for a text', async () => {
  for (const thought of hostileTexts()) {
    const branchId = Array.from(thought.trim()).slice(0, 64).join('')
    const chart = toMermaid(
      snapshotOf([step(1, { thought }), step(2), fork(1, branchId, { thought: `${thought}2` })]),
    )
    const vertices = await verticesOf(chart)
    expect(vertices.map(({ id }) => id).sort(), thought).toEqual(['b1_2', 'm1', 'm2'])
    const text = vertices.find(({ id }) => id === 'm1')?.text ?? ''
    expect(bare(decode(text)), thought).toBe(bare(`1:${shortened(thought)}`))
  }
}, 60_000)

test('long texts are shortened', () => {
  const chart = toMermaid(snapshotOf([step(1, { thought: '思'.repeat(2000) })]))
  expect(chart).toContain(`1: ${'思'.repeat(79)}…"`)
})

/** The nodes that the real parser finds. @throws when it refuses the chart */
async function verticesOf(chart: string): Promise<{ id: string; text: string }[]> {
  const { default: mermaid } = await import('mermaid')
  // It loads the kinds of diagrams, too.
  await mermaid.parse(chart)
  const { db } = await mermaid.mermaidAPI.getDiagramFromText(chart)
  if (!('getVertices' in db) || typeof db.getVertices !== 'function') throw new Error('it is no flowchart')
  const vertices: Map<string, { id: string; text: string }> = db.getVertices()
  return [...vertices.values()]
}

/** Mermaid writes #35; as ﬂ°°35¶ß until it draws. */
function decode(text: string): string {
  return text.replace(/ﬂ°°(\d+)¶ß/g, (_, code) => String.fromCodePoint(Number(code)))
}

function shortened(text: string): string {
  const line = text.replace(/[\s\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim()
  const chars = Array.from(line)
  return chars.length > 80 ? `${chars.slice(0, 79).join('')}…` : line
}

function bare(text: string): string {
  return text.replace(/[\s\p{Cc}\u2028\u2029\ud800-\udfff\ufffd]/gu, '')
}
