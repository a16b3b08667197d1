import { describe, expect, test } from 'vitest'
import type { Environment } from '../../src/agents/environment.ts'
import type { Failure } from '../../src/agents/provider.ts'
import { describeFailure, PROVIDERS, readProvider } from '../../src/agents/providers.ts'
import { readResearch } from '../../src/agents/research.ts'

const SECRET = 'sk-secret-0123456789'

function configOf(environment: Environment) {
  const config = readProvider(environment)
  if ('problem' in config) throw new Error(config.problem)
  return config
}

describe('the variables of a provider', () => {
  test('choose DeepSeek when they name none', () => {
    expect(configOf({ DEEPSEEK_API_KEY: SECRET, LLM_PROVIDER: ' ' })).toMatchObject({
      name: 'deepseek',
      baseUrl: 'https://api.deepseek.com',
      models: { enhanced: 'deepseek-v4-pro', standard: 'deepseek-v4-flash' },
    })
  })

  test.each(Object.keys(PROVIDERS))('set models and address: %s', (name) => {
    const prefix = name.toUpperCase().replaceAll('-', '_')
    const key = PROVIDERS[name]?.key ?? ''
    const config = configOf({
      LLM_PROVIDER: name,
      [key]: ` ${SECRET} `,
      [`${prefix}_ENHANCED_MODEL_ID`]: 'big',
      [`${prefix}_STANDARD_MODEL_ID`]: 'small',
      [`${prefix}_BASE_URL`]: 'http://127.0.0.1:9/x/',
    })
    expect(config).toMatchObject({
      apiKey: SECRET,
      models: { enhanced: 'big', standard: 'small' },
      baseUrl: 'http://127.0.0.1:9/x',
    })
  })

  test('may name one model for both', () => {
    const { models } = configOf({
      LLM_PROVIDER: 'openai-compatible',
      OPENAI_COMPATIBLE_BASE_URL: 'http://127.0.0.1:9',
      OPENAI_COMPATIBLE_STANDARD_MODEL_ID: 'one',
    })
    expect(models).toEqual({ enhanced: 'one', standard: 'one' })
  })

  test.each<[Environment, string]>([
    [{ LLM_PROVIDER: 'acme' }, 'LLM_PROVIDER is "acme"; it must be one of deepseek, groq'],
    [{ LLM_PROVIDER: 'constructor' }, 'LLM_PROVIDER is "constructor"'],
    [{}, 'DEEPSEEK_API_KEY is not set'],
    [{ LLM_PROVIDER: 'github' }, 'GITHUB_TOKEN is not set'],
    [{ LLM_PROVIDER: 'groq', GROQ_API_KEY: 'two words' }, 'GROQ_API_KEY holds characters that no key has'],
    [
      { LLM_PROVIDER: 'ollama', OLLAMA_BASE_URL: 'localhost' },
      'OLLAMA_BASE_URL must be an http or https address',
    ],
    [
      { LLM_PROVIDER: 'ollama', OLLAMA_BASE_URL: `http://me:${SECRET}@x` },
      'without a user name and password',
    ],
    [{ LLM_PROVIDER: 'openai-compatible' }, 'OPENAI_COMPATIBLE_STANDARD_MODEL_ID is not set'],
    [{ LLM_PROVIDER: 'openai-compatible' }, 'OPENAI_COMPATIBLE_BASE_URL is not set'],
  ])('are refused in one line: %j', (environment, problem) => {
    const config = readProvider(environment)
    expect(config).toEqual({ problem: expect.stringContaining(problem) })
    expect(JSON.stringify(config)).not.toMatch(/two words|secret|\\n/)
  })
})

describe('the variables of research', () => {
  test('are optional', () => {
    expect(readResearch({})).toBeUndefined()
    expect(readResearch({ EXA_API_KEY: SECRET })).toEqual({ apiKey: SECRET, baseUrl: 'https://api.exa.ai' })
  })

  test.each([{ EXA_API_KEY: 'two words' }, { EXA_API_KEY: SECRET, EXA_BASE_URL: 'exa' }])(
    'are refused: %j',
    (environment) => {
      expect(readResearch(environment)).toEqual({ problem: expect.stringContaining('EXA_') })
    },
  )
})

describe('a failure', () => {
  const groq = configOf({ LLM_PROVIDER: 'groq', GROQ_API_KEY: SECRET })

  test.each<[Failure, string]>([
    [{ kind: 'model-not-found', status: 404 }, 'set GROQ_STANDARD_MODEL_ID to one that it offers'],
    [{ kind: 'key-refused', status: 401 }, 'refused the key in GROQ_API_KEY'],
    [{ kind: 'rate-limited', status: 429 }, 'rate limit'],
    [{ kind: 'failing', status: 503 }, 'HTTP 503'],
    [{ kind: 'refused', status: 400 }, 'HTTP 400'],
    [{ kind: 'unreachable' }, 'could not be reached'],
    [{ kind: 'unreadable' }, 'could not be read'],
  ])('says what to do: %j', (failure, words) => {
    const reason = describeFailure(failure, 'standard', groq)
    expect(reason).toContain(words)
    expect(reason).not.toContain(SECRET)
  })

  test('of a model names the variable of that model', () => {
    const reason = describeFailure({ kind: 'model-not-found', status: 410 }, 'enhanced', groq)
    expect(reason).toContain('"openai/gpt-oss-120b"')
    expect(reason).toContain('GROQ_ENHANCED_MODEL_ID')
  })

  test('of GitHub Models says that the service was retired', () => {
    const github = configOf({ LLM_PROVIDER: 'github', GITHUB_TOKEN: SECRET })
    const reason = describeFailure({ kind: 'model-not-found', status: 410 }, 'enhanced', github)
    expect(reason).toContain('retired on 2026-07-30')
  })
})
