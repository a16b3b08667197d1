import { onTestFinished, vi } from 'vitest'
import { ServerProcess } from './server-process.ts'

export const TOKENS = { SEQTHINK_AUTH_TOKENS: 'ann:token-of-ann,ben:token-of-ben' }

/** The built server, listening on a port that it picked, until the test is over. */
export async function startHttpProcess(args: readonly string[] = [], env: Record<string, string> = {}) {
  const server = new ServerProcess({ args: ['--transport', 'sse', '--port', '0', ...args], env })
  const origin = await vi.waitFor(
    () => {
      const found = /^seqthink-mcp listens on (http:\/\/\S+)\/mcp/.exec(server.stderr)?.[1]
      if (found === undefined) throw new Error(`not listening: ${server.stderr}`)
      return found
    },
    { timeout: 15_000, interval: 20 },
  )
  onTestFinished(async () => {
    server.child.kill('SIGTERM')
    await server.exit
  })
  return { server, origin, url: `${origin}/mcp` }
}
