import { JSDOM } from 'jsdom'
import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import { expect, test } from 'vitest'
import { toMarkdown } from '../../src/documents/to-markdown.ts'
import type { ThoughtInput } from '../../src/engine/thought.ts'
import { fork, revision, step, steps } from '../helpers.ts'
import { hostileTexts } from './hostile-texts.ts'
import { INVESTIGATION, LONG_CHAIN, snapshotOf } from './sample-chains.ts'

const { document } = new JSDOM('').window

/** Both flavours that people read: plain CommonMark and GitHub's. HTML in the text is let through, to be found. */
const RENDERERS = {
  CommonMark: (markdown: string) =>
    micromark(markdown, { allowDangerousHtml: true, allowDangerousProtocol: true }),
  GitHub: (markdown: string) =>
    micromark(markdown, {
      allowDangerousHtml: true,
      allowDangerousProtocol: true,
      extensions: [gfm()],
      htmlExtensions: [gfmHtml()],
    }),
}

test('an investigation with a revision and branches reads as a document', async () => {
  await expect(toMarkdown(snapshotOf(INVESTIGATION))).toMatchFileSnapshot('golden/investigation.md')
})

test('a chain that was summarized, closed and reopened reads as a document', async () => {
  const markdown = toMarkdown(snapshotOf(LONG_CHAIN, { maxChainLength: 11 }))
  await expect(markdown).toMatchFileSnapshot('golden/long-chain.md')
})

test('a chain that was stopped and outgrew its record says so', async () => {
  const markdown = toMarkdown(snapshotOf(LONG_CHAIN, { maxSteps: 13, maxChainLength: 11 }, 30))
  await expect(markdown).toMatchFileSnapshot('golden/stopped.md')
})

test('the steps of a document are lists that carry the numbers of the thoughts', () => {
  const { body } = new JSDOM(RENDERERS.CommonMark(toMarkdown(snapshotOf(steps(1, 12))))).window.document
  const list = body.querySelector('ol')
  expect(list?.getAttribute('start')).toBe('2')
  expect(list?.querySelectorAll(':scope > li')).toHaveLength(11)
})

test.each(Object.entries(RENDERERS))(
  'no thought gets out of its place in %s',
  (_name, render) => {
    const tame = skeletonOf(render(toMarkdown(snapshotOf(everywhere('Tame')))))
    for (const thought of hostileTexts()) {
      const html = render(toMarkdown(snapshotOf(everywhere(thought))))
      expect(skeletonOf(html), thought).toEqual(tame)
      const [quote] = parse(html).querySelectorAll('blockquote')
      expect(bare(quote?.textContent ?? ''), thought).toBe(bare(thought))
    }
  },
  60_000,
)

/** A chain that has a text in all the places where a text can be: the title, a branch, a revision, the conclusion. */
function everywhere(thought: string): ThoughtInput[] {
  const branchId = Array.from(thought.trim()).slice(0, 64).join('')
  return [
    step(1, { thought }),
    step(2, { thought: `${thought} 2` }),
    revision(2, 1, { thought: `2 ${thought}` }),
    fork(2, branchId, { thought: `${thought} 3` }),
    step(3, { branchId: 'main', thought: `3\n${thought}`, nextThoughtNeeded: false }),
  ]
}

/** The elements of a document, but for paragraphs and line breaks within a quote. */
function skeletonOf(html: string): string[] {
  return [...parse(html).querySelectorAll('*')]
    .filter((element) => element.closest('blockquote p') === null || !/^(?:P|BR)$/.test(element.tagName))
    .map((element) => element.tagName)
}

function parse(html: string) {
  const template = document.createElement('template')
  template.innerHTML = html
  return template.content
}

/** A text without white space and without the characters that a document shows by others. */
function bare(text: string): string {
  return text.replace(/[\s\p{Cc}\u2400-\u2421\ufffd\u2028\u2029]/gu, '')
}
