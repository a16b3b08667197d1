import fc from 'fast-check'
import type { Limits } from '../../src/engine/limits.ts'
import type { Call, ModelChain } from './rules-model.ts'

/** What a caller intends, to be turned into fields once the state of its chain is known. */
export type Intent = ReturnType<typeof arbitraryIntent> extends fc.Arbitrary<infer T> ? T : never

const BRANCH_NAMES = ['a', 'b', 'branch-1', 'branch-2', '__proto__', 'main', undefined, undefined] as const
const SPELLINGS = [
  (idea: string) => idea,
  (idea: string) => ` ${idea.toUpperCase()}\n`,
  (idea: string) => `Step 4: ${idea}`,
  (idea: string) => `第3步：${idea}`,
] as const

/** Small enough for every limit to be met within a few calls. */
export const arbitraryLimits: fc.Arbitrary<Limits> = fc.record({
  maxThoughtChars: fc.constant(2000),
  maxSteps: fc.integer({ min: 1, max: 15 }),
  maxChainLength: fc.integer({ min: 11, max: 14 }),
  maxRevisions: fc.integer({ min: 0, max: 3 }),
  maxBranches: fc.integer({ min: 1, max: 4 }),
})

export function arbitraryIntent() {
  return fc.record({
    kind: fc.oneof(
      { weight: 6, arbitrary: fc.constant('go on' as const) },
      { weight: 3, arbitrary: fc.constantFrom('revise' as const, 'fork' as const) },
      { weight: 1, arbitrary: fc.constantFrom('again' as const, 'anything' as const) },
    ),
    line: fc.nat(5),
    offset: fc.oneof(
      { weight: 8, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.integer({ min: -3, max: 3 }) },
    ),
    pick: fc.nat(40),
    namesLine: fc.boolean(),
    name: fc.constantFrom(...BRANCH_NAMES),
    idea: fc.oneof({ weight: 3, arbitrary: fc.nat(1000) }, { weight: 1, arbitrary: fc.nat(2) }),
    spelling: fc.nat(SPELLINGS.length - 1),
    totalThoughts: fc.integer({ min: 1, max: 30 }),
    nextThoughtNeeded: fc.oneof(
      { weight: 6, arbitrary: fc.constant(true) },
      { weight: 1, arbitrary: fc.constant(false) },
    ),
    branchFromThought: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined, freq: 6 }),
  })
}

/** The call that an intent means in this state: mostly one that the rules allow. `sent` are the calls before. */
export function toCall(intent: Intent, chain: ModelChain, sent: readonly Call[]): Call {
  const again = sent.at(intent.namesLine ? -1 : -1 - (intent.pick % 4))
  if (intent.kind === 'again' && again !== undefined) return again
  const meaning = `idea ${intent.idea}`
  const spell = SPELLINGS[intent.spelling] ?? SPELLINGS[0]
  const { totalThoughts, nextThoughtNeeded } = intent
  const common = { thought: spell(meaning), meaning, totalThoughts, nextThoughtNeeded, revisionNumber: 0 }
  const line = chain.lines[intent.line % chain.lines.length]?.name ?? 'main'
  const onLine = intent.namesLine || line !== 'main' ? { branchId: line } : {}
  switch (intent.kind) {
    case 'go on':
      return {
        ...common,
        ...onLine,
        ...repeatedFork(intent, chain, line),
        thoughtNumber: positive(chain.nextOn(line) + intent.offset),
      }
    case 'revise': {
      const target = chain.thoughts[intent.pick % Math.max(1, chain.thoughts.length)]
      const branch =
        target === undefined || (target.line === 'main' && !intent.namesLine) ? {} : { branchId: target.line }
      return {
        ...common,
        ...branch,
        ...(target?.line !== 'main' && { branchFromThought: intent.branchFromThought }),
        thoughtNumber: target?.number ?? 1,
        revisionNumber: positive((target?.version ?? 0) + 1 + intent.offset),
      }
    }
    case 'fork': {
      const from = chain.thoughts[intent.pick % Math.max(1, chain.thoughts.length)]?.number ?? 1
      const thoughtNumber = positive((intent.namesLine ? from + 1 : chain.highest + 1) + intent.offset)
      return { ...common, ...nameOf(intent), branchFromThought: from, thoughtNumber }
    }
    default:
      return {
        ...common,
        thoughtNumber: 1 + (intent.pick % 15),
        revisionNumber: Math.max(0, intent.offset),
        branchId: intent.name,
        branchFromThought: intent.name === 'main' ? undefined : intent.branchFromThought,
      }
  }
}

/** Some callers repeat the fork point on every thought of a branch, some with its name and some without. */
function repeatedFork({ pick }: Intent, chain: ModelChain, line: string): Partial<Call> {
  const from = chain.lines.find(({ name }) => name === line)?.from
  if (from === undefined || pick % 3 > 0) return {}
  return pick % 2 === 0 ? { branchFromThought: from } : { branchFromThought: from, branchId: undefined }
}

/** The main line forks from nothing, so this name would be no branch. */
function nameOf({ name }: Intent): Partial<Call> {
  return name === 'main' || name === undefined ? {} : { branchId: name }
}

function positive(number: number): number {
  return Math.max(1, number)
}
