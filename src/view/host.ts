import { isRecord } from './is-record.ts'

// The client's side of MCP Apps, as much of it as the view needs: JSON-RPC messages to and from the window around.
// The official class brings 650 KB for it.

const PROTOCOL_VERSION = '2026-01-26'
const METHOD_NOT_FOUND = -32601

/** A host that is this late is taken to be none; a late answer still counts. */
const INITIALIZE_DEADLINE_MS = 4000
const READ_DEADLINE_MS = 10_000

/** What the host says of the place where the view is shown; absent fields are unchanged. */
export interface HostContext {
  readonly theme?: 'light' | 'dark'
  /** CSS variables by name, all of them with two dashes. */
  readonly variables?: Readonly<Record<string, string>>
  readonly locale?: string
  readonly timeZone?: string
  /** Pixels that the host covers: top, right, bottom, left. */
  readonly insets?: readonly [number, number, number, number]
}

export interface HostHandlers {
  /** The host has answered: whether it reads resources for the view. */
  onReady(canRead: boolean): void
  onContext(context: HostContext): void
  onToolInput(args: Record<string, unknown>): void
  onToolResult(result: Record<string, unknown>): void
  onToolCancelled(): void
  /** No answer came in time. */
  onSilence(): void
  /** The frame is about to go. */
  onTeardown(): void
}

export interface Host {
  /** Reads a text resource of the server. @throws Error when the host refuses, does not answer or has no text */
  readResource(uri: string): Promise<string>
  sendSize(width: number, height: number): void
}

interface Pending {
  resolve(result: unknown): void
  reject(reason: Error): void
}

/** Starts the conversation with the window that holds the frame. */
export function connectHost(parent: Window, handlers: HostHandlers): Host {
  const pending = new Map<number, Pending>()
  let lastId = 0

  function send(message: Record<string, unknown>): void {
    // The host's origin is not known before it speaks; nothing secret is sent.
    parent.postMessage({ jsonrpc: '2.0', ...message }, '*')
  }

  function request(method: string, params: Record<string, unknown>): Promise<unknown> {
    lastId += 1
    const id = lastId
    const answer = new Promise<unknown>((resolve, reject) => pending.set(id, { resolve, reject }))
    send({ id, method, params })
    return answer
  }

  function takeAnswer(id: unknown, message: Record<string, unknown>): void {
    if (typeof id !== 'number') return
    const waiting = pending.get(id)
    pending.delete(id)
    if (!isRecord(message.error)) waiting?.resolve(message.result)
    else waiting?.reject(new Error(String(message.error.message)))
  }

  function takeRequest(id: unknown, method: string): void {
    if (method === 'ui/resource-teardown') handlers.onTeardown()
    else if (method !== 'ping') {
      send({ id, error: { code: METHOD_NOT_FOUND, message: `The view has no method ${method}` } })
      return
    }
    send({ id, result: {} })
  }

  function takeNotification(method: string, params: Record<string, unknown>): void {
    if (method === 'ui/notifications/tool-input') {
      handlers.onToolInput(isRecord(params.arguments) ? params.arguments : {})
    } else if (method === 'ui/notifications/tool-result') handlers.onToolResult(params)
    else if (method === 'ui/notifications/tool-cancelled') handlers.onToolCancelled()
    else if (method === 'ui/notifications/host-context-changed') handlers.onContext(toContext(params))
  }

  window.addEventListener('message', ({ source, data }: MessageEvent<unknown>) => {
    if (source !== parent || !isRecord(data) || data.jsonrpc !== '2.0') return
    const { id, method, params } = data
    if (typeof method !== 'string') takeAnswer(id, data)
    else if (id === undefined) takeNotification(method, isRecord(params) ? params : {})
    else takeRequest(id, method)
  })

  const silence = setTimeout(handlers.onSilence, INITIALIZE_DEADLINE_MS)
  request('ui/initialize', {
    protocolVersion: PROTOCOL_VERSION,
    appInfo: { name: 'seqthink-view', version: '1.0.0' },
    appCapabilities: {},
  }).then(
    (result) => {
      clearTimeout(silence)
      const { hostContext, hostCapabilities } = isRecord(result) ? result : {}
      handlers.onContext(toContext(isRecord(hostContext) ? hostContext : {}))
      handlers.onReady(isRecord(hostCapabilities) && isRecord(hostCapabilities.serverResources))
      send({ method: 'ui/notifications/initialized', params: {} })
    },
    () => {
      clearTimeout(silence)
      handlers.onSilence()
    },
  )

  return {
    async readResource(uri) {
      const result = await inTime(request('resources/read', { uri }), READ_DEADLINE_MS)
      const contents = isRecord(result) && Array.isArray(result.contents) ? result.contents : []
      const [content] = contents
      if (!isRecord(content) || typeof content.text !== 'string') throw new Error('The host gave no text')
      return content.text
    },
    sendSize(width, height) {
      send({ method: 'ui/notifications/size-changed', params: { width, height } })
    },
  }
}

function toContext({
  theme,
  styles,
  locale,
  timeZone,
  safeAreaInsets,
}: Record<string, unknown>): HostContext {
  const variables = isRecord(styles) && isRecord(styles.variables) ? styles.variables : undefined
  return {
    ...((theme === 'light' || theme === 'dark') && { theme }),
    ...(variables !== undefined && { variables: toVariables(variables) }),
    ...(typeof locale === 'string' && { locale }),
    ...(typeof timeZone === 'string' && { timeZone }),
    ...(isRecord(safeAreaInsets) && {
      insets: [
        Number(safeAreaInsets.top ?? 0),
        Number(safeAreaInsets.right ?? 0),
        Number(safeAreaInsets.bottom ?? 0),
        Number(safeAreaInsets.left ?? 0),
      ] as const,
    }),
  }
}

function toVariables(variables: Record<string, unknown>): Record<string, string> {
  const entries = Object.entries(variables).flatMap(([name, value]): [string, string][] =>
    name.startsWith('--') && typeof value === 'string' ? [[name, value]] : [],
  )
  return Object.fromEntries(entries)
}

function inTime<T>(answer: Promise<T>, deadlineMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The host did not answer in time')), deadlineMs)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
