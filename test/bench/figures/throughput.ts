import { type Bench, type Figure, interleave, plain } from '../bench.ts'
import { LANES, runLanes, withServer } from '../load.ts'
import { BUDGETS_0, FLOOR, OURS, OURS_BUDGETS_0, REFERENCE, TOOLS } from '../peers.ts'
import { cpuTimeMs, hasProcStats, noProcStats } from '../process-stats.ts'

const WARM_UP_CALLS = 1_000
const THOUGHT_CHARS = 200

export const THROUGHPUT_TITLE = '32 calls in flight'

export const rate: Figure = { name: 'throughput', unit: 'calls/s' }
export const cpu: Figure = { name: "the server's CPU time a call (user + system)", unit: 'µs' }

export async function measureThroughput(bench: Bench): Promise<void> {
  const variants = [
    ...plain([OURS]),
    { of: OURS, label: OURS_BUDGETS_0, flags: BUDGETS_0 },
    ...plain([REFERENCE, TOOLS, FLOOR]),
  ]
  const calls = bench.calls(20_000)
  const section = { title: THROUGHPUT_TITLE, figures: [rate, cpu] }
  await interleave(bench, section, bench.rounds(5), variants, async (server) => {
    return withServer(server, bench.place, async (client) => {
      await runLanes(client, WARM_UP_CALLS, LANES, THOUGHT_CHARS)
      const cpuBefore = hasProcStats ? cpuTimeMs(client.connection.pid) : 0
      const startedAt = performance.now()
      await runLanes(client, calls, LANES, THOUGHT_CHARS)
      const seconds = (performance.now() - startedAt) / 1_000
      const perSecond = [rate, calls / seconds] as const
      if (!hasProcStats) {
        const cell = { section: section.title, figure: cpu.name, unit: cpu.unit, server: server.label }
        bench.recorder.fail(cell, noProcStats)
        return [perSecond]
      }
      const cpuMs = cpuTimeMs(client.connection.pid) - cpuBefore
      return [perSecond, [cpu, (cpuMs * 1_000) / calls]]
    })
  })
}
