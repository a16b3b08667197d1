import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { startConformanceHost } from '../test/conformance/host.ts'
import { checkInspectorWeb } from './inspector-web.ts'
import { INSPECTOR, npx } from './npx.ts'

// Runs tools of the protocol's authors against the product: the conformance suite against a host of its fixtures
// around the product's transport code, MCP Inspector against the built server over HTTP, and the view in Inspector's
// web mode.

const SUITE = '@modelcontextprotocol/conformance@0.2.0-alpha.12'
const REVISIONS = ['2026-07-28', '2025-11-25']
const ERAS = ['legacy', 'modern']
const CLI = fileURLToPath(new URL('../dist/cli.js', import.meta.url))
const TOKEN = 'token-of-the-inspector'
const STEP = { thought: 'One step.', thoughtNumber: 1, totalThoughts: 1, nextThoughtNeeded: false }

const host = await startConformanceHost()
for (const revision of REVISIONS) {
  await run(SUITE, ['conformance', 'server', '--url', `${host.origin}/mcp`, '--requirements', revision])
}
await host.finish()

const server = spawn(process.execPath, [CLI, '--transport', 'http', '--port', '0'], {
  env: { ...process.env, SEQTHINK_AUTH_TOKENS: `inspector:${TOKEN}` },
  stdio: ['ignore', 'ignore', 'pipe'],
})
const [listening] = await once(server.stderr.setEncoding('utf8'), 'data')
const url = /http:\S+/.exec(listening)?.[0] ?? ''
for (const era of ERAS) {
  const call = ['--method', 'tools/call', '--tool-name', 'sequential_thinking', '--format', 'json']
  const target = [
    url,
    '--transport',
    'http',
    '--header',
    `Authorization: Bearer ${TOKEN}`,
    '--protocol-era',
    era,
  ]
  await run(INSPECTOR, [
    'mcp-inspector',
    '--cli',
    ...target,
    ...call,
    '--tool-args-json',
    JSON.stringify(STEP),
  ])
}
server.kill()

await checkInspectorWeb(CLI)
process.stdout.write('The view shows its chain in MCP Inspector.\n')

async function run(spec: string, command: readonly string[]): Promise<void> {
  const child = npx(spec, command, { stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  if (code === 0) return
  process.stderr.write(`${command.join(' ')} ended with exit code ${code}.\n`)
  process.exit(1)
}
