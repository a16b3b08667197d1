import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { CLI, ServerProcess } from './server-process.ts'

describe('the command line', () => {
  test('prints the version of package.json', async () => {
    expect(await run(['--version'])).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' })
  })

  test('prints a help', async () => {
    const { code, stdout, stderr } = await run(['--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('--max-steps')
  })

  test.each([
    [['--no-such-flag']],
    [['serve']],
    [['--max-steps', 'many']],
    [['--max-chain-length', '10']],
    [['--transport', 'pigeon']],
    [['--max-revisions']],
  ])('%j is answered by one line on stderr and exit code 2', async (args) => {
    const { code, stdout, stderr } = await run(args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^seqthink-mcp: [^\n]+\n$/)
  })

  test('a bad variable is answered by one line on stderr and exit code 2', async () => {
    const { code, stderr } = await run([], { SEQTHINK_MAX_SESSIONS: '0' })
    expect(code).toBe(2)
    expect(stderr).toMatch(/^seqthink-mcp: SEQTHINK_MAX_SESSIONS is "0"[^\n]+\n$/)
  })

  test('lets flags win over the environment', async () => {
    const env = { SEQTHINK_MAX_THOUGHT_CHARS: '5', SEQTHINK_MAX_STEPS: '1' }
    const server = new ServerProcess({ args: ['--max-thought-chars', '8'], env })
    await server.initialize()
    expect((await server.think(1, { thought: '123456789' })).code).toBe('thought_too_long')
    const taken = await server.think(1, { thought: '12345678' })
    expect(taken.result.nextThoughtNeeded).toBe(false)
  })
})

async function run(args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [CLI, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const [code] = await once(child, 'close')
  return { code, stdout, stderr }
}
