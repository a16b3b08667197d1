import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { createHost } from './apps-host.ts'
import { launchBrowser } from './browser.ts'
import { CHINESE, INVESTIGATION, LARGE } from './scenes.ts'

// Writes what the view looks like to test-results/view, and the picture of the README.

const FOLDER = fileURLToPath(new URL('../../test-results/view', import.meta.url))
const README_PICTURE = fileURLToPath(new URL('../../.github/view.png', import.meta.url))

/** Enough for the large chain to close by itself. */
const FLAGS = ['--max-steps', '60']

const SHOTS = [
  { name: '320-light', width: 320, theme: 'light', scene: INVESTIGATION },
  { name: '900-dark', width: 900, theme: 'dark', scene: INVESTIGATION },
  { name: 'readme', width: 720, theme: 'light', scene: INVESTIGATION },
  { name: '1200-light', width: 1200, theme: 'light', scene: INVESTIGATION },
  { name: 'chinese', width: 600, theme: 'light', scene: CHINESE },
  { name: 'large', width: 900, theme: 'light', scene: LARGE },
] as const

await mkdir(FOLDER, { recursive: true })
const browser = await launchBrowser()
const host = await createHost(browser)
for (const { name, width, theme, scene } of SHOTS) {
  const frame = await host.open({ width, theme, flags: FLAGS })
  for (const args of scene) await frame.think(args)
  await frame.view.getByText('open', { exact: true }).waitFor({ state: 'detached' })
  await frame.view.locator('time').first().waitFor()
  const hasRevision = scene.some((args) => 'revisionNumber' in args)
  if (hasRevision) await frame.view.locator('.version .row').first().click()
  await frame.fit()
  await frame.page.screenshot({ path: `${FOLDER}/${name}.png` })
  if (name === 'readme') await frame.page.screenshot({ path: README_PICTURE })
}

const line = await host.open({ width: 600 })
const [first = {}, second = {}] = INVESTIGATION
await line.think(first)
await line.page.screenshot({ path: `${FOLDER}/line.png`, clip: { x: 0, y: 0, width: 600, height: 60 } })
await line.think({ ...second, thoughtNumber: 9 })
await line.page.screenshot({ path: `${FOLDER}/refused.png`, clip: { x: 0, y: 0, width: 600, height: 60 } })
await host.close()
await browser.close()
