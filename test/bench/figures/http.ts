import autocannon from 'autocannon'
import { type Bench, type Figure, interleave, plain } from '../bench.ts'
import { type HttpServer, withHttpServer } from '../http-server.ts'
import { CHAIN_STEPS } from '../load.ts'
import { OURS, type Peer, REFERENCE } from '../peers.ts'
import { thoughtText } from '../thought-text.ts'

const CONNECTIONS = 32
const SECONDS = 10
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
    return withHttpServer(bench, server, async (http) => {
      const result = await load(http, server.peer, server.label === OURS_MODERN, bench.calls(SECONDS))
      return [
        [httpRate, result.requests.average],
        [httpP99, result.latency.p99],
      ]
    })
  })
}

/** Each connection works one chain of ten steps through after the other. @throws Error when one call fails */
async function load({ url, headers }: HttpServer, peer: Peer, isModern: boolean, seconds: number) {
  let calls = 0
  let failed = 0
  const sessionIds = new WeakMap<object, string>()
  const requests = Array.from(
    { length: CHAIN_STEPS },
    (_, step): autocannon.Request => ({
      method: 'POST',
      setupRequest(request, context) {
        calls += 1
        const thought = thoughtText(calls, THOUGHT_CHARS)
        const sessionId = step === 0 ? undefined : sessionIds.get(context)
        const params = {
          name: peer.tool,
          arguments: peer.toArguments({ thought, number: step + 1, total: CHAIN_STEPS, sessionId }),
        }
        return { ...request, ...toRequest(calls, params, headers, isModern) }
      },
      onResponse(status, body, context) {
        if (status !== 200 || !/"result":/.test(body) || /"isError":true/.test(body)) failed += 1
        const id = /"sessionId":"([^"]+)"/.exec(body)?.[1]
        if (step === 0 && id !== undefined) sessionIds.set(context, id)
      },
    }),
  )
  const result = await autocannon({ url, connections: CONNECTIONS, duration: seconds, requests })
  const problems = failed + result.errors + result.timeouts + result.non2xx
  if (problems > 0) throw new Error(`${problems} of ${calls} calls failed`)
  return result
}

function toRequest(id: number, params: { name: string }, session: Record<string, string>, isModern: boolean) {
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
