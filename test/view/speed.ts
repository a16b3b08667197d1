import { createHost, type HostFrame } from './apps-host.ts'
import { launchBrowser } from './browser.ts'
import { LARGE } from './scenes.ts'

// How long the view takes to draw the largest chain, and to draw it again after each of some further calls:
// `npm run bench:view`. From the arrival of the chain in the frame to the paint after it, in milliseconds.

const FIRST_PAINTS = 7
const UPDATES = 15
const FRAME_BUDGET_MS = 50
const FLAGS = ['--max-steps', '200', '--max-chain-length', '90']

/** Notes the time from each arrival of the chain to the paint after it. */
async function watchPaints({ view }: HostFrame): Promise<void> {
  await view.locator('body').evaluate(() => {
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
}

/** The `count` first times, when there are as many. */
async function paints({ view }: HostFrame, count: number): Promise<number[]> {
  for (;;) {
    const spans = await view.locator('body').evaluate((): number[] => Reflect.get(window, 'spans'))
    if (spans.length >= count) return spans
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

function describe(spans: readonly number[]): string {
  const sorted = [...spans].sort((a, b) => a - b)
  const [fastest = 0, median = 0, slowest = 0] = [sorted[0], sorted[sorted.length >> 1], sorted.at(-1)]
  const late = spans.filter((span) => span > FRAME_BUDGET_MS).length
  return `median ${median.toFixed(1)} ms, ${fastest.toFixed(1)} to ${slowest.toFixed(1)} ms, ${late} of ${spans.length} above ${FRAME_BUDGET_MS} ms`
}

const browser = await launchBrowser()
const host = await createHost(browser)
const builder = await host.open({ flags: FLAGS })
const [first = {}, ...others] = LARGE.map((args) => ({ ...args, nextThoughtNeeded: true }))
const { sessionId } = Object((await builder.call(first)).structuredContent)
for (const args of others) await builder.call({ ...args, sessionId })

let number = 31
const next = () => ({
  thoughtNumber: number,
  totalThoughts: 90,
  nextThoughtNeeded: true,
  branchId: 'main',
  sessionId,
  thought: `Step ${number++} and ${'more '.repeat(390)}`,
})
/** Opens a frame of its own, as a host does for each call, and the chain in it. */
async function openChain(): Promise<HostFrame> {
  const frame = await host.open({ flags: FLAGS })
  const args = next()
  await frame.show(args, await frame.call(args))
  await watchPaints(frame)
  await frame.view.getByRole('button', { name: `${args.thoughtNumber}/90` }).click()
  await paints(frame, 1)
  return frame
}

const firstPaints: number[] = []
let frame = builder
for (let i = 0; i < FIRST_PAINTS; i++) {
  frame = await openChain()
  firstPaints.push(...(await paints(frame, 1)))
}
// The items that the first paint left for later.
await new Promise((resolve) => setTimeout(resolve, 1_000))
for (let i = 1; i <= UPDATES; i++) {
  const args = next()
  await frame.show(args, await frame.call(args))
  await paints(frame, 1 + i)
}
const updates = (await paints(frame, 1 + UPDATES)).slice(1)
const items = await frame.view.getByRole('treeitem').count()
process.stdout.write(`${items} items\nfirst paint: ${describe(firstPaints)}\nupdate: ${describe(updates)}\n`)
await host.close()
await browser.close()
