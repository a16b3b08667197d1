import type { Generated, GenerateOptions, Prompt, Provider } from '../../src/agents/provider.ts'
import { type ProviderConfig, readProvider } from '../../src/agents/providers.ts'
import { agentOf } from './fake-model.ts'

export const SPECIALIST_NAMES = [
  'factual',
  'emotional',
  'critical',
  'optimistic',
  'creative',
  'metacognitive',
]

export const RATING = '{"score": 42, "problem_type": "design", "thinking_modes": ["creative", "critical"]}'

export interface Call extends GenerateOptions {
  readonly agent: string
  readonly prompt: Prompt
}

type Answer = string | { failure: 'empty' } | 'hang' | Promise<string>

/** A provider in memory, whose agents say what `answer` does, or else something of their own. */
export function createFakeProvider(answer: (call: Call) => Answer | undefined = () => undefined) {
  const calls: Call[] = []
  let open = 0
  let mostAtOnce = 0
  const provider: Provider = {
    async generate(prompt, options): Promise<Generated> {
      const call = { ...options, prompt, agent: agentOf(prompt.system) }
      calls.push(call)
      mostAtOnce = Math.max(mostAtOnce, ++open)
      try {
        const said = answer(call) ?? standardAnswer(call)
        if (said === 'hang') await new Promise((_, reject) => onAbort(options.signal, reject))
        else await new Promise(setImmediate)
        if (typeof said === 'object' && 'failure' in said) return { failure: { kind: said.failure } }
        return { text: await said }
      } finally {
        open--
      }
    },
  }
  return {
    provider,
    calls,
    get mostAtOnce() {
      return mostAtOnce
    },
    agents: () => calls.map(({ agent }) => agent),
    promptOf: (agent: string) => calls.filter((call) => call.agent === agent).at(-1)?.prompt.text ?? '',
  }
}

export function standardAnswer({ agent }: { agent: string }): string {
  if (agent === 'complexity') return RATING
  return agent === 'final' ? 'The answer of all.' : `The ${agent} finding.`
}

function onAbort(signal: AbortSignal, reject: (reason: unknown) => void): void {
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
}

export const FAKE_CONFIG: ProviderConfig = configOf()

function configOf(): ProviderConfig {
  const config = readProvider({ DEEPSEEK_API_KEY: 'none' })
  if ('problem' in config) throw new Error(config.problem)
  return config
}
