import { expect, test } from 'vitest'
import { readProvider } from '../../src/agents/providers.ts'
import { ServerProcess } from './server-process.ts'

// Nine calls that are paid for, so a key alone does not start them.
const isLive = process.env.SEQTHINK_LIVE_TEST === '1' && !('problem' in readProvider(process.env))

test.skipIf(!isLive)(
  'a real provider answers (skipped without SEQTHINK_LIVE_TEST=1 and the key of a provider)',
  { timeout: 300_000 },
  async () => {
    const server = new ServerProcess({ args: ['--agents'] })
    await server.initialize()
    const { result } = await server.request('tools/call', {
      name: 'sequentialthinking',
      arguments: {
        thought: 'Is it worth learning to touch-type at forty?',
        thoughtNumber: 1,
        totalThoughts: 1,
        nextThoughtNeeded: false,
      },
    })
    expect(result).toMatchObject({ structuredContent: { missing_perspectives: [], should_continue: false } })
  },
)
