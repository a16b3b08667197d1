import autocannon from 'autocannon'
import { type Bench, type Figure, interleave, plain } from '../bench.ts'
import { type HttpServer, withHttpServer } from '../http-server.ts'
import { CHAIN_STEPS } from '../load.ts'
import { OURS, type Peer, REFERENCE } from '../peers.ts'
import { thoughtText } from '../thought-text.ts'

const CONNECTIONS = 32
const SECONDS = 10
const WARM_UP_SECONDS = 5
const THOUGHT_CHARS = 200
const MODERN = '2026-07-28'

export const HTTP_TITLE = 'Over HTTP, 32 connections; the reference behind supergateway'
export const OURS_MODERN = `${OURS}, ${MODERN}`

export const httpRate: Figure = { name: 'calls over HTTP', unit: 'calls/s' }
const httpP99: Figure = { name: 'p99 of a call over HTTP', unit: 'ms' }

export async function measureHttp(bench: Bench): Promise<void> {
  const variants = [...plain([OURS, REFERENCE]), { of: OURS, label: OURS_MODERN, flags: [] }]
  const section = { title: HTTP_TITLE, figures: [httpRate, httpP99] }
  await interleave(bench, section, bench.rounds(3), variants, async (server) => {
    return withHttpServer(bench, server, CONNECTIONS, async (http) => {
      const isModern = server.label === OURS_MODERN
      await load(http, server.peer, isModern, bench.calls(WARM_UP_SECONDS))
      const result = await load(http, server.peer, isModern, bench.calls(SECONDS))
      return [
        [httpRate, result.requests.average],
        [httpP99, result.latency.p99],
      ]
    })
  })
}

/** Each connection works one chain of ten steps through after the other. @throws Error when one call fails */
async function load({ url, headersOf }: HttpServer, peer: Peer, isModern: boolean, seconds: number) {
  let calls = 0
  let failed = 0

  function chainIn(session: Record<string, string>): autocannon.Request[] {
    let sessionId: string | undefined
    return Array.from({ length: CHAIN_STEPS }, (_, step) => ({
      method: 'POST',
      setupRequest(request) {
        calls += 1
        if (step === 0) sessionId = undefined
        const thought = thoughtText(calls, THOUGHT_CHARS)
        const args = peer.toArguments({ thought, number: step + 1, total: CHAIN_STEPS, sessionId })
        return { ...request, ...toRequest(calls, { name: peer.tool, arguments: args }, session, isModern) }
      },
      onResponse(status, body) {
        if (status !== 200 || !body.includes('"result":') || body.includes('"isError":true')) failed += 1
        sessionId ??= /"sessionId":"([^"]+)"/.exec(body)?.[1]
      },
    }))
  }

  const sessions = headersOf.values()
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    setupClient: (client) => client.setRequests(chainIn(sessions.next().value ?? {})),
  })
  const problems = failed + result.errors + result.timeouts + result.non2xx
  if (problems > 0) throw new Error(`${problems} of ${calls} calls failed`)
  return result
}

function toRequest(
  id: number,
  params: { name: string; arguments: object },
  session: Record<string, string>,
  isModern: boolean,
) {
  const call = { jsonrpc: '2.0', id, method: 'tools/call' }
  if (!isModern) return { headers: session, body: JSON.stringify({ ...call, params }) }
  const { 'mcp-session-id': _, ...headers } = session
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const mirrored = { 'mcp-protocol-version': MODERN, 'mcp-method': call.method, 'mcp-name': params.name }
  return {
    headers: { ...headers, ...mirrored },
    body: JSON.stringify({ ...call, params: { ...params, _meta } }),
  }
}
