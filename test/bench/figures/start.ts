import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { type Bench, type Figure, interleave, plain, type Section } from '../bench.ts'
import { type Place, start } from '../load.ts'
import { FLOOR, OURS, REFERENCE, type Server, TOOLS } from '../peers.ts'
import { type Connection, discover, initialize, type JsonObject } from '../stdio-driver.ts'

export const BARE_NODE = 'node -e 0 (to its exit)'
export const START_TITLE = 'Start'

export const toInitialize: Figure = { name: 'spawn to the answer of initialize', unit: 'ms' }
const toDiscover: Figure = { name: 'spawn to the answer of server/discover', unit: 'ms' }
const firstStart: Figure = { name: 'the same to initialize, first start (empty compile cache)', unit: 'ms' }

export function newerStartTitle(node: string): string {
  return `${START_TITLE} on Node ${versionOf(node)}`
}

export async function measureStart(bench: Bench): Promise<void> {
  await measureOn(bench, bench.place.node, { title: START_TITLE, figures: [toInitialize, toDiscover] })
  if (bench.newerNode === undefined) return
  const title = newerStartTitle(bench.newerNode)
  await measureOn(bench, bench.newerNode, { title, figures: [toInitialize, toDiscover, firstStart] })
}

async function measureOn(bench: Bench, node: string, section: Section): Promise<void> {
  const cacheDir = mkdtempSync(join(bench.work, 'start-'))
  const warm = placeWith(bench, node, cacheDir)
  const withoutDiscover = new Set<string>()
  // One round more than counted: it fills the file cache and, on a newer Node, the compile cache.
  await interleave(
    bench,
    section,
    bench.rounds(15) + 1,
    plain([OURS, REFERENCE, TOOLS, FLOOR]),
    async (server, round) => {
      const readings: Array<readonly [Figure, number]> = []
      if (section.figures.includes(firstStart)) {
        const cold = placeWith(bench, node, mkdtempSync(join(bench.work, 'start-')))
        const elapsed = await timeStart(server, cold, initialize)
        if (round > 1) readings.push([firstStart, elapsed])
      }
      const initialized = await timeStart(server, warm, initialize)
      if (round > 1) readings.push([toInitialize, initialized])
      if (!withoutDiscover.has(server.label)) {
        try {
          const discovered = await timeStart(server, warm, discover)
          if (round > 1) readings.push([toDiscover, discovered])
        } catch {
          withoutDiscover.add(server.label)
          const cell = { section: section.title, figure: toDiscover.name, unit: toDiscover.unit }
          bench.recorder.fail(
            { ...cell, server: server.label },
            'speaks protocol v1 only: server/discover is refused',
          )
        }
      }
      if (server.peer.name === FLOOR) {
        const elapsed = await timeBareNode(warm)
        const cell = { section: section.title, figure: toInitialize.name, unit: toInitialize.unit }
        if (round > 1) bench.recorder.add({ ...cell, server: BARE_NODE }, elapsed)
      }
      return readings
    },
  )
}

/** The compile cache stands below the temporary folder, so a folder of the run's own decides what is warm. */
function placeWith(bench: Bench, node: string, temporary: string): Place {
  return { node, env: { ...bench.place.env, TMPDIR: temporary, TEMP: temporary, TMP: temporary } }
}

async function timeStart(
  server: Server,
  place: Place,
  firstRequest: (connection: Connection) => Promise<JsonObject>,
): Promise<number> {
  const startedAt = performance.now()
  const connection = start(server, place)
  try {
    await firstRequest(connection)
    return performance.now() - startedAt
  } finally {
    await connection.stop()
  }
}

async function timeBareNode(place: Place): Promise<number> {
  const startedAt = performance.now()
  const child = spawn(place.node, ['-e', '0'], { env: place.env, stdio: 'ignore' })
  await once(child, 'exit')
  return performance.now() - startedAt
}

export function versionOf(node: string): string {
  return execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()
}
