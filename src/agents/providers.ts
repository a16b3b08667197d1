import { type Environment, keyProblems, readBaseUrl, readVariable } from './environment.ts'
import type { Failure, Tier } from './provider.ts'

/** A provider as the environment configures it. */
export interface ProviderConfig {
  readonly name: string
  readonly api: 'openai-compatible' | 'anthropic'
  readonly baseUrl: string
  readonly apiKey: string | undefined
  readonly models: Readonly<Record<Tier, string>>
  readonly variables: ProviderVariables
  /** What a user should know when the provider knows nothing of the model. */
  readonly retired: string | undefined
}

interface ProviderVariables {
  readonly key: string
  readonly baseUrl: string
  readonly models: Readonly<Record<Tier, string>>
}

interface ProviderDefaults {
  readonly api?: 'anthropic'
  readonly baseUrl?: string
  readonly enhanced?: string
  readonly standard?: string
  readonly key: string
  readonly needsKey: boolean
  readonly retired?: string
}

// Models come and go: each entry says when its names were last looked up, in the provider's documentation or, where
// that names none, in that of others. A name that is gone is answered with the variable to set.
export const PROVIDERS: Readonly<Record<string, ProviderDefaults>> = {
  // Checked 2026-12-01; deepseek-chat and deepseek-reasoner were retired on 2026-07-24.
  deepseek: {
    baseUrl: 'https://api.deepseek.com',
    enhanced: 'deepseek-v4-pro',
    standard: 'deepseek-v4-flash',
    key: 'DEEPSEEK_API_KEY',
    needsKey: true,
  },
  // Checked 2026-12-01.
  groq: {
    baseUrl: 'https://api.groq.com/openai/v1',
    enhanced: 'openai/gpt-oss-120b',
    standard: 'openai/gpt-oss-20b',
    key: 'GROQ_API_KEY',
    needsKey: true,
  },
  // Checked 2026-12-01.
  openrouter: {
    baseUrl: 'https://openrouter.ai/api/v1',
    enhanced: 'deepseek/deepseek-v4-pro',
    standard: 'deepseek/deepseek-v4-flash',
    key: 'OPENROUTER_API_KEY',
    needsKey: true,
  },
  // Checked 2026-12-01; Claude 3.5 was retired in 2025.
  anthropic: {
    api: 'anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    enhanced: 'claude-opus-5-5',
    standard: 'claude-haiku-5-5',
    key: 'ANTHROPIC_API_KEY',
    needsKey: true,
  },
  // Checked 2026-12-01. A model must be pulled before it is used.
  ollama: {
    baseUrl: 'http://localhost:11434/v1',
    enhanced: 'devstral:24b',
    standard: 'devstral:24b',
    key: 'OLLAMA_API_KEY',
    needsKey: false,
  },
  // Checked 2026-12-01: the public service was retired on 2026-07-30 and answers HTTP 410, so these names, its last
  // ones, serve only those who set GITHUB_BASE_URL.
  github: {
    baseUrl: 'https://models.github.ai/inference',
    enhanced: 'openai/gpt-5',
    standard: 'openai/gpt-4.1-mini',
    key: 'GITHUB_TOKEN',
    needsKey: true,
    retired: 'GitHub Models was retired on 2026-07-30, so choose another LLM_PROVIDER',
  },
  // Any other service that speaks the OpenAI chat API. Nothing to check: address and models are the user's.
  'openai-compatible': { key: 'OPENAI_COMPATIBLE_API_KEY', needsKey: false },
}

const DEFAULT_PROVIDER = 'deepseek'

/** @returns the provider, or what is wrong with the variables, in one line that repeats no key */
export function readProvider(environment: Environment): ProviderConfig | { problem: string } {
  const name = readVariable(environment, 'LLM_PROVIDER')?.toLowerCase() ?? DEFAULT_PROVIDER
  const defaults = Object.hasOwn(PROVIDERS, name) ? PROVIDERS[name] : undefined
  if (defaults === undefined) {
    const known = Object.keys(PROVIDERS).join(', ')
    return { problem: `LLM_PROVIDER is ${JSON.stringify(name)}; it must be one of ${known}` }
  }
  const prefix = name.toUpperCase().replaceAll('-', '_')
  const variables = {
    key: defaults.key,
    baseUrl: `${prefix}_BASE_URL`,
    models: { enhanced: `${prefix}_ENHANCED_MODEL_ID`, standard: `${prefix}_STANDARD_MODEL_ID` },
  }
  const enhanced = readVariable(environment, variables.models.enhanced) ?? defaults.enhanced
  const standard = readVariable(environment, variables.models.standard) ?? defaults.standard
  const models = { enhanced: enhanced ?? standard, standard: standard ?? enhanced }
  const apiKey = readVariable(environment, variables.key)
  const baseUrl = readBaseUrl(environment, variables.baseUrl, defaults.baseUrl)
  const problems = [
    ...keyProblems(variables.key, apiKey, defaults.needsKey ? `LLM_PROVIDER ${name}` : undefined),
    ...('problem' in baseUrl ? [baseUrl.problem] : []),
    ...(models.standard === undefined
      ? [`${variables.models.standard} is not set; it must name a model that the provider offers`]
      : []),
  ]
  if ('problem' in baseUrl || models.enhanced === undefined || models.standard === undefined || problems[0])
    return { problem: problems.join('; ') }
  return {
    name,
    api: defaults.api ?? 'openai-compatible',
    baseUrl: baseUrl.url,
    apiKey,
    models: { enhanced: models.enhanced, standard: models.standard },
    variables,
    retired: defaults.retired,
  }
}

/** Why a provider gave no answer and, where a variable can help, which one. */
export function describeFailure(
  failure: Failure,
  tier: Tier,
  { name, models, variables, retired }: ProviderConfig,
): string {
  switch (failure.kind) {
    case 'key-refused':
      return `the provider ${name} refused the key in ${variables.key} (HTTP ${failure.status})`
    case 'model-not-found':
      return `the provider ${name} does not have the model ${JSON.stringify(models[tier])} (HTTP ${failure.status}): set ${variables.models[tier]} to one that it offers${retired === undefined ? '' : `; ${retired}`}`
    case 'rate-limited':
      return `the rate limit of the provider ${name} was reached (HTTP ${failure.status})`
    case 'failing':
      return `the provider ${name} failed (HTTP ${failure.status})`
    case 'refused':
      return `the provider ${name} refused the request (HTTP ${failure.status})`
    case 'unreachable':
      return `the provider ${name} could not be reached`
    case 'unreadable':
      return `the answer of the provider ${name} could not be read`
    case 'empty':
      return 'the model answered nothing'
  }
}
