import type { Config } from '../config.ts'
import type { Summarizer } from '../tools/record-thought.ts'
import { createSpecialistThinkingTool } from '../tools/sequentialthinking.ts'
import type { Tool } from '../tools/tool.ts'
import type { Environment } from './environment.ts'
import { readProvider } from './providers.ts'
import { readResearch } from './research.ts'
import { createModelSummarizer } from './summary.ts'

/** What the server has beyond its core when it may call models. */
export interface Agents {
  readonly moreTools: readonly Tool[]
  readonly summarize: Summarizer | undefined
}

/**
 * Sets up what calls models, as the configuration asks. The AI SDK itself is loaded by the first call.
 *
 * @param shutdown aborts when the server stops
 * @returns what is wrong with the variables of the provider, in one line, where they cannot be used
 */
export function startAgents(
  { agents, agentsDeadline, limits, summarizer, maxSessions }: Config,
  environment: Environment,
  shutdown: AbortSignal,
): Agents | { problem: string } {
  const config = readProvider(environment)
  if ('problem' in config) return config
  const research = agents ? readResearch(environment) : undefined
  if (research !== undefined && 'problem' in research) return research
  const load = async () => (await import('./ai-sdk-provider.ts')).createAiSdkProvider(config)
  const summarize = summarizer === 'llm' ? createModelSummarizer(load, shutdown) : undefined
  const options = { limits, maxSessions, summarize, config, research, load, shutdown }
  return {
    moreTools: agents
      ? [createSpecialistThinkingTool({ ...options, deadlineMs: agentsDeadline * 1000 })]
      : [],
    summarize,
  }
}
