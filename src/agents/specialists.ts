import type { Tier } from './provider.ts'

/** An agent of the workflow. */
export interface Agent {
  readonly name: string
  readonly tier: Tier
  /** Time that it may take, retries and searches included. */
  readonly budgetMs: number
  readonly maxTokens: number
}

/** An agent that looks at the thought from one side. */
export interface Specialist extends Agent {
  /** Where it looks. */
  readonly direction: string
  /** What it does there. */
  readonly role: string
}

const SPECIALIST = { tier: 'standard', maxTokens: 8_000 } as const

/** The agents that work side by side, in the order of the README's table. */
export const SPECIALISTS: readonly Specialist[] = [
  {
    ...SPECIALIST,
    name: 'factual',
    budgetMs: 120_000,
    direction: 'facts and evidence',
    role: 'Establish what is known, what is only assumed and what is missing. Give figures, definitions and sources where you are sure of them, and say how sure you are. No opinions.',
  },
  {
    ...SPECIALIST,
    name: 'emotional',
    budgetMs: 30_000,
    direction: 'people and intuition',
    role: 'Say how those concerned are likely to feel and react, what they value and fear, and what a first intuition says. Feelings need no justification, but name whose they are.',
  },
  {
    ...SPECIALIST,
    name: 'critical',
    budgetMs: 120_000,
    direction: 'risks and errors',
    role: 'Look for what is wrong: faulty logic, hidden assumptions, risks, counterexamples, edge cases, costs. Say how serious each is and what would show it.',
  },
  {
    ...SPECIALIST,
    name: 'optimistic',
    budgetMs: 120_000,
    direction: 'value and opportunity',
    role: 'Look for what is right: benefits, strengths, chances, and the conditions under which this works best. Every claim needs its reason.',
  },
  {
    ...SPECIALIST,
    name: 'creative',
    budgetMs: 240_000,
    direction: 'alternatives',
    role: 'Offer other ways: reframe the question, combine ideas, drop a constraint, borrow from another field. Give a few that differ in kind, each concrete enough to try.',
  },
  {
    ...SPECIALIST,
    name: 'metacognitive',
    budgetMs: 90_000,
    direction: 'the thinking itself',
    role: 'Look at how the problem is being thought about: is it the right question, is the approach sound, which bias is at work, what should be examined next, and when is it enough?',
  },
]

/** Frames the question and directs the specialists. */
export const INITIAL_SYNTHESIS: Agent = {
  name: 'initial synthesis',
  tier: 'enhanced',
  budgetMs: 60_000,
  maxTokens: 8_000,
}

/** Makes one answer of all that arrived. */
export const FINAL_SYNTHESIS: Agent = {
  name: 'final synthesis',
  tier: 'enhanced',
  budgetMs: 60_000,
  maxTokens: 16_000,
}

/** Rates the thought; runs beside the first synthesis and steers nothing. */
export const COMPLEXITY_ANALYSIS: Agent = {
  name: 'complexity analysis',
  tier: 'standard',
  budgetMs: 30_000,
  maxTokens: 4_000,
}

/** Condenses the earliest thoughts of a long chain. */
export const SUMMARY: Agent = { name: 'summary', tier: 'standard', budgetMs: 20_000, maxTokens: 8_000 }

/** Model calls that one thought takes. */
export const CALLS_PER_THOUGHT = SPECIALISTS.length + 3
