import type { ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { launchBrowser } from '../test/view/browser.ts'
import { INSPECTOR, npx } from './npx.ts'

/** npm may have to fetch the Inspector and a Node first. */
const START_DEADLINE_MS = 180_000

const MAX_TRIES = 40
const RETRY_MS = 500

const THOUGHT = 'The page takes four seconds, since each order is read with a query of its own.'

/**
 * Opens the view of a chain in the web mode of MCP Inspector, which is a host of MCP Apps that is not our own.
 *
 * @throws Error when the view does not show the chain
 */
export async function checkInspectorWeb(cli: string): Promise<void> {
  const storage = await mkdtemp(join(tmpdir(), 'inspector-'))
  const inspector = npx(INSPECTOR, ['mcp-inspector', '--web', process.execPath, cli], {
    // Of its own, so that all of it can be ended.
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      CLIENT_PORT: await freePort(),
      MCP_SANDBOX_PORT: await freePort(),
      MCP_APP_ORIGIN_PORT: await freePort(),
      MCP_AUTO_OPEN_ENABLED: 'false',
      MCP_STORAGE_DIR: storage,
      MCP_INSPECTOR_SECRET_STORE: 'memory',
    },
  })
  const browser = await launchBrowser()
  try {
    const page = await browser.newPage({ viewport: { width: 1500, height: 1000 } })
    await page.goto(await addressOf(inspector))
    await openView(page)
  } finally {
    await browser.close()
    if (inspector.pid !== undefined) process.kill(-inspector.pid)
    await rm(storage, { recursive: true, force: true })
  }
}

async function openView(page: Page): Promise<void> {
  // What is clicked lies under the drawing of a control, so that a click has to be forced.
  await page.getByRole('switch', { name: /^Connect/ }).click({ force: true })
  const app = page.getByRole('button', { name: /Sequential thinking/ })
  // Until the lists of the server are read, a click on the tab can be lost.
  for (let tries = 0; tries < MAX_TRIES && !(await app.isVisible()); tries++) {
    await page.getByText('Apps', { exact: true }).click({ force: true })
    await page.waitForTimeout(RETRY_MS)
  }
  await app.click()
  const field = (name: string) => page.getByRole('textbox', { name, exact: true })
  await field('thought').fill(THOUGHT)
  await field('thoughtNumber').fill('1')
  await field('totalThoughts').fill('1')
  // Left alone it is sent as nothing.
  await page.getByRole('checkbox', { name: 'nextThoughtNeeded' }).dblclick()
  await page.getByRole('button', { name: 'Open App' }).click()
  const view = page.frameLocator('iframe').frameLocator('iframe')
  await view.getByText('closed', { exact: true }).waitFor()
  await view.getByRole('treeitem', { name: THOUGHT }).waitFor()
}

function addressOf({ stdout }: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error('MCP Inspector does not say its address.')), START_DEADLINE_MS).unref()
    let printed = ''
    stdout?.setEncoding('utf8').on('data', (text: string) => {
      printed += text
      const address = /http:\/\/\S+\?MCP_INSPECTOR_API_TOKEN=\w+/.exec(printed)?.[0]
      if (address !== undefined) resolve(address)
    })
    stdout?.on('end', () => reject(new Error(`MCP Inspector has ended: ${printed}`)))
  })
}

async function freePort(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return String(typeof address === 'object' && address !== null ? address.port : 0)
}
