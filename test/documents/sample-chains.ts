import { toSnapshot } from '../../src/documents/to-snapshot.ts'
import { DEFAULT_LIMITS, type Limits } from '../../src/engine/limits.ts'
import type { ThoughtInput } from '../../src/engine/thought.ts'
import { ThoughtChain } from '../../src/engine/thought-chain.ts'
import { tickingClock } from '../clock.ts'
import { fork, revision, step, steps } from '../helpers.ts'

const SESSION_ID = '00000000-0000-4000-8000-000000000000'

/** The snapshot of a chain that made these calls, a second apart. */
export function snapshotOf(
  inputs: readonly ThoughtInput[],
  limits: Partial<Limits> = {},
  recordBudget = 100_000,
) {
  const [first = step(1), ...others] = inputs
  const record = { recordBudget, now: tickingClock() }
  const { chain } = ThoughtChain.open(first, { ...DEFAULT_LIMITS, ...limits }, record)
  for (const input of others) chain.record(input)
  return toSnapshot(SESSION_ID, chain)
}

const total = { totalThoughts: 5 }

/** A question with a revision, a branch, a nested branch, a stale thought and a conclusion. */
export const INVESTIGATION: readonly ThoughtInput[] = [
  step(1, { ...total, thought: 'Why does the page of open orders take 4 seconds?' }),
  step(2, {
    ...total,
    thought: 'The database takes 4.0 s.\nEither one statement reads too much,\nor many wait.',
  }),
  step(3, { ...total, thought: 'The index is missing.' }),
  fork(2, 'network', { ...total, thought: 'Many small statements: each waits for the network.' }),
  step(4, { ...total, branchId: 'network', thought: '200 statements × 20 ms = 4.0 s. That fits.' }),
  fork(3, 'pool', { ...total, thought: 'Or the pool is exhausted.', totalThoughts: 6 }),
  revision(2, 1, {
    ...total,
    branchId: 'main',
    thought: 'The database takes 4.0 s, the plan of the query 6 ms.',
  }),
  revision(3, 1, { ...total, branchId: 'main', thought: 'The index is there: EXPLAIN shows an index scan.' }),
  step(4, {
    ...total,
    totalThoughts: 4,
    branchId: 'main',
    thought: 'So the orders load their lines one by one (N+1).',
    nextThoughtNeeded: false,
  }),
]

/** A chain that was summarized, stopped and went on, with a branch whose fork is summarized. */
export const LONG_CHAIN: readonly ThoughtInput[] = [
  step(1, { thought: 'Which of twelve ideas holds?' }),
  ...steps(2, 4),
  revision(3, 1),
  fork(2, 'side'),
  ...steps(5, 12, { branchId: 'main' }),
  step(13, { thought: 'Idea 12', branchId: 'main' }),
  step(14, { branchId: 'main', nextThoughtNeeded: false, totalThoughts: 20 }),
  step(4, { branchId: 'side' }),
]
