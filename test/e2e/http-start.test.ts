import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  answerOf,
  bearer,
  INITIALIZE,
  JSON_HEADERS,
  postModern,
  thinkOf,
} from '../transports/http/http-server.ts'
import { startHttpProcess, TOKENS } from './http-process.ts'
import { ServerProcess } from './server-process.ts'

async function refusalOf(args: string[], env: Record<string, string> = {}) {
  const server = new ServerProcess({ args, env })
  const { code } = await server.exit
  expect(code).toBe(2)
  expect(server.stderr).toMatch(/^seqthink-mcp: .*\n$/)
  return server.stderr
}

async function fileOf(text: string) {
  const folder = await mkdtemp(join(tmpdir(), 'seqthink-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'tokens')
  await writeFile(file, text)
  return file
}

test('says in one line on stderr where it listens, and nothing on stdout', async () => {
  const { server, origin, url } = await startHttpProcess()
  expect(server.stderr).toBe(`seqthink-mcp listens on ${url} and ${origin}/sse\n`)
  expect((await postModern(url, thinkOf(1))).status).toBe(200)
  expect(server.stdout).toBe('')
})

test('goes on when stdin ends', async () => {
  const { server, origin } = await startHttpProcess()
  server.child.stdin?.end()
  await fetch(`${origin}/healthz`)
  expect((await fetch(`${origin}/healthz`)).status).toBe(200)
})

test('serves no SSE pair over --transport http', async () => {
  const { origin } = await startHttpProcess(['--transport', 'http'])
  expect((await fetch(`${origin}/sse`)).status).toBe(404)
})

test.each(['0.0.0.0', '::', '192.0.2.7', 'example.com'])('refuses --host %s without tokens', async (host) => {
  const said = await refusalOf(['--transport', 'http', '--port', '0', '--host', host])
  expect(said).toContain('SEQTHINK_AUTH_TOKENS')
  expect(said).toContain('--allow-unauthenticated')
})

test('listens beyond loopback with tokens, or when it is told to without', async () => {
  for (const [args, env] of [
    [[], TOKENS],
    [['--allow-unauthenticated'], {}],
  ] as const) {
    const { origin } = await startHttpProcess(['--host', '0.0.0.0', ...args], env)
    expect((await fetch(origin.replace('0.0.0.0', '127.0.0.1').concat('/healthz'))).status).toBe(200)
  }
})

test('takes tokens from a file', async () => {
  const { url } = await startHttpProcess(['--auth-tokens-file', await fileOf('# staff\nann:token-of-ann\n')])
  expect((await postModern(url, thinkOf(1), bearer('token-of-ann'))).status).toBe(200)
  expect((await postModern(url, thinkOf(1), bearer('token-of-ben'))).status).toBe(401)
})

test('refuses tokens that it cannot use, without showing them', async () => {
  const args = ['--transport', 'http', '--port', '0']
  const file = await fileOf('token-without-name')
  const said = [
    await refusalOf(args, { SEQTHINK_AUTH_TOKENS: 'ann:token-of-ann,token-without-name' }),
    await refusalOf(args, { SEQTHINK_AUTH_TOKENS: 'ann:token-of-ann,ben:token-of-ann' }),
    await refusalOf([...args, '--auth-tokens-file', file]),
    await refusalOf([...args, '--auth-tokens-file', file], TOKENS),
    await refusalOf([...args, '--auth-tokens-file', `${file}-that-is-not-there`]),
  ].join('')
  expect(said).not.toMatch(/token-of|token-without/)
})

test('refuses a port that is taken', async () => {
  const { origin } = await startHttpProcess()
  expect(await refusalOf(['--transport', 'http', '--port', new URL(origin).port])).toContain('EADDRINUSE')
})

test.each(['SIGTERM', 'SIGINT'] as const)('on %s, finishes the call in flight and ends', async (signal) => {
  const { server, origin, url } = await startHttpProcess()
  const stream = await fetch(`${origin}/sse`)
  const body = JSON.stringify(INITIALIZE)
  const sent = request(url, { method: 'POST', headers: { ...JSON_HEADERS, 'content-length': body.length } })
  sent.write(body.slice(0, 20))
  await expect.poll(async () => (await postModern(url, thinkOf(1))).status).toBe(200)
  server.child.kill(signal)
  await expect
    .poll(() =>
      fetch(`${origin}/healthz`).then(
        () => 'up',
        () => 'down',
      ),
    )
    .toBe('down')
  sent.end(body.slice(20))
  const [response] = await once(sent, 'response')
  expect(response.statusCode).toBe(200)
  response.resume()
  expect(await stream.text()).toContain('event: endpoint')
  expect(await server.exit).toEqual({ code: 0, signal: null })
})

test('logs a line of JSON for a request at info, without token and thought', async () => {
  const { server, url } = await startHttpProcess(['--log-level', 'info'], TOKENS)
  const thought = 'a private thought'
  const { result } = await answerOf(await postModern(url, thinkOf(1, { thought }), bearer('token-of-ann')))
  expect(result.thoughtNumber).toBe(1)
  await expect.poll(() => server.stderr).toContain('"msg":"request"')
  const [, ...lines] = server.stderr.trimEnd().split('\n')
  const request = lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'request')
  expect(request).toMatchObject({ level: 30, method: 'POST', path: '/mcp', status: 200, principal: 'ann' })
  expect(server.stderr).not.toMatch(/private|token-of/)
})
