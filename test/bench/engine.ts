import { Bench, type FnHook } from 'tinybench'
import { createMemoryStore } from '../../src/sessions/memory-store.ts'
import {
  append,
  appendUntil,
  chainOf,
  input,
  LENGTHS,
  NODES_AFTER_SUMMARY,
  type Operation,
  operations,
  type Prepared,
} from './engine-operations.ts'
import { median } from './measurement.ts'
import { formatNumber, renderTable } from './table.ts'

const LONG = 1_000
/** One call is shorter than a clock reading is exact, so a sample is a call on each of so many equal chains. */
const CHAINS = 20
/** All lengths take turns, so that what the machine and the compiler do meanwhile falls on all alike. */
const ROUNDS = 7
const SAMPLES = 60
/** Each sample at a long chain adds to it, a branch at the most, so they are fewer. */
const LONG_SAMPLES = 20
const MAX_APPEND_GROWTH = 1.2

/** Microseconds of one call, the median of all samples. */
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
  return (task.result.latency.p50 * 1_000) / perSample
}

/** Builds the chains; each call of what it returns measures one round on them. */
function prepare(operation: Operation, length: number): () => Promise<number> {
  const steps = operation.stepsBefore(length)
  const build = (): Prepared[] => Array.from({ length: CHAINS }, () => chainOf(steps))
  let chains = build()
  const callAll = (): void => {
    for (const prepared of chains) operation.call(prepared, length)
  }
  const restore = (): void => {
    if (operation.isRepeatable) return
    if (length < LONG) chains = build()
    else if (operation.nodesBefore !== undefined) {
      // Summaries first, for all: they leave the caches cold, which is no part of the call that follows.
      for (const prepared of chains) appendUntil(prepared, NODES_AFTER_SUMMARY)
      for (const prepared of chains) appendUntil(prepared, operation.nodesBefore)
    }
  }
  const samples = length < LONG ? SAMPLES : LONG_SAMPLES
  return () => measure(`${operation.name}, n = ${length}`, samples, CHAINS, callAll, restore)
}

/** Microseconds of one call at each length of the operation. */
async function measureOperation(operation: Operation): Promise<Map<number, number>> {
  const rounds = operation.lengths.map((length) => ({ length, run: prepare(operation, length) }))
  const found = new Map<number, number[]>(operation.lengths.map((length) => [length, []]))
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const { length, run } of rounds) found.get(length)?.push(await run())
  }
  return new Map([...found].map(([length, samples]) => [length, median(samples) ?? 0]))
}

/** Appends of a fifth step through the store, to sessions that lie apart among `sessions`. */
async function measureStore(sessions: number): Promise<number> {
  const owner = 'process'
  let store = createMemoryStore({ maxSessions: sessions })
  let ids: string[] = []
  return measure(
    `append, one of ${sessions} sessions`,
    SAMPLES,
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

const rows: string[][] = []
let growth = 0
for (const operation of operations) {
  const found = await measureOperation(operation)
  const cells = LENGTHS.map((length) => found.get(length))
  rows.push([operation.name, ...cells.map((value) => (value === undefined ? '' : formatNumber(value)))])
  if (operation === append) growth = (found.get(5_000) ?? 0) / (found.get(5) ?? 1)
}
const storeRow = [await measureStore(CHAINS), await measureStore(1_000)].map((value) => formatNumber(value))

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
