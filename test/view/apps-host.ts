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
const LOCALE = 'en-GB'
const TIME_ZONE = 'UTC'

/** A picture of more is too small to read. */
const MAX_PICTURE_PX = 2000

type Arguments = Record<string, unknown>
type ToolResult = Awaited<ReturnType<Client['callTool']>>

interface FrameOptions {
  readonly width?: number
  readonly theme?: 'light' | 'dark'
  readonly canRead?: boolean
  readonly isSilent?: boolean
  readonly reducedMotion?: 'reduce'
  /** Flags of a server of its own. */
  readonly flags?: readonly string[]
}

/** The view of one call in a host. */
export interface HostFrame {
  readonly page: Page
  /** Inside the view. */
  readonly view: FrameLocator
  /** Addresses that the view has had read. */
  readonly reads: readonly string[]
  /** Calls the tool without telling the view. */
  call(args: Arguments): Promise<ToolResult>
  /** Calls the tool in the frame's chain and hands call and result to the view. */
  think(args: Arguments): Promise<void>
  /** Hands a call and its result to the view. */
  show(args: Arguments, result: object): Promise<void>
  /** Makes the window as high as the frame, for a picture of all of it. */
  fit(): Promise<void>
}

/** A client of the built server that shows the tool's view in a browser, one frame at a time. */
export interface AppsHost {
  /** What went wrong in the page or the view, by the browser's console. */
  readonly complaints: string[]
  open(options?: FrameOptions): Promise<HostFrame>
  close(): Promise<void>
}

export async function createHost(browser: Browser): Promise<AppsHost> {
  const complaints: string[] = []
  const servers = new Map<string, ReturnType<typeof connect>>()
  let reads: string[] = []
  let readResource: Client['readResource'] | undefined

  const context = await browser.newContext({ locale: LOCALE, timezoneId: TIME_ZONE })
  const page = await context.newPage()
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  await page.exposeFunction('readResource', (uri: string) => {
    reads.push(uri)
    return readResource?.({ uri })
  })
  await page.setContent('<!doctype html><html lang="en"><title>Host</title><body></body></html>')
  await page.addScriptTag({ content: await bundleHostPage() })

  return {
    complaints,
    async open(options = {}) {
      const { width = 900, theme = 'light', canRead = true, isSilent = false, flags = [] } = options
      const server = servers.get(flags.join(' ')) ?? connect(flags)
      servers.set(flags.join(' '), server)
      const { client, html } = await server
      const frameReads: string[] = []
      reads = frameReads
      readResource = (params) => client.readResource(params)
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme: theme, reducedMotion: options.reducedMotion ?? null })
      const place = { theme, locale: LOCALE, timeZone: TIME_ZONE }
      const settings: HostSettings = { html, context: place, canRead, isSilent }
      await page.evaluate((given) => window.host.open(given), settings)
      return openFrame({ page, client, reads: frameReads, width })
    },
    async close() {
      await context.close()
      for (const server of servers.values()) await (await server).client.close()
    },
  }
}

/** Connects as a host of MCP Apps does, and reads the view that the tool names. */
async function connect(flags: readonly string[]): Promise<{ client: Client; html: string }> {
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
  const { contents } = await client.readResource({ uri })
  const [content] = contents
  if (content === undefined || !('text' in content)) throw new Error('the view is no text')
  return { client, html: content.text }
}

interface FrameParts {
  readonly page: Page
  readonly client: Client
  readonly reads: readonly string[]
  readonly width: number
}

function openFrame({ page, client, reads, width }: FrameParts): HostFrame {
  let sessionId: unknown
  const frame: HostFrame = {
    page,
    view: page.frameLocator('iframe'),
    reads,
    call: (args) => client.callTool({ name: 'sequential_thinking', arguments: args }),
    async think(args) {
      const sent = { ...(sessionId !== undefined && { sessionId }), ...args }
      const result = await frame.call(sent)
      sessionId = Object(result.structuredContent).sessionId ?? sessionId
      await frame.show(sent, result)
    },
    async show(args, result) {
      const plain = { content: [], ...result }
      await page.evaluate(([given, told]) => window.host.send(given, told), [args, plain] as const)
    },
    async fit() {
      await frame.view.locator('[role=tree][aria-busy]').waitFor({ state: 'detached' })
      await page.evaluate(
        () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
      )
      const box = await page.locator('iframe').boundingBox()
      await page.setViewportSize({ width, height: Math.min(Math.ceil(box?.height ?? 0), MAX_PICTURE_PX) })
    },
  }
  return frame
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
