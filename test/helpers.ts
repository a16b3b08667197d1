import { expect } from 'vitest'
import { ThoughtError } from '../src/engine/errors.ts'
import { wholeHistory } from '../src/engine/history.ts'
import { DEFAULT_LIMITS, type Limits } from '../src/engine/limits.ts'
import type { ThoughtInput } from '../src/engine/thought.ts'
import { type Outcome, ThoughtChain } from '../src/engine/thought-chain.ts'
import { type Offer, offersOf } from './offers.ts'

type Overrides = Partial<ThoughtInput>

/** A step that asks to continue, with a text that no other number and no other branch has. */
export function step(thoughtNumber: number, overrides: Overrides = {}): ThoughtInput {
  const { branchId } = overrides
  return {
    thought: `Idea ${thoughtNumber}${branchId === undefined || branchId === 'main' ? '' : ` of ${branchId}`}`,
    thoughtNumber,
    totalThoughts: 90,
    nextThoughtNeeded: true,
    revisionNumber: 0,
    ...overrides,
  }
}

export function steps(from: number, to: number, overrides: Overrides = {}): ThoughtInput[] {
  return Array.from({ length: to - from + 1 }, (_, i) => step(from + i, overrides))
}

export function revision(
  thoughtNumber: number,
  revisionNumber: number,
  overrides: Overrides = {},
): ThoughtInput {
  return step(thoughtNumber, {
    thought: `Idea ${thoughtNumber}, version ${revisionNumber}`,
    revisionNumber,
    ...overrides,
  })
}

/** The first thought of a branch. */
export function fork(from: number, branchId: string | undefined, overrides: Overrides = {}): ThoughtInput {
  return step(from + 1, { branchFromThought: from, branchId, ...overrides })
}

/** Opens a chain with the first input and records the others. */
export function play(inputs: readonly ThoughtInput[], limits: Partial<Limits> = {}) {
  const [first, ...others] = inputs
  if (first === undefined) throw new Error('a chain needs a first thought')
  const { chain, outcome } = ThoughtChain.open(first, { ...DEFAULT_LIMITS, ...limits })
  const outcomes: Outcome[] = [outcome, ...others.map((input) => chain.record(input))]
  return { chain, outcomes, last: outcomes.at(-1) ?? outcome }
}

/** All that a caller can tell of a chain. */
export function snapshot(chain: ThoughtChain) {
  return {
    nodes: wholeHistory(chain),
    branches: [...chain.branches.values()].map(({ branchId, fork, next }) => ({
      branchId,
      from: fork?.from,
      parent: fork?.parent.branchId,
      next,
    })),
    lastLine: chain.lastLine.branchId,
    steps: chain.steps,
    isOpen: chain.isOpen,
    jsonChars: chain.jsonChars,
    opening: chain.opening,
    highestNumber: chain.highestNumber,
  }
}

export function errorOf(run: () => unknown): ThoughtError {
  try {
    run()
  } catch (error) {
    if (error instanceof ThoughtError) return error
    throw error
  }
  throw new Error('the call was taken')
}

/**
 * Plays `inputs`, then `refused`, which must be refused without a trace. Every call that the error offers is
 * then made on a chain in the same state, alone and as a correction of the refused call, and must be taken.
 */
export function refuse(inputs: readonly ThoughtInput[], refused: ThoughtInput, limits: Partial<Limits> = {}) {
  const { chain } = play(inputs, limits)
  const before = snapshot(chain)
  const { code, message } = errorOf(() => chain.record(refused))
  expect(snapshot(chain), 'a refused call changes nothing').toEqual(before)
  const offers = offersOf(message)
  for (const offer of offers) {
    for (const call of callsOf(offer, refused)) {
      const said = `${message}\noffers ${JSON.stringify(offer)}, sent as ${JSON.stringify(call)}`
      expect(() => play(inputs, limits).chain.record(call), said).not.toThrow()
    }
  }
  return { code, message, offers, chain }
}

/** How a caller may understand an offer: as the whole call, and as what to change in the refused one. */
function callsOf({ fields, without, isNewChain }: Offer, refused: ThoughtInput): ThoughtInput[] {
  if (isNewChain) return []
  const thought = 'Another idea'
  const corrected: ThoughtInput = { ...refused, ...fields, thought }
  // A fork point goes with the branch for which it was given.
  const isOtherLine = fields.branchId !== undefined && fields.branchId !== refused.branchId
  const left = [
    ...without,
    ...(isOtherLine && fields.branchFromThought === undefined ? ['branchFromThought'] : []),
  ]
  const cleaned = Object.fromEntries(Object.entries(corrected).filter(([name]) => !left.includes(name)))
  const correction = step(corrected.thoughtNumber, { ...cleaned, thought })
  if (fields.thoughtNumber === undefined) return [correction]
  // Two faults in one call may take two answers; the whole call that is offered works in any case.
  const isTwofold = refused.revisionNumber !== 0 && refused.branchFromThought !== undefined
  const whole = step(fields.thoughtNumber, {
    nextThoughtNeeded: refused.nextThoughtNeeded,
    ...fields,
    thought,
  })
  return isTwofold ? [whole] : [whole, correction]
}
