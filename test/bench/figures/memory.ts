import { setTimeout as sleep } from 'node:timers/promises'
import { type Bench, type Figure, interleave, plain, type Variant } from '../bench.ts'
import { LANES, runLanes, withServer } from '../load.ts'
import { FLOOR, OURS, REFERENCE, TOOLS } from '../peers.ts'
import { hasProcStats, noProcStats, residentBytes } from '../process-stats.ts'

const THOUGHT_CHARS = 500
const SETTLE_MS = 1_000

export const IDLE_TITLE = 'Memory, idle'
export const MEMORY_TITLE = 'Memory, used'

export const idle: Figure = { name: 'resident, idle after the handshake', unit: 'MB' }
export const after20k: Figure = { name: 'resident after 20,000 thoughts of 500 characters', unit: 'MB' }
export const after100k: Figure = { name: 'resident after 100,000 thoughts of 500 characters', unit: 'MB' }

const everyone = plain([OURS, REFERENCE, TOOLS, FLOOR])

export async function measureIdle(bench: Bench): Promise<void> {
  const section = { title: IDLE_TITLE, figures: [idle] }
  if (!hasProcStats) return skip(bench, section.title, section.figures, everyone)
  await interleave(bench, section, bench.rounds(5), everyone, async (server) => {
    return withServer(server, bench.place, async ({ connection }) => [[idle, await settled(connection.pid)]])
  })
}

export async function measureMemory(bench: Bench): Promise<void> {
  const section = { title: MEMORY_TITLE, figures: [after20k, after100k] }
  if (!hasProcStats) return skip(bench, section.title, section.figures, everyone)
  await interleave(bench, section, bench.rounds(3), everyone, async (server) => {
    return withServer(server, bench.place, async (client) => {
      await runLanes(client, bench.calls(20_000), LANES, THOUGHT_CHARS)
      const first = await settled(client.connection.pid)
      await runLanes(client, bench.calls(80_000), LANES, THOUGHT_CHARS)
      return [
        [after20k, first],
        [after100k, await settled(client.connection.pid)],
      ]
    })
  })
}

async function settled(pid: number): Promise<number> {
  await sleep(SETTLE_MS)
  return residentBytes(pid) / 1_000_000
}

function skip(bench: Bench, section: string, figures: readonly Figure[], variants: readonly Variant[]): void {
  for (const { name, unit } of figures) {
    for (const { label } of variants) {
      bench.recorder.fail({ section, figure: name, unit, server: label }, noProcStats)
    }
  }
}
