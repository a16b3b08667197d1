import { Bench, type FnHook } from 'tinybench'
import { DEFAULT_BUDGETS } from '../../src/engine/history.ts'
import { DEFAULT_LIMITS, type Limits } from '../../src/engine/limits.ts'
import type { ThoughtInput } from '../../src/engine/thought.ts'
import { type Outcome, ThoughtChain } from '../../src/engine/thought-chain.ts'
import { createMemoryStore } from '../../src/sessions/memory-store.ts'
import { toThinkingResult } from '../../src/tools/thinking-result.ts'
import { formatNumber, renderTable } from './table.ts'
import { thoughtText } from './thought-text.ts'

const LENGTHS = [1, 5, 25, 50, 5_000]
const LONG = 1_000
/** One call is shorter than a clock reading is exact, so a sample is a call on each of so many equal chains. */
const CHAINS = 20
const SAMPLES = { short: 300, long: 20 }
const THOUGHT_CHARS = 200
const MAX_APPEND_GROWTH = 1.2

const limits: Limits = { ...DEFAULT_LIMITS, maxSteps: 1_000_000, maxRevisions: 1_000_000 }

interface Prepared {
  chain: ThoughtChain
  outcome: Outcome
}

function input(thoughtNumber: number, more: Partial<ThoughtInput> = {}): ThoughtInput {
  return {
    thought: thoughtText(thoughtNumber, THOUGHT_CHARS),
    thoughtNumber,
    totalThoughts: thoughtNumber,
    nextThoughtNeeded: true,
    revisionNumber: 0,
    ...more,
  }
}

function chainOf(steps: number): Prepared {
  const opened = ThoughtChain.open(input(1), limits)
  let { outcome } = opened
  for (let number = 2; number <= steps; number += 1) outcome = opened.chain.record(input(number))
  return { chain: opened.chain, outcome }
}

/** What is measured: the state that a call finds, and the call. */
interface Operation {
  name: string
  lengths: readonly number[]
  stepsBefore(length: number): number
  call(prepared: Prepared, length: number): unknown
  /** Whether calls leave the chain as it was, so that it need not be built again for every sample. */
  isRepeatable?: boolean
}

const beforeLast = (length: number): number => Math.max(1, length - 1)
const whole = (length: number): number => length

const operations: Operation[] = [
  {
    name: 'append, as step n',
    lengths: LENGTHS,
    stepsBefore: beforeLast,
    call: ({ chain }, length) =>
      length === 1 ? ThoughtChain.open(input(1), limits) : chain.record(input(length)),
  },
  {
    name: 'revise the earliest kept thought of n',
    lengths: LENGTHS,
    stepsBefore: whole,
    call: ({ chain }) => {
      const number = chain.main.firstKept
      const thought = thoughtText(1_000_000 + number, THOUGHT_CHARS)
      return chain.record(input(number, { thought, revisionNumber: 'next' }))
    },
  },
  {
    name: 'branch from the latest thought, as node n',
    lengths: LENGTHS,
    stepsBefore: beforeLast,
    call: ({ chain }) => {
      const from = chain.main.next - 1
      return chain.record(input(from + 1, { branchFromThought: from, branchId: 'other' }))
    },
  },
  {
    name: 'append that summarizes, after n steps',
    // Ten nodes become one when the chain would pass 50: at step 51, then with every ninth.
    lengths: [50, 5_000],
    stepsBefore: whole,
    call: ({ chain }) => {
      const { summary } = chain.record(input(chain.main.next))
      if (summary === undefined) throw new Error(`Step ${chain.main.next - 1} does not summarize`)
      return summary
    },
  },
  {
    name: 'result of step n',
    lengths: LENGTHS,
    stepsBefore: whole,
    call: ({ chain, outcome }) => JSON.stringify(toThinkingResult(chain, outcome, DEFAULT_BUDGETS, [])),
    isRepeatable: true,
  },
  {
    name: 'result of step n when it closes',
    lengths: LENGTHS.filter((length) => length > 1),
    stepsBefore: whole,
    call: ({ chain, outcome }) => {
      const closing = { ...outcome, closes: true, nextThoughtNeeded: false }
      return JSON.stringify(toThinkingResult(chain, closing, DEFAULT_BUDGETS, []))
    },
    isRepeatable: true,
  },
]

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
for (const operation of operations)
  for (const length of [5, 25, 50]) await measureOperation(operation, length)

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
