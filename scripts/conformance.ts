import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { startConformanceHost } from '../test/conformance/host.ts'

// Runs the protocol's own conformance suite against the product's HTTP code. The suite needs a newer Node than the
// product does, so npx brings one for it alone.

const SUITE = '@modelcontextprotocol/conformance@0.2.0-alpha.12'
const NODE = 'node@24'
const REVISIONS = ['2026-07-28', '2025-11-25']

const host = await startConformanceHost()
for (const revision of REVISIONS) {
  const url = `${host.origin}/mcp`
  const suite = ['conformance', 'server', '--url', url, '--requirements', revision]
  const child = spawn('npx', ['-y', '-p', NODE, '-p', SUITE, ...suite], { stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  if (code !== 0) {
    process.exitCode = 1
    break
  }
}
await host.finish()
