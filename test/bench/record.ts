import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Bench } from 'tinybench'
import { DEFAULT_BUDGETS } from '../../src/engine/history.ts'
import { DEFAULT_LIMITS } from '../../src/engine/limits.ts'
import { createLogger } from '../../src/logger.ts'
import { createSessionFiles } from '../../src/record-files/writer.ts'
import { createMemoryStore } from '../../src/sessions/memory-store.ts'
import { createSequentialThinkingTool } from '../../src/tools/sequential-thinking.ts'

// What recording adds to a call of the tool: `npm run bench:record`. In memory it may add a tenth to the
// time of a call; the files, which are off by default, cost what the disk costs.

const CALLS = 75
const MAX_SESSIONS = 1000
const recordDir = mkdtempSync(join(tmpdir(), 'seqthink-bench-'))
const options = {
  limits: { ...DEFAULT_LIMITS, maxSteps: 60 },
  budgets: DEFAULT_BUDGETS,
  maxSessions: MAX_SESSIONS,
}
const files = createSessionFiles({
  recordDir,
  recordBudget: 100_000,
  maxSessions: MAX_SESSIONS,
  version: '0.0.0',
  logger: createLogger('warn'),
})

/** A chain of 60 long steps with 15 revisions, one of them for every fourth step, and a summary. */
async function think(tool: ReturnType<typeof createSequentialThinkingTool>): Promise<void> {
  const sessions = createMemoryStore({ maxSessions: MAX_SESSIONS })
  const context = { sessions, caller: { owner: 'bench', maySeeList: true, openChains: undefined } }
  let sessionId: unknown
  for (let number = 1; number <= 60; number++) {
    const step = { thought: `${number} ${'word '.repeat(300)}`, thoughtNumber: number, totalThoughts: 60 }
    const { result } = await tool.handle({ ...step, nextThoughtNeeded: true, sessionId }, context)
    sessionId = result.sessionId
    if (number % 4 !== 0) continue
    const thought = `${number} revised ${'word '.repeat(300)}`
    await tool.handle({ ...step, thought, revisionNumber: 1, nextThoughtNeeded: true, sessionId }, context)
  }
}

const variants = {
  'without a record': createSequentialThinkingTool({ ...options, recordBudget: 0 }),
  'with a record': createSequentialThinkingTool(options),
  'with a record in files': createSequentialThinkingTool({ ...options, files }),
}
const bench = new Bench({ time: 2000, warmupTime: 500 })
for (const [name, tool] of Object.entries(variants)) bench.add(name, () => think(tool))
await bench.run()
rmSync(recordDir, { recursive: true, force: true })

const perCallUs = bench.tasks.map(({ name, result }) => ({
  name,
  us: 'latency' in result ? (result.latency.p50 * 1000) / CALLS : Number.NaN,
}))
const base = perCallUs[0]?.us ?? Number.NaN
for (const { name, us } of perCallUs) {
  process.stdout.write(`${name}: ${us.toFixed(1)} µs a call (${((us / base) * 100).toFixed(0)} %)\n`)
}
