import type { ChainTree } from './chain-tree.ts'
import { fromResults } from './from-results.ts'
import { fromSnapshot } from './from-snapshot.ts'
import { connectHost, type Host, type HostContext } from './host.ts'
import { type ToolCall, toToolCall } from './tool-call.ts'

/** While a chain that someone looks at is open, it is read again this often; less often while nothing happens. */
const MIN_POLL_MS = 2000
const MAX_POLL_MS = 30_000

/** What the host has told so far. */
export interface FeedState {
  /** The latest call of this frame that was recorded. */
  readonly call?: ToolCall
  /** The text of a call whose result is still to come. */
  readonly pending?: string
  /** Why the call was refused, where it was. */
  readonly refusal?: string
  readonly tree?: ChainTree
  /** What keeps the view from showing the whole chain, in a sentence. */
  readonly problem?: string
}

export interface Feed {
  /** Whether somebody looks at the chain: only then it is read. */
  watch(isWatched: boolean): void
  readonly host: Host
}

const NO_READING = 'This host does not let the view read the chain. Shown is what the call carried.'
const NOT_READ =
  'The chain could not be read: the server may have dropped it or restarted. Shown is what the call carried.'
const NOT_REFRESHED = 'The chain could not be read again; it may have gone on.'
const SILENCE = 'The host has not answered. The view needs a client that supports MCP Apps.'
const CANCELLED = 'The call was cancelled.'

/** Follows the frame's call, and reads its chain from the server while it is watched. */
export function startFeed(
  parent: Window,
  onChange: (state: FeedState) => void,
  onContext: (context: HostContext) => void,
): Feed {
  let state: FeedState = {}
  let calls: readonly ToolCall[] = []
  let args: Record<string, unknown> = {}
  let canRead: boolean | undefined
  let isWatched = false
  let isGone = false
  let readText: string | undefined
  let pollMs = MIN_POLL_MS
  let timer: ReturnType<typeof setTimeout> | undefined

  function change(next: FeedState): void {
    state = next
    onChange(state)
  }

  function takeResult(result: Record<string, unknown>): void {
    const call = toToolCall(args, result)
    const { pending: _, problem: __, ...rest } = state
    if ('refusal' in call) {
      change({ ...rest, refusal: call.refusal })
      return
    }
    const earlier = calls.filter(({ sessionId }) => sessionId === call.sessionId)
    calls = [...earlier, call]
    const isRead = rest.tree?.sessionId === call.sessionId && readText !== undefined
    const problem = canRead === false ? { problem: NO_READING } : {}
    change({ ...rest, call, ...problem, ...(!isRead && { tree: fromResults(earlier, call) }) })
    pollMs = MIN_POLL_MS
    void read()
  }

  async function read(): Promise<void> {
    clearTimeout(timer)
    const { call } = state
    if (call === undefined || !isWatched || isGone || canRead !== true) return
    try {
      const text = await host.readResource(`thinking://sessions/${call.sessionId}`)
      if (state.call?.sessionId !== call.sessionId) return
      pollMs = text === readText ? Math.min(pollMs * 2, MAX_POLL_MS) : MIN_POLL_MS
      if (text !== readText) {
        const { problem: _, ...rest } = state
        change({ ...rest, tree: fromSnapshot(text) })
        readText = text
      }
      if (state.tree?.isOpen) timer = setTimeout(read, pollMs)
    } catch {
      change({ ...state, problem: readText === undefined ? NOT_READ : NOT_REFRESHED })
    }
  }

  const host = connectHost(parent, {
    onReady(mayRead) {
      canRead = mayRead
      const { problem: _, ...rest } = state
      change({ ...rest, ...(!mayRead && rest.call !== undefined && { problem: NO_READING }) })
      void read()
    },
    onContext,
    onToolInput(sent) {
      args = sent
      if (typeof sent.thought === 'string') change({ ...state, pending: sent.thought })
    },
    onToolResult: takeResult,
    onToolCancelled() {
      const { pending: _, ...rest } = state
      change({ ...rest, problem: CANCELLED })
    },
    onSilence() {
      change({ ...state, problem: SILENCE })
    },
    onTeardown() {
      isGone = true
      clearTimeout(timer)
    },
  })

  return {
    host,
    watch(watched) {
      const isNew = watched && !isWatched
      isWatched = watched
      if (isNew) {
        pollMs = MIN_POLL_MS
        void read()
      } else if (!watched) clearTimeout(timer)
    },
  }
}
