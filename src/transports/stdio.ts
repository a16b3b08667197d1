import type { Readable, Writable } from 'node:stream'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Logger } from '../logger.ts'
import type { createServerFactory } from '../server.ts'
import { createOpenChains } from '../sessions/open-chains.ts'
import { withoutPayload } from './protocol-error.ts'
import { StdioTransport } from './stdio-transport.ts'

/** All sessions on stdio belong to the process: whoever started it. */
const OWNER = 'stdio'

export interface StdioOptions {
  readonly stdin: Readable
  readonly stdout: Writable
  readonly createServer: ReturnType<typeof createServerFactory>
  readonly maxSessions: number
  readonly logger: Logger
  /** The client is gone; nothing more can come of this connection. `problem` is absent when all went well. */
  readonly onEnd: (problem?: Error) => void
}

export interface StdioConnection {
  /** Reads no further, answers what was read, and resolves when stdout has taken all of it. */
  finish(): Promise<void>
}

/** Serves one client over a pair of streams, in whichever protocol era it opens the connection. */
export function connectStdio(options: StdioOptions): StdioConnection {
  const { stdin, stdout, createServer, maxSessions, logger, onEnd } = options
  const transport = new StdioTransport(stdin, stdout)
  // Of the connection, not of the server: a client may probe with server/discover and then initialize.
  const openChains = createOpenChains({ maxSessions })
  const handle = serveStdio(
    ({ era }) =>
      createServer({ owner: OWNER, maySeeList: true, openChains: era === 'legacy' ? openChains : undefined }),
    { transport, onerror: (error) => logger.debug({ error: withoutPayload(error) }, 'protocol error') },
  )

  async function finish(): Promise<void> {
    transport.stopReading()
    await transport.idle()
    await handle.close()
    await transport.idle()
  }

  transport.onend = (problem) => {
    finish().then(
      () => onEnd(problem),
      (error: unknown) => onEnd(error instanceof Error ? error : new Error(String(error))),
    )
  }
  transport.onlost = (error) => onEnd(isClosedPipe(error) ? undefined : error)
  return { finish }
}

/** Whether writing failed because whoever read has gone. */
export function isClosedPipe(error: Error): boolean {
  return (
    'code' in error &&
    (error.code === 'EPIPE' || error.code === 'ECONNRESET' || error.code === 'ERR_STREAM_DESTROYED')
  )
}
