import { type Bench, type Figure, interleave, plain } from '../bench.ts'
import { runChain, withServer } from '../load.ts'
import { percentile } from '../measurement.ts'
import { BUDGETS_0, FLOOR, OURS, OURS_BUDGETS_0, REFERENCE, TOOLS } from '../peers.ts'

const WARM_UP_CALLS = 500
const THOUGHT_CHARS = 200
const STEPS = 10

export const LATENCY_TITLE = 'One call after the other'

export const p50: Figure = { name: 'p50 of a call', unit: 'µs' }
export const p99: Figure = { name: 'p99 of a call', unit: 'µs' }

export async function measureLatency(bench: Bench): Promise<void> {
  const variants = [
    ...plain([OURS]),
    { of: OURS, label: OURS_BUDGETS_0, flags: BUDGETS_0 },
    ...plain([REFERENCE, TOOLS, FLOOR]),
  ]
  const section = { title: LATENCY_TITLE, figures: [p50, p99] }
  await interleave(bench, section, bench.rounds(3), variants, async (server) => {
    return withServer(server, bench.place, async (client) => {
      const elapsed: number[] = []
      for (let call = 0; call < WARM_UP_CALLS; call += STEPS) await runChain(client, STEPS, THOUGHT_CHARS)
      for (let call = 0; call < bench.calls(5_000); call += STEPS) {
        await runChain(client, STEPS, THOUGHT_CHARS, (_result, ms) => elapsed.push(ms * 1_000))
      }
      return [
        [p50, percentile(elapsed, 50) ?? 0],
        [p99, percentile(elapsed, 99) ?? 0],
      ]
    })
  })
}
