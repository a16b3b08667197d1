import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge'

// The page of the test host: a frame for the view, and the official host side of MCP Apps around it.

type HostContext = {
  readonly theme?: 'light' | 'dark'
  readonly locale?: string
  readonly timeZone?: string
}

export interface HostSettings {
  readonly html: string
  readonly context: HostContext
  /** Whether the host reads resources for the view. */
  readonly canRead: boolean
  /** Whether the host answers nothing at all. */
  readonly isSilent: boolean
}

type ToolResult = Parameters<AppBridge['sendToolResult']>[0]
type ReadResult = Awaited<ReturnType<NonNullable<AppBridge['onreadresource']>>>

export interface HostPage {
  open(settings: HostSettings): Promise<void>
  send(args: Record<string, unknown>, result: ToolResult): Promise<void>
  sendInput(args: Record<string, unknown>): Promise<void>
  setContext(context: HostContext): void
  teardown(): Promise<unknown>
}

declare global {
  interface Window {
    host: HostPage
    /** Given by the test: asks the server. */
    readResource(uri: string): Promise<ReadResult>
  }
}

/** The default of the extension: no network, script and style inline. */
const POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src 'self' data:; connect-src 'none'"

let bridge: AppBridge | undefined

function bridgeOf(): AppBridge {
  if (bridge === undefined) throw new Error('the frame is not open')
  return bridge
}

window.host = {
  async open({ html, context, canRead, isSilent }) {
    await bridge?.close()
    bridge = undefined
    document.body.replaceChildren()
    const frame = document.createElement('iframe')
    frame.setAttribute('sandbox', 'allow-scripts')
    frame.title = 'View'
    frame.style.cssText = 'display: block; width: 100%; height: 40px; border: 0'
    document.body.style.margin = '0'
    document.body.append(frame)
    const policy = `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve))
    frame.srcdoc = html.replace('<head>', `<head>${policy}`)
    const { contentWindow } = frame
    if (contentWindow === null) throw new Error('the frame has no window')
    if (isSilent) {
      await loaded
      return
    }
    const capabilities = canRead ? { serverResources: {} } : {}
    const opened = new AppBridge(null, { name: 'test-host', version: '1.0.0' }, capabilities, {
      hostContext: context,
    })
    if (canRead) opened.onreadresource = ({ uri }) => window.readResource(uri)
    opened.onsizechange = ({ height }) => {
      frame.style.height = `${height}px`
    }
    const initialized = new Promise<void>((resolve) => {
      opened.oninitialized = () => resolve()
    })
    await opened.connect(new PostMessageTransport(contentWindow, contentWindow))
    bridge = opened
    await initialized
  },
  async send(args, result) {
    await bridgeOf().sendToolInput({ arguments: args })
    await bridgeOf().sendToolResult(result)
  },
  sendInput: (args) => bridgeOf().sendToolInput({ arguments: args }),
  setContext: (context) => bridgeOf().setHostContext(context),
  teardown: () => bridgeOf().teardownResource({}),
}
