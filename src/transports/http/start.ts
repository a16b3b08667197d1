import { readFile } from 'node:fs/promises'
import type { McpServer } from '@modelcontextprotocol/server'
import type { Config, HttpConfig } from '../../config.ts'
import type { Logger } from '../../logger.ts'
import type { Caller } from '../../tools/tool.ts'
import { MCP_PATH, SSE_PATH } from './app.ts'
import { type HttpListener, listenHttp } from './listen.ts'
import { isLoopback } from './loopback.ts'
import { type Principals, parsePrincipals } from './principals.ts'

export interface HttpStartOptions {
  readonly config: Config
  readonly createServer: (caller: Caller) => McpServer
  readonly logger: Logger
}

/** A problem of the configuration, or of the address that it names. */
export type HttpStart = HttpListener & { readonly urls: readonly string[] }

/**
 * Serves clients over HTTP.
 *
 * @returns what is wrong, in one line, where the configuration would let strangers in or cannot be fulfilled
 */
export async function startHttp(options: HttpStartOptions): Promise<HttpStart | { problem: string }> {
  const { config, createServer, logger } = options
  const principals = await readPrincipals(config.http)
  if (principals !== undefined && 'problem' in principals) return principals
  const { host, port, allowUnauthenticated } = config.http
  if (principals === undefined && !isLoopback(host) && !allowUnauthenticated) {
    return {
      problem: `without tokens the server listens on loopback only, not on ${JSON.stringify(host)}; set SEQTHINK_AUTH_TOKENS or --auth-tokens-file, or say --allow-unauthenticated to let in whoever reaches it`,
    }
  }
  const withSse = config.transport === 'sse'
  try {
    const listener = await listenHttp({
      config: config.http,
      principals,
      createServer,
      maxSessions: config.maxSessions,
      withSse,
      reportsProgress: config.agents,
      logger,
    })
    const paths = withSse ? [MCP_PATH, SSE_PATH] : [MCP_PATH]
    return { ...listener, urls: paths.map((path) => `${listener.origin}${path}`) }
  } catch (error) {
    return { problem: `cannot listen on port ${port} of ${JSON.stringify(host)} (${codeOf(error)})` }
  }
}

async function readPrincipals(config: HttpConfig): Promise<Principals | { problem: string } | undefined> {
  const { authTokens, authTokensFile } = config
  if (authTokensFile === '') {
    if (authTokens === '') return undefined
    return naming('SEQTHINK_AUTH_TOKENS', parsePrincipals(authTokens))
  }
  if (authTokens !== '') {
    return { problem: 'SEQTHINK_AUTH_TOKENS and --auth-tokens-file both name tokens; set one of them' }
  }
  const source = `--auth-tokens-file ${JSON.stringify(authTokensFile)}`
  try {
    return naming(source, parsePrincipals(await readFile(authTokensFile, 'utf8')))
  } catch (error) {
    return { problem: `${source} cannot be read (${codeOf(error)})` }
  }
}

function naming(source: string, parsed: Principals | { problem: string }): Principals | { problem: string } {
  return 'problem' in parsed ? { problem: `${source}: ${parsed.problem}` } : parsed
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
}
