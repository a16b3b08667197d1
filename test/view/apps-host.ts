import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { getToolUiResourceUri, RESOURCE_MIME_TYPE } from '@modelcontextprotocol/ext-apps/app-bridge'
import { build } from 'esbuild'
import type { Browser, FrameLocator, Page } from 'playwright-core'
import type { HostSettings } from './host-page.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))
const APPS = { 'io.modelcontextprotocol/ui': { mimeTypes: [RESOURCE_MIME_TYPE] } }

type Arguments = Record<string, unknown>

interface HostOptions {
  readonly browser: Browser
  readonly width?: number
  readonly theme?: 'light' | 'dark'
  readonly canRead?: boolean
  readonly isSilent?: boolean
  readonly reducedMotion?: 'reduce'
  readonly locale?: string
  /** Flags of the server. */
  readonly flags?: readonly string[]
}

let bundled: Promise<string> | undefined

/** A client of the built server that shows the tool's view in a browser, as hosts of MCP Apps do. */
export interface AppsHost {
  readonly client: Client
  readonly page: Page
  /** Inside the view. */
  readonly view: FrameLocator
  /** Addresses that the view has had read. */
  readonly reads: readonly string[]
  /** What went wrong in the page or the view, by the browser's console. */
  readonly complaints: readonly string[]
  /** Calls the tool without telling the view. */
  call(args: Arguments): Promise<Awaited<ReturnType<Client['callTool']>>>
  /** Calls the tool in the frame's chain and hands call and result to the view. */
  think(args: Arguments): Promise<void>
  /** Hands a call and its result to the view. */
  show(args: Arguments, result: object): Promise<void>
  /** Makes the window as high as the frame, for a picture of all of it. */
  fit(): Promise<void>
  close(): Promise<void>
}

export async function openHost(options: HostOptions): Promise<AppsHost> {
  const { browser, width = 900, theme = 'light', canRead = true, isSilent = false, flags = [] } = options
  const { locale = 'en-GB' } = options
  const client = new Client(
    { name: 'test-host', version: '1.0.0' },
    { capabilities: { extensions: APPS }, versionNegotiation: { mode: 'auto' } },
  )
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [CLI, ...flags], stderr: 'ignore' }),
  )
  const { tools } = await client.listTools()
  const uri = tools.map(getToolUiResourceUri).find((found) => found !== undefined)
  if (uri === undefined) throw new Error('no tool has a view')
  const html = textOf(await client.readResource({ uri }))

  const reads: string[] = []
  const complaints: string[] = []
  const context = await browser.newContext({
    viewport: { width, height: 800 },
    locale,
    timezoneId: 'UTC',
    colorScheme: theme,
    ...(options.reducedMotion && { reducedMotion: options.reducedMotion }),
  })
  const page = await context.newPage()
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  await page.exposeFunction('readResource', (asked: string) => {
    reads.push(asked)
    return client.readResource({ uri: asked })
  })
  bundled ??= bundleHostPage()
  await page.setContent('<!doctype html><html lang="en"><title>Host</title><body></body></html>')
  await page.addScriptTag({ content: await bundled })
  const settings: HostSettings = { html, context: { theme, locale, timeZone: 'UTC' }, canRead, isSilent }
  await page.evaluate((given) => window.host.open(given), settings)

  let sessionId: unknown
  const host: AppsHost = {
    client,
    page,
    view: page.frameLocator('iframe'),
    reads,
    complaints,
    call: (args) => client.callTool({ name: 'sequential_thinking', arguments: args }),
    async think(args) {
      const sent = {
        totalThoughts: 5,
        nextThoughtNeeded: true,
        ...(sessionId !== undefined && { sessionId }),
        ...args,
      }
      const result = await host.call(sent)
      sessionId = Object(result.structuredContent).sessionId ?? sessionId
      await host.show(sent, result)
    },
    async show(args, result) {
      const plain = { content: [], ...result }
      await page.evaluate(([given, told]) => window.host.send(given, told), [args, plain] as const)
    },
    async fit() {
      await page.evaluate(
        () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
      )
      const box = await page.locator('iframe').boundingBox()
      await page.setViewportSize({ width, height: Math.ceil(box?.height ?? 0) })
    },
    async close() {
      await context.close()
      await client.close()
    },
  }
  return host
}

async function bundleHostPage(): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['test/view/host-page.ts'],
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: 'chrome123',
    logLevel: 'error',
  })
  return outputFiles[0]?.text ?? ''
}

function textOf({ contents }: Awaited<ReturnType<Client['readResource']>>): string {
  const [content] = contents
  if (content === undefined || !('text' in content)) throw new Error('the view is no text')
  return content.text
}
