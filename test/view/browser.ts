import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const EXECUTABLES = [
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** The browser of this machine, if it has one. */
export const BROWSER: string | undefined = EXECUTABLES.find((file) => existsSync(file))

export function launchBrowser(): Promise<Browser> {
  if (BROWSER === undefined)
    throw new Error('There is no Chromium on this machine: install it to test the view.')
  return chromium.launch({ executablePath: BROWSER, headless: true, args: FLAGS })
}
