import { execFileSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { fuzz } from './fuzz.ts'

// npm run fuzz -- --seed 1 --lines 1000000

/** The memory of a server has settled after this part of the lines, when its store is full. */
const SETTLED = 0.2

/** What the memory of a settled server may grow to, as a multiple. */
const MAX_GROWTH = 1.25

/** Below this many lines a server does not settle. */
const MIN_LINES_FOR_MEMORY = 200_000

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, lines: { type: 'string', default: '20000' } },
})
const seed = Number(values.seed)
const lines = Number(values.lines)

const settledKilobytes: number[] = []
let lastKilobytes: number[] = []
const startedMs = performance.now()
const sent = await fuzz({
  seed,
  lines,
  onRound(count, servers) {
    if (count % 10_000 !== 0) return
    lastKilobytes = servers.map(({ pid }) => residentKilobytes(pid))
    if (settledKilobytes.length === 0 && count >= lines * SETTLED) settledKilobytes.push(...lastKilobytes)
    if (count % 100_000 === 0) console.log(`${count} lines, ${lastKilobytes.map(megabytes).join(' and ')}`)
  },
})
for (const [kind, count] of sent) console.log(`${String(count).padStart(8)} ${kind}`)
const seconds = ((performance.now() - startedMs) / 1000).toFixed(0)
console.log(`Seed ${seed}: ${lines} lines in ${seconds} s, every one answered as expected.`)

if (lines >= MIN_LINES_FOR_MEMORY) {
  const growth = lastKilobytes.map((kilobytes, i) => kilobytes / (settledKilobytes[i] ?? kilobytes))
  console.log(`Resident memory grew ${growth.map((times) => times.toFixed(2)).join(' and ')} times.`)
  if (growth.some((times) => times > MAX_GROWTH)) process.exitCode = 1
}

function residentKilobytes(pid: number | undefined): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', `${pid}`], { encoding: 'utf8' }))
}

function megabytes(kilobytes: number): string {
  return `${Math.round(kilobytes / 1024)} MB`
}
