import { type Complexity, estimateComplexity, parseComplexity } from './complexity.ts'
import { type Budget, createDeadline, runWithin } from './deadline.ts'
import { createFence, createPrompts, type Perspective, type Task } from './prompts.ts'
import type { Prompt, Provider, Tier } from './provider.ts'
import { describeFailure, type ProviderConfig } from './providers.ts'
import { createSearch, type ResearchConfig, type Search, type Source } from './research.ts'
import {
  type Agent,
  CALLS_PER_THOUGHT,
  COMPLEXITY_ANALYSIS,
  FINAL_SYNTHESIS,
  INITIAL_SYNTHESIS,
  SPECIALISTS,
  type Specialist,
} from './specialists.ts'
import { joinPerspectives, withSources } from './synthesis.ts'

/** An agent that gave nothing to the answer, and why, in plain words. */
export interface MissingPerspective {
  readonly agent: string
  readonly reason: string
}

/** What the agents made of a thought. */
export interface Thinking {
  readonly answer: string
  readonly missing: readonly MissingPerspective[]
  readonly complexity: Complexity
}

/** Why there is no answer: no specialist has given anything. */
export interface NoThinking {
  readonly allFailed: readonly MissingPerspective[]
}

export interface WorkflowOptions {
  readonly provider: Provider
  readonly config: ProviderConfig
  readonly research: ResearchConfig | undefined
  /** Time for everything, in milliseconds. */
  readonly deadlineMs: number
  readonly signal: AbortSignal
  /** Told as each agent ends: how many have, of how many, and which one after how long. */
  readonly onAgentEnd: (ended: number, total: number, message: string) => void
  /** {@link SPECIALISTS} unless a test has its own. */
  readonly specialists?: readonly Specialist[]
}

type Said = { readonly text: string } | { readonly reason: string }

/**
 * Sends a thought through the agents: an initial synthesis, the specialists side by side, a final synthesis. An
 * agent that fails or runs out of time costs its own part only.
 *
 * @throws only what `signal` was aborted with
 */
export async function thinkWithAgents(task: Task, options: WorkflowOptions): Promise<Thinking | NoThinking> {
  const { provider, config, research, deadlineMs, signal, onAgentEnd, specialists = SPECIALISTS } = options
  const deadline = createDeadline(deadlineMs, FINAL_SYNTHESIS.budgetMs)
  const fence = createFence()
  const prompts = createPrompts(task, fence)
  const sources = new Map<string, Source>()
  const missing: MissingPerspective[] = []
  let ended = 0

  async function ask(
    agent: Agent,
    prompt: Prompt,
    budget: Budget,
    { search, stop = signal }: { search?: Search | undefined; stop?: AbortSignal } = {},
  ): Promise<Said> {
    const startedMs = performance.now()
    const { tier, maxTokens } = agent
    const generated = await runWithin(budget.ms, stop, (own) =>
      provider.generate(prompt, { tier, maxTokens, signal: own, search }),
    )
    const said = toSaid(generated, tier, budget)
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
    onAgentEnd(
      ++ended,
      CALLS_PER_THOUGHT,
      `${ended} of ${CALLS_PER_THOUGHT}: ${agent.name}${'text' in said ? '' : ' failed'}, ${seconds} s`,
    )
    return said
  }

  function toSaid(
    generated: Awaited<ReturnType<Provider['generate']>> | undefined,
    tier: Tier,
    budget: Budget,
  ): Said {
    if (generated === undefined) return { reason: ranOut(budget) }
    if ('failure' in generated) return { reason: describeFailure(generated.failure, tier, config) }
    return generated
  }

  /** What an agent said; where it said nothing, that is noted. */
  function textOf({ name }: Agent, said: Said): string | undefined {
    if ('text' in said) return said.text
    missing.push({ agent: name, reason: said.reason })
    return undefined
  }

  const lateComplexity = new AbortController()
  const complexity = ask(
    COMPLEXITY_ANALYSIS,
    prompts.complexity(),
    deadline.clip(COMPLEXITY_ANALYSIS.budgetMs),
    {
      stop: AbortSignal.any([signal, lateComplexity.signal]),
    },
  ).then(
    (said) => ('text' in said ? parseComplexity(said.text) : undefined),
    () => undefined,
  )

  try {
    const first = await ask(
      INITIAL_SYNTHESIS,
      prompts.initial(),
      deadline.clipFirst(INITIAL_SYNTHESIS.budgetMs),
    )
    const plan = textOf(INITIAL_SYNTHESIS, first)

    const findings = await Promise.all(
      specialists.map((specialist) =>
        ask(
          specialist,
          prompts.specialist(specialist, plan, research !== undefined),
          deadline.clip(specialist.budgetMs),
          { search: research && createSearch(research, sources, fence.fence) },
        ),
      ),
    )
    const perspectives = specialists.flatMap((specialist, i): Perspective[] => {
      const said = findings[i]
      const text = said && textOf(specialist, said)
      return text === undefined ? [] : [{ name: specialist.name, text }]
    })
    if (perspectives.length === 0) return { allFailed: missing }

    const last = await ask(
      FINAL_SYNTHESIS,
      prompts.final(plan, perspectives),
      deadline.clipLast(FINAL_SYNTHESIS.budgetMs),
    )
    const answer = textOf(FINAL_SYNTHESIS, last) ?? joinPerspectives(perspectives)
    // Its rating is worth no waiting: it runs beside the others and costs no time.
    lateComplexity.abort()
    return {
      answer: withSources(answer, perspectives, sources),
      missing,
      complexity: (await complexity) ?? estimateComplexity(task.thought),
    }
  } finally {
    lateComplexity.abort()
  }
}

function ranOut({ ms, isClipped }: Budget): string {
  const seconds = Number((ms / 1000).toFixed(1))
  return isClipped
    ? `it was cut off after ${seconds} s by the overall deadline (SEQTHINK_AGENTS_DEADLINE)`
    : `it ran out of its time of ${seconds} s`
}
