import type { Config } from '../config.ts'
import type { SessionFiles } from '../record-files/session-files.ts'
import type { Summarizer } from '../tools/record-thought.ts'
import { createSpecialistThinkingTool } from '../tools/sequentialthinking.ts'
import type { Tool } from '../tools/tool.ts'
import type { Environment } from './environment.ts'
import { readProvider } from './providers.ts'
import { readResearch } from './research.ts'
import { createModelSummarizer } from './summary.ts'

/** What the server has beyond its core when it may call models. */
export interface Agents {
  /** The tools that call models; their chains are written where the others are. */
  createTools(files: SessionFiles | undefined): readonly Tool[]
  readonly summarize: Summarizer | undefined
}

/**
 * Sets up what calls models, as the configuration asks. The AI SDK itself is loaded by the first call.
 *
 * @param shutdown aborts when the server stops
 * @returns what is wrong with the variables of the provider, in one line, where they cannot be used
 */
export function startAgents(
  settings: Config,
  environment: Environment,
  shutdown: AbortSignal,
): Agents | { problem: string } {
  const config = readProvider(environment)
  if ('problem' in config) return config
  const research = settings.agents ? readResearch(environment) : undefined
  if (research !== undefined && 'problem' in research) return research
  const load = async () => (await import('./ai-sdk-provider.ts')).createAiSdkProvider(config)
  const summarize = settings.summarizer === 'llm' ? createModelSummarizer(load, shutdown) : undefined
  const deadlineMs = settings.agentsDeadline * 1000
  return {
    createTools: (files) =>
      settings.agents
        ? [
            createSpecialistThinkingTool({
              ...settings,
              files,
              summarize,
              config,
              research,
              load,
              deadlineMs,
              shutdown,
            }),
          ]
        : [],
    summarize,
  }
}
