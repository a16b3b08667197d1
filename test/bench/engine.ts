import { Bench, type FnHook } from 'tinybench'
import { createMemoryStore } from '../../src/sessions/memory-store.ts'
import { chainOf, input, LENGTHS, type Operation, operations, type Prepared } from './engine-operations.ts'
import { formatNumber, renderTable } from './table.ts'

const LONG = 1_000
/** One call is shorter than a clock reading is exact, so a sample is a call on each of so many equal chains. */
const CHAINS = 20
const SAMPLES = { short: 300, long: 20 }
const MAX_APPEND_GROWTH = 1.2

/** Nanoseconds of one call, the median of all samples. */
async function measure(
  name: string,
  samples: number,
  perSample: number,
  run: () => unknown,
  beforeEach: FnHook,
): Promise<number> {
  process.stderr.write(`${name}\n`)
  const bench = new Bench({ time: 0, iterations: samples, warmupTime: 0, warmupIterations: 3, throws: true })
  bench.add(name, run, { beforeEach })
  const [task] = await bench.run()
  if (task?.result.state !== 'completed') throw new Error(`${name} did not complete`)
  return (task.result.latency.p50 * 1_000_000) / perSample
}

function measureOperation(operation: Operation, length: number): Promise<number> {
  const steps = operation.stepsBefore(length)
  const build = (): Prepared[] => Array.from({ length: CHAINS }, () => chainOf(steps))
  let chains = build()
  return measure(
    `${operation.name}, n = ${length}`,
    length >= LONG ? SAMPLES.long : SAMPLES.short,
    CHAINS,
    () => {
      for (const prepared of chains) operation.call(prepared, length)
    },
    () => {
      if (!operation.isRepeatable) chains = build()
    },
  )
}

/** Appends of a fifth step through the store, to sessions that lie apart among `sessions`. */
async function measureStore(sessions: number): Promise<number> {
  const owner = 'process'
  let store = createMemoryStore({ maxSessions: sessions })
  let ids: string[] = []
  return measure(
    `append, one of ${sessions} sessions`,
    SAMPLES.short,
    CHAINS,
    async () => {
      for (const sessionId of ids) await store.use({ owner, sessionId }, (chain) => chain.record(input(5)))
    },
    async () => {
      store = createMemoryStore({ maxSessions: sessions })
      ids = []
      for (let n = 0; n < sessions; n += 1) {
        const id = await store.add(owner, chainOf(4).chain)
        if (n % (sessions / CHAINS) === 0) ids.push(id)
      }
    },
  )
}

// What is measured first would otherwise be measured on cold code.
for (const operation of operations) {
  for (const length of operation.lengths.filter((length) => length < LONG))
    await measureOperation(operation, length)
}

const rows: string[][] = []
const found = new Map<string, number>()
for (const operation of operations) {
  const row = [operation.name]
  for (const length of LENGTHS) {
    if (!operation.lengths.includes(length)) row.push('')
    else {
      const nanoseconds = await measureOperation(operation, length)
      found.set(`${operation.name} ${length}`, nanoseconds)
      row.push(formatNumber(nanoseconds / 1_000))
    }
  }
  rows.push(row)
}
const storeRow = [await measureStore(CHAINS), await measureStore(1_000)].map((ns) => formatNumber(ns / 1_000))
const growth = (found.get('append, as step n 5000') ?? 0) / (found.get('append, as step n 5') ?? 1)

const print = (text: string): void => void process.stdout.write(`${text}\n`)
print(`Node ${process.version}, µs a call, medians\n`)
print(renderTable([['', ...LENGTHS.map((length) => `n = ${formatNumber(length)}`)], ...rows]))
print('')
print(
  renderTable([
    ['', `${CHAINS} sessions`, '1,000 sessions'],
    ['append through the store, as step 5', ...storeRow],
  ]),
)
print('')
print(
  `append at step 5,000 over step 5: ${growth.toFixed(2)}, target ≤ ${MAX_APPEND_GROWTH}: ${growth <= MAX_APPEND_GROWTH ? 'met' : 'NOT MET'}`,
)
