import { createHost } from './apps-host.ts'
import { launchBrowser } from './browser.ts'
import { LARGE } from './scenes.ts'

// How long the view takes to draw the largest chain, and to draw it again after each of some further calls:
// `npm run bench:view`. From the arrival of the chain in the frame to the paint after it, in milliseconds.

const UPDATES = 9
const FRAME_BUDGET_MS = 50

const browser = await launchBrowser()
const host = await createHost(browser)
const frame = await host.open({ flags: ['--max-steps', '90', '--max-chain-length', '90'] })
const [first = {}, ...others] = LARGE.map((args) => ({ ...args, nextThoughtNeeded: true }))

const { sessionId } = Object((await frame.call(first)).structuredContent)
for (const args of others) await frame.call({ ...args, sessionId })

await frame.view.locator('body').evaluate(() => {
  const spans: number[] = []
  Reflect.set(window, 'spans', spans)
  window.addEventListener('message', ({ data, timeStamp }) => {
    if (data?.result?.contents === undefined) return
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => spans.push(performance.now() - timeStamp)
      port2.postMessage('')
    })
  })
})
const spansOf = () => frame.view.locator('body').evaluate((): number[] => Reflect.get(window, 'spans'))
const until = async (count: number) => {
  while ((await spansOf()).length < count) await new Promise((resolve) => setTimeout(resolve, 50))
}

const shown = { thoughtNumber: 31, totalThoughts: 90, nextThoughtNeeded: true, branchId: 'main', sessionId }
await frame.show(shown, await frame.call({ ...shown, thought: `Step and ${'more '.repeat(390)}` }))
await frame.view.getByRole('button', { name: '31/90' }).click()
await until(1)
for (let i = 0; i < UPDATES; i++) {
  const next = { ...shown, thoughtNumber: 32 + i, thought: `Step ${i} and ${'more '.repeat(390)}` }
  await frame.show(next, await frame.call(next))
  await until(2 + i)
}
const [paint = 0, ...updates] = await spansOf()
const sorted = [...updates].sort((a, b) => a - b)
const nodes = await frame.view.getByRole('treeitem').count()
process.stdout.write(
  `${nodes} items; first paint ${paint.toFixed(1)} ms; updates: fastest ${sorted[0]?.toFixed(1)} ms, median ${sorted[UPDATES >> 1]?.toFixed(1)} ms, ` +
    `slowest ${sorted.at(-1)?.toFixed(1)} ms (a frame has ${FRAME_BUDGET_MS} ms)\n`,
)
await host.close()
await browser.close()
