import { readFile } from 'node:fs/promises'
import type axe from 'axe-core'
import type { Browser, Locator } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { stepArguments } from '../tools/desk.ts'
import { type AppsHost, createHost, type HostFrame } from './apps-host.ts'
import { BROWSER, launchBrowser } from './browser.ts'
import { CHINESE, INVESTIGATION, LARGE } from './scenes.ts'

/** A browser takes long to start on a busy machine. */
const START_DEADLINE_MS = 60_000

// On a machine without Chromium these tests say that they are skipped; in CI they fail.
describe.skipIf(BROWSER === undefined && !process.env.CI)('the view', () => {
  let browser: Browser
  let host: AppsHost

  beforeAll(async () => {
    browser = await launchBrowser()
    host = await createHost(browser)
  }, START_DEADLINE_MS)

  afterAll(async () => {
    await host?.close()
    await browser?.close()
  })

  afterEach(() => {
    expect(host.complaints.splice(0)).toEqual([])
  })

  /** A frame that shows a whole chain, read from the server. */
  async function show(
    scene: readonly object[],
    options: Parameters<AppsHost['open']>[0] = {},
  ): Promise<HostFrame> {
    const frame = await host.open(options)
    for (const args of scene) await frame.think({ ...args })
    await frame.view.getByText('closed', { exact: true }).waitFor()
    await frame.view.locator('.tree time').first().waitFor()
    await frame.view.locator('[role=tree][aria-busy]').waitFor({ state: 'detached' })
    return frame
  }

  const item = ({ view }: HostFrame, name: RegExp | string) => view.getByRole('treeitem', { name }).first()

  describe('of a closed chain', () => {
    it('is a tree of the main line with the branch at its fork', async () => {
      const frame = await show(INVESTIGATION)
      const places = await frame.view
        .getByRole('treeitem')
        .evaluateAll((items) => items.map((found) => [found.ariaLevel, found.dataset.key]))
      expect(places).toEqual([
        ['1', '1'],
        ['1', '2'],
        ['2', '2 revision 1'],
        ['2', 'branch cache'],
        ['3', '3 of cache'],
        ['3', '4 of cache'],
        ['1', '3'],
        ['2', '3 revision 1'],
        ['1', '4'],
        ['1', '5'],
      ])
    })

    it('says how much there is and how far it is', async () => {
      const frame = await show(INVESTIGATION)
      await frame.view.getByText('7 thoughts · 2 revisions · 1 branch').waitFor()
      await frame.view.getByText('5 of 5').waitFor()
    })

    it('reads the chain once, as a resource', async () => {
      const frame = await show(INVESTIGATION)
      expect(frame.reads).toEqual([expect.stringMatching(/^thinking:\/\/sessions\/[0-9a-f-]{36}$/)])
    })

    it('unfolds a revision to the words that went and came', async () => {
      const frame = await show([
        stepArguments(1, { thought: 'The index on orders is missing.' }),
        stepArguments(1, {
          revisionNumber: 1,
          thought: 'The index on orders is there.',
          nextThoughtNeeded: false,
        }),
      ])
      expect(await frame.view.locator('del').count()).toBe(0)
      await item(frame, /^Revision 1 replaced/)
        .locator('.row')
        .click()
      expect(await frame.view.locator('.diff').textContent()).toBe('The index on orders is missingthere.')
      expect(await frame.view.locator('del').allInnerTexts()).toEqual(['missing'])
      expect(await frame.view.locator('ins').allInnerTexts()).toEqual(['there'])
    })

    it('finds words in Chinese, and marks thoughts that may no longer hold', async () => {
      const frame = await show(CHINESE)
      await item(frame, /^Revision 1 replaced/)
        .locator('.row')
        .click()
      expect(await frame.view.locator('del').allInnerTexts()).toContain('很可能')
      expect(await frame.view.getByText('may no longer hold').count()).toBe(2)
    })

    it('unfolds the summary to its thoughts', async () => {
      const flags = ['--max-chain-length', '11']
      const thoughts = Array.from({ length: 12 }, (_, i) =>
        stepArguments(i + 1, { nextThoughtNeeded: i < 11, totalThoughts: 20 }),
      )
      const frame = await show(thoughts, { flags })
      const summary = item(frame, /^Summary of the 10 earliest thoughts/)
      expect(await summary.getAttribute('aria-expanded')).toBe('false')
      await summary.locator('.row').first().click()
      await expect.poll(() => frame.view.locator('.summary .group [role=treeitem]').count()).toBe(10)
      await frame.view.getByText('Closed early, before all the thoughts that were planned.').waitFor()
    })

    it('shows the warning of a forced stop', async () => {
      const frame = await host.open({ flags: ['--max-steps', '2'] })
      await frame.think(stepArguments(1))
      await frame.think(stepArguments(2))
      await frame.view.getByText('stopped', { exact: true }).waitFor()
      await frame.view.getByText('Stopped by the server.').waitFor()
    })

    it('filters by text, and tells how many thoughts have it', async () => {
      const frame = await show(INVESTIGATION)
      await frame.view.getByRole('searchbox').fill('WAREHOUSE')
      await frame.view.getByRole('status').getByText('1 text has these words').waitFor()
      expect(await frame.view.locator('mark').allInnerTexts()).toEqual(['warehouse'])
      expect(await frame.view.getByRole('treeitem').count()).toBe(3)
      await frame.view.getByRole('searchbox').fill('(')
      await frame.view.getByRole('status').getByText('3 texts have these words').waitFor()
    })

    it('expands and collapses everything', async () => {
      const frame = await show(INVESTIGATION)
      await frame.view.getByRole('button', { name: 'Collapse all' }).click()
      expect(await frame.view.getByRole('treeitem').count()).toBe(5)
      await frame.view.getByRole('button', { name: 'Expand all' }).click()
      expect(await frame.view.getByRole('treeitem').count()).toBe(10)
      expect(await frame.view.locator('.diff').count()).toBe(2)
    })

    it('copies the chain as Markdown, or offers it to be copied by hand', async () => {
      const frame = await show(INVESTIGATION)
      const inFrame = frame.view.locator('body')
      await inFrame.evaluate(() => {
        document.execCommand = () => false
      })
      await frame.view.getByRole('button', { name: 'Copy as Markdown' }).click()
      expect(await frame.view.getByRole('textbox').inputValue()).toMatch(
        /^# The page takes 4\.2 s[\s\S]*## Conclusion/,
      )
      await inFrame.evaluate(() => {
        document.execCommand = () => true
      })
      await frame.view.getByRole('button', { name: 'Copy as Markdown' }).click()
      await frame.view.getByRole('button', { name: 'Copied' }).waitFor()
    })

    it('is walked with the keyboard alone', async () => {
      const frame = await show(INVESTIGATION)
      const { keyboard } = frame.page
      const focused = () => frame.view.locator(':focus').getAttribute('data-key')
      await frame.view.getByRole('button', { name: 'Copy as Markdown' }).focus()
      await keyboard.press('Tab')
      expect(await focused()).toBe('1')
      for (const [key, place] of [
        ['ArrowDown', '2'],
        ['ArrowRight', '2 revision 1'],
        ['ArrowDown', 'branch cache'],
        ['ArrowRight', '3 of cache'],
        ['ArrowLeft', 'branch cache'],
        ['ArrowLeft', 'branch cache'],
        ['ArrowDown', '3'],
        ['End', '5'],
        ['ArrowUp', '4'],
        ['Home', '1'],
      ] as const) {
        await keyboard.press(key)
        expect([key, await focused()]).toEqual([key, place])
      }
      await keyboard.press('ArrowDown')
      await keyboard.press('ArrowDown')
      await keyboard.press('Enter')
      expect(await frame.view.locator('.diff').count()).toBe(1)
      await keyboard.press('Tab')
      await keyboard.press('Shift+Tab')
      expect(await focused()).toBe('2 revision 1')
    })
  })

  describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
    it('has no violation that axe finds', async () => {
      const frame = await show(CHINESE, { theme })
      await item(frame, /^Revision 1 replaced/)
        .locator('.row')
        .click()
      await frame.view.getByRole('searchbox').fill('缓存')
      expect(await violations(frame.view.locator('body'))).toEqual([])
    })
  })

  it('follows the theme of the host', async () => {
    const frame = await show(INVESTIGATION)
    const background = () =>
      frame.view.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor)
    expect(await background()).toBe('rgb(255, 255, 255)')
    await frame.page.evaluate(() => window.host.setContext({ theme: 'dark' }))
    await expect.poll(background).toBe('rgb(31, 31, 30)')
  })

  it.each([320, 1200])('fits into %i pixels', async (width) => {
    const frame = await show(CHINESE, { width })
    await frame.view.getByRole('button', { name: 'Expand all' }).click()
    const size = await frame.view.locator('html').evaluate((root) => [root.scrollWidth, root.clientWidth])
    expect(size).toEqual([width, width])
  })

  it('draws all of a long chain, and leaves room for the text however deep branches are nested', async () => {
    const frame = await show(LARGE, { width: 320, flags: ['--max-steps', '60'] })
    // What is far down is drawn after the first paint.
    await item(frame, /^Thought 30/).waitFor()
    const widths = await frame.view
      .locator('.text')
      .evaluateAll((texts) => texts.map((text) => text.clientWidth))
    expect(widths.length).toBe(50)
    expect(Math.min(...widths)).toBeGreaterThan(160)
  })

  it('moves nothing for those who ask for less motion', async () => {
    const frame = await show(INVESTIGATION, { reducedMotion: 'reduce' })
    const moving = await frame.view
      .locator('*')
      .evaluateAll(
        (all) =>
          all.filter((found) => getComputedStyle(found, '::before').transitionDuration !== '0s').length,
      )
    expect(moving).toBe(0)
  })

  describe('of a call that does not close the chain', () => {
    it('is one line, and reads nothing until it is opened', async () => {
      const frame = await host.open()
      await frame.think(stepArguments(1))
      const line = frame.view.getByRole('button', { name: '1/9' })
      await line.waitFor()
      expect(await frame.view.getByRole('tree').count()).toBe(0)
      expect(frame.reads).toEqual([])
      await line.click()
      await item(frame, /Idea 1/).waitFor()
      await expect.poll(() => frame.reads.length).toBe(1)
    })

    it('grows with the chain while it is open', async () => {
      const frame = await host.open()
      await frame.think(stepArguments(1))
      await frame.view.getByRole('button', { name: '1/9' }).click()
      await frame.view.locator('.tree time').first().waitFor()
      const sessionId = frame.reads[0]?.replace('thinking://sessions/', '')
      await frame.call(stepArguments(2, { sessionId }))
      await item(frame, /Idea 2/).waitFor()
      await frame.view.getByRole('status').getByText('Thought 2 of 9').waitFor()
      await frame.call(stepArguments(3, { sessionId, nextThoughtNeeded: false }))
      await frame.view.getByRole('status').getByText('The chain is closed').waitFor()
    })

    it('says that a call was refused, and why', async () => {
      const frame = await host.open()
      await frame.think(stepArguments(1))
      await frame.think(stepArguments(7))
      await frame.view.getByText('This call was refused').click()
      await frame.view.getByText(/thoughtNumber 2/).waitFor()
    })
  })

  describe('where the chain cannot be read', () => {
    it('shows what the call carried, and says so, when the host reads no resources', async () => {
      const frame = await host.open({ canRead: false })
      await frame.think(stepArguments(1, { thought: 'x'.repeat(900) }))
      await frame.think(stepArguments(2, { thought: 'y'.repeat(900) }))
      await frame.view.getByRole('button', { name: '2/9' }).click()
      await frame.view.getByText(/^This host does not let the view read the chain/).waitFor()
      expect(await frame.view.getByRole('treeitem').count()).toBe(2)
    })

    it('says how much the result of a later frame does not carry', async () => {
      const frame = await host.open({ canRead: false })
      const first = await frame.call(stepArguments(1, { thought: 'x'.repeat(900) }))
      const { sessionId } = Object(first.structuredContent)
      const second = stepArguments(2, { thought: 'y'.repeat(900), sessionId })
      await frame.show(second, await frame.call(second))
      await frame.view.getByRole('button', { name: '2/9' }).click()
      await frame.view.getByText('1 other thought of the chain is not among them.').waitFor()
      expect(await frame.view.getByRole('treeitem').count()).toBe(1)
    })

    it('shows what the call carried, and says so, when the chain was dropped', async () => {
      const frame = await host.open({ flags: ['--max-sessions', '1'] })
      const result = await frame.call(stepArguments(1))
      await frame.call(stepArguments(1, { thought: 'Another problem' }))
      await frame.show(stepArguments(1), result)
      await frame.view.getByRole('button', { name: '1/9' }).click()
      await frame.view.getByText(/^The chain could not be read: the server may have dropped it/).waitFor()
      await item(frame, /Idea 1/).waitFor()
    })

    it('says so when the host never answers', async () => {
      const frame = await host.open({ isSilent: true })
      await frame.view.getByText('Waiting for the call').waitFor()
      await frame.view.getByText(/^The host has not answered/).waitFor()
    })
  })

  it('shows what a thought contains as text only', async () => {
    const texts = [
      '<img src=x onerror="window.isBroken = true">',
      '</script><script>window.isBroken = true</script>',
      '{{constructor.constructor("window.isBroken = true")()}} javascript:void(0) &lt;b&gt;',
    ]
    const scene = texts.map((thought, i) =>
      stepArguments(i + 1, {
        thought,
        ...(i === 2 && { branchFromThought: 2, branchId: '<b>__proto__</b>', nextThoughtNeeded: false }),
      }),
    )
    const frame = await show(scene)
    expect(await frame.view.locator('.tree .text').allInnerTexts()).toEqual(texts)
    expect(await frame.view.locator('.name').textContent()).toBe('<b>__proto__</b>')
    expect(await frame.view.locator('img, b, .tree script').count()).toBe(0)
    expect(await frame.view.locator('body').evaluate(() => 'isBroken' in window)).toBe(false)
  })

  it('ends quietly with its frame', async () => {
    const frame = await host.open()
    await frame.think(stepArguments(1))
    expect(await frame.page.evaluate(() => window.host.teardown())).toEqual({})
  })
})

const AXE = await readFile(new URL(import.meta.resolve('axe-core')), 'utf8')

async function violations(body: Locator): Promise<string[]> {
  await body.evaluate((_, source) => {
    // biome-ignore lint/security/noGlobalEval: the frame takes no other script.
    window.eval(source)
  }, AXE)
  return body.evaluate(async () => {
    const run: typeof axe.run = Reflect.get(window, 'axe').run
    const { violations: found } = await run(document)
    return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
  })
}
