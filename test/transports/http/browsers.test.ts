import { once } from 'node:events'
import { request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { bearer, JSON_HEADERS, post, postModern, startServer, thinkOf } from './http-server.ts'

const PAGE = 'https://app.example.com'

/** fetch sets Host itself. */
async function statusUnder(host: string, url: string): Promise<number | undefined> {
  const sent = request(url, { method: 'POST', headers: { ...JSON_HEADERS, host } }).end('{}')
  const [response] = await once(sent, 'response')
  response.resume()
  return response.statusCode
}

describe('the host that a request names', () => {
  test.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', '0.0.0.0'])(
    'is refused when it is %j',
    async (host) => {
      const { url } = await startServer()
      expect(await statusUnder(host, url)).toBe(403)
    },
  )

  test.each(['localhost', 'localhost:8090', '127.0.0.1:1', '[::1]:8090', 'LOCALHOST'])(
    'may be %j',
    async (host) => {
      const { url } = await startServer()
      expect(await statusUnder(host, url)).toBe(400)
    },
  )

  test('may be one of --allowed-hosts, with any port', async () => {
    const { url } = await startServer({ flags: { allowedHosts: 'Think.Example.com' } })
    expect(await statusUnder('think.example.com', url)).toBe(400)
    expect(await statusUnder('think.example.com:443', url)).toBe(400)
    expect(await statusUnder('example.com', url)).toBe(403)
  })
})

describe('a web page', () => {
  test.each([PAGE, 'http://localhost.evil.example', 'null', 'file://', 'localhost'])(
    'is refused when its origin is %j',
    async (origin) => {
      const { url } = await startServer()
      const response = await post(url, {}, { origin })
      expect(response.status).toBe(403)
      expect(response.headers.get('access-control-allow-origin')).toBeNull()
    },
  )

  test.each(['http://localhost:6274', 'http://127.0.0.1', 'https://localhost'])(
    'of %s may connect',
    async (origin) => {
      const { url } = await startServer()
      const response = await postModern(url, thinkOf(1), { origin })
      expect(response.status).toBe(200)
      expect(response.headers.get('access-control-allow-origin')).toBe(origin)
      expect(response.headers.get('vary')).toContain('Origin')
    },
  )

  test('of --allowed-origins may connect, and of no other port, scheme or subdomain', async () => {
    const { url } = await startServer({ flags: { allowedOrigins: PAGE } })
    const statusOf = async (origin: string) => (await postModern(url, thinkOf(1), { origin })).status
    expect(await statusOf(PAGE)).toBe(200)
    expect(await statusOf(`${PAGE}:8443`)).toBe(403)
    expect(await statusOf('http://app.example.com')).toBe(403)
    expect(await statusOf('https://x.app.example.com')).toBe(403)
  })

  test('of this machine is a stranger to a server on another address', async () => {
    const flags = { host: '0.0.0.0', allowedHosts: 'localhost' }
    const { url } = await startServer({ flags, tokens: 'ann:secret' })
    const local = url.replace('0.0.0.0', '127.0.0.1')
    const headers = { origin: 'http://localhost:6274', ...bearer('secret') }
    expect((await postModern(local, thinkOf(1), headers)).status).toBe(403)
    expect((await postModern(local, thinkOf(1), bearer('secret'))).status).toBe(200)
  })

  test('asks first, without a token, and is told what it may send', async () => {
    const { url } = await startServer({ tokens: 'ann:secret', flags: { allowedOrigins: PAGE } })
    const asked = 'authorization,content-type,mcp-method,mcp-protocol-version,mcp-session-id'
    const headers = {
      origin: PAGE,
      'access-control-request-method': 'POST',
      'access-control-request-headers': asked,
    }
    const response = await fetch(url, { method: 'OPTIONS', headers })
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-origin')).toBe(PAGE)
    expect(response.headers.get('access-control-allow-methods')).toBe('GET,POST,DELETE')
    expect(response.headers.get('access-control-allow-headers')).toBe(asked)
    expect(response.headers.get('access-control-allow-credentials')).toBeNull()
  })

  test('reads the MCP headers of an answer, a refusal included', async () => {
    const { url } = await startServer({ tokens: 'ann:secret', flags: { allowedOrigins: PAGE } })
    const response = await post(url, {}, { origin: PAGE })
    expect(response.status).toBe(401)
    expect(response.headers.get('access-control-allow-origin')).toBe(PAGE)
    for (const name of ['Mcp-Session-Id', 'MCP-Protocol-Version', 'WWW-Authenticate']) {
      expect(response.headers.get('access-control-expose-headers')).toContain(name)
    }
  })
})
