import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type Resource,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server'
import type { ChainSnapshot } from '../documents/chain-snapshot.ts'
import { describeFailure, type Logger, loggedId } from '../logger.ts'
import type { SessionStore, SessionSummary } from '../sessions/session-store.ts'
import type { Caller } from '../tools/tool.ts'

const SESSIONS_URI = 'thinking://sessions'

/** Sessions that a client's menu offers; older ones are reached through completion and the id. */
const MAX_OFFERED_SESSIONS = 50

/** The protocol's limit for one completion. */
const MAX_COMPLETIONS = 100

const SESSION_LIST = {
  title: 'Chains of thought',
  description: 'The chains of this caller, the last used first',
  mimeType: 'application/json',
}

export interface ResourceContext {
  readonly sessions: SessionStore
  readonly maxSessions: number
  readonly caller: Caller
  readonly logger: Logger
}

interface Document {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly mimeType: string
  readonly uri: (sessionId: string) => string
  /** Whether clients list one resource of this kind for each session. */
  readonly isOffered: boolean
  /** The renderers are loaded when one is first asked for. */
  render(snapshot: ChainSnapshot): Promise<string>
}

const DOCUMENTS: readonly Document[] = [
  {
    name: 'chain',
    title: 'Chain as JSON',
    description: 'A chain of thoughts with its record: every version, the summarized thoughts, stops, times',
    mimeType: 'application/json',
    uri: (sessionId) => `${SESSIONS_URI}/${sessionId}`,
    isOffered: false,
    render: async (snapshot) => JSON.stringify(snapshot),
  },
  {
    name: 'chain-markdown',
    title: 'Chain as Markdown',
    description: 'A chain of thoughts as a document: question, steps, what revisions replaced, conclusion',
    mimeType: 'text/markdown',
    uri: (sessionId) => `${SESSIONS_URI}/${sessionId}/markdown`,
    isOffered: true,
    render: async (snapshot) => (await import('../documents/to-markdown.ts')).toMarkdown(snapshot),
  },
  {
    name: 'chain-mermaid',
    title: 'Chain as flowchart',
    description: 'A chain of thoughts as a Mermaid flowchart',
    mimeType: 'text/vnd.mermaid',
    uri: (sessionId) => `${SESSIONS_URI}/${sessionId}/mermaid`,
    isOffered: false,
    render: async (snapshot) => (await import('../documents/to-mermaid.ts')).toMermaid(snapshot),
  },
]

/**
 * The caller's chains for people: a list of them, and each as JSON, Markdown and a flowchart.
 *
 * @returns what lists those that a client's menu offers
 */
export function registerSessionResources(
  server: McpServer,
  context: ResourceContext,
): () => Promise<Resource[]> {
  const { sessions, maxSessions, caller } = context
  const list = async (max: number) => (caller.maySeeList ? sessions.list(caller.owner, max) : [])

  const listOffered = async (document: Document) =>
    (await list(MAX_OFFERED_SESSIONS)).map((session) => toResource(document, session))

  server.registerResource('sessions', SESSIONS_URI, SESSION_LIST, async ({ href }) => ({
    contents: [contentOf(href, 'application/json', toSessionList(await list(maxSessions)))],
  }))

  for (const document of DOCUMENTS) {
    const { name, title, description, mimeType, uri, isOffered } = document
    server.registerResource(
      name,
      new ResourceTemplate(uri('{sessionId}'), {
        list: isOffered ? async () => ({ resources: await listOffered(document) }) : undefined,
        complete: {
          sessionId: async (typed) =>
            (await list(maxSessions))
              .map(({ sessionId }) => sessionId)
              .filter((sessionId) => sessionId.startsWith(typed.trim().toLowerCase()))
              .slice(0, MAX_COMPLETIONS),
        },
      }),
      { title, description, mimeType },
      async ({ href }, { sessionId }) => ({
        contents: [contentOf(href, mimeType, await read(document, href, sessionId, context))],
      }),
    )
  }

  return async () => {
    const offered = await Promise.all(DOCUMENTS.filter(({ isOffered }) => isOffered).map(listOffered))
    return [{ uri: SESSIONS_URI, name: 'sessions', ...SESSION_LIST }, ...offered.flat()]
  }
}

/** Reading a chain counts as use, as `get_thinking` does. */
async function read(
  document: Document,
  href: string,
  variable: string | string[] | undefined,
  { sessions, caller, logger }: ResourceContext,
): Promise<string> {
  const sessionId = String(variable).trim().toLowerCase()
  try {
    const { toSnapshot } = await import('../documents/to-snapshot.ts')
    const snapshot = await sessions.use({ owner: caller.owner, sessionId }, (chain) =>
      toSnapshot(sessionId, chain),
    )
    if (snapshot === undefined) throw notFound(href)
    if (logger.isEnabled('info')) {
      logger.info({ resource: document.name, session: loggedId(sessionId) }, 'read')
    }
    return await document.render(snapshot)
  } catch (error) {
    if (error instanceof ProtocolError) throw error
    logger.error({ resource: document.name, ...describeFailure(error) }, 'read failed')
    throw new ProtocolError(ProtocolErrorCode.InternalError, 'The server failed unexpectedly.')
  }
}

function notFound(uri: string): ProtocolError {
  return new ResourceNotFoundError(
    uri,
    'No chain has this id. It may be mistyped, or the chain was dropped because it was not used for long or the server was restarted.',
  )
}

function toSessionList(sessions: readonly SessionSummary[]): string {
  return JSON.stringify({
    sessions: sessions.map(({ sessionId, opening, steps, nextThoughtNeeded, opened, lastCall }) => ({
      sessionId,
      opening,
      steps,
      isOpen: nextThoughtNeeded,
      opened,
      lastCall,
    })),
  })
}

function toResource({ name, mimeType, uri }: Document, session: SessionSummary) {
  const { sessionId, opening, steps, nextThoughtNeeded, lastCall } = session
  return {
    uri: uri(sessionId),
    name: `${name}-${loggedId(sessionId)}`,
    title: opening.replace(/[\s\p{Cc}]+/gu, ' ').trim(),
    description: `${steps} ${steps === 1 ? 'step' : 'steps'}, ${nextThoughtNeeded ? 'open' : 'closed'}, last call ${lastCall}`,
    mimeType,
    annotations: { audience: ['user' as const], lastModified: lastCall },
  }
}

function contentOf(uri: string, mimeType: string, text: string) {
  return { uri, mimeType, text }
}
