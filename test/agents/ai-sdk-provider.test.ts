import { describe, expect, test } from 'vitest'
import { createAiSdkProvider } from '../../src/agents/ai-sdk-provider.ts'
import type { Environment } from '../../src/agents/environment.ts'
import { PROVIDERS, type ProviderConfig, readProvider } from '../../src/agents/providers.ts'
import { PATIENT, type Reply, startFakeModel } from './fake-model.ts'

const PROMPT = { system: 'You are the factual specialist.', text: 'Why?' }
const SECRET = 'sk-secret-0123456789'
const LEAK = 'leaked words of the provider'

function configOf(environment: Environment): ProviderConfig {
  const config = readProvider(environment)
  if ('problem' in config) throw new Error(config.problem)
  return config
}

async function askFake(replies: readonly Reply[], signal = new AbortController().signal) {
  const fake = await startFakeModel(({ earlier }) => replies[earlier] ?? 'hang')
  const provider = createAiSdkProvider(
    configOf({ LLM_PROVIDER: 'groq', GROQ_API_KEY: SECRET, GROQ_BASE_URL: `${fake.url}/v1` }),
  )
  const generated = provider.generate(PROMPT, { tier: 'standard', maxTokens: 100, signal })
  return { fake, generated }
}

describe('each provider is asked as its API documents it', () => {
  const environments: Record<string, Environment> = {
    deepseek: { DEEPSEEK_API_KEY: SECRET },
    groq: { GROQ_API_KEY: SECRET },
    openrouter: { OPENROUTER_API_KEY: SECRET },
    anthropic: { ANTHROPIC_API_KEY: SECRET },
    ollama: {},
    github: { GITHUB_TOKEN: SECRET },
    'openai-compatible': {
      OPENAI_COMPATIBLE_API_KEY: SECRET,
      OPENAI_COMPATIBLE_ENHANCED_MODEL_ID: 'big',
      OPENAI_COMPATIBLE_STANDARD_MODEL_ID: 'small',
    },
  }

  test('and none is left out', () => {
    expect(Object.keys(environments)).toEqual(Object.keys(PROVIDERS))
  })

  test.each(Object.entries(environments))('%s', async (name, environment) => {
    const fake = await startFakeModel(() => ({ text: 'Because.' }))
    const variable = `${name.toUpperCase().replaceAll('-', '_')}_BASE_URL`
    const config = configOf({ ...environment, LLM_PROVIDER: name, [variable]: `${fake.url}/base/` })
    const provider = createAiSdkProvider(config)
    const { signal } = new AbortController()
    for (const tier of ['enhanced', 'standard'] as const) {
      expect(await provider.generate(PROMPT, { tier, maxTokens: 100, signal })).toEqual({ text: 'Because.' })
    }
    expect(fake.requests.map(({ model }) => model)).toEqual([config.models.enhanced, config.models.standard])
    const [request] = fake.requests
    if (name === 'anthropic') {
      expect(request).toMatchObject({ path: '/base/messages', body: { max_tokens: 100 } })
      expect(request?.headers).toMatchObject({ 'x-api-key': SECRET, 'anthropic-version': '2023-06-01' })
    } else {
      expect(request?.path).toBe('/base/chat/completions')
      expect(request?.headers.authorization).toBe(name === 'ollama' ? undefined : `Bearer ${SECRET}`)
      expect(request?.body).toMatchObject({
        max_tokens: 100,
        messages: [
          { role: 'system', content: PROMPT.system },
          { role: 'user', content: PROMPT.text },
        ],
      })
    }
  })
})

describe('a provider that fails', () => {
  const busy = { status: 429, headers: { 'retry-after-ms': '1' }, body: `{"error":{"message":"${LEAK}"}}` }
  const broken = { ...busy, status: 503 }

  test.each([
    ['is asked again after 429', busy],
    ['is asked again after 503', broken],
  ])('%s', async (_, failure) => {
    const { fake, generated } = await askFake([failure, { text: 'Because.' }])
    expect(await generated).toEqual({ text: 'Because.' })
    expect(fake.requests).toHaveLength(2)
  })

  test.each<[string, readonly Reply[], object]>([
    ['a rate limit that stays', [busy, busy, busy], { kind: 'rate-limited', status: 429 }],
    ['errors that stay', [broken, broken, broken], { kind: 'failing', status: 503 }],
    ['401', [{ status: 401, body: LEAK }], { kind: 'key-refused', status: 401 }],
    ['404', [{ status: 404, body: LEAK }], { kind: 'model-not-found', status: 404 }],
    ['410', [{ status: 410, body: LEAK }], { kind: 'model-not-found', status: 410 }],
    ['400', [{ status: 400, body: LEAK }], { kind: 'refused', status: 400 }],
    ['HTML with status 200', [{ status: 200, body: `<html>${LEAK}</html>` }], { kind: 'unreadable' }],
    ['JSON of another shape', [{ status: 200, body: '{"ok":true}' }], { kind: 'unreadable' }],
    ['an empty answer', [{ text: '' }], { kind: 'empty' }],
    ['an answer of nothing but signs', [{ text: ' … ?!\n' }], { kind: 'empty' }],
    ['an answer of nothing but thoughts', [{ text: '<think>Hm.</think>' }], { kind: 'empty' }],
  ])('says what failed and nothing of the words: %s', async (_, replies, failure) => {
    const { fake, generated } = await askFake(replies)
    expect(await generated).toEqual({ failure })
    expect(fake.requests).toHaveLength(replies.length)
  })

  test('by breaking the connection is asked again', async () => {
    const { generated } = await askFake(['reset', { text: 'Because.' }])
    expect(await generated).toEqual({ text: 'Because.' })
  })

  test('is let go when the signal aborts', async () => {
    const controller = new AbortController()
    const { fake, generated } = await askFake(['hang'], controller.signal)
    await expect.poll(() => fake.requests.length, PATIENT).toBe(1)
    controller.abort(new Error('enough'))
    await expect(generated).rejects.toThrow('enough')
    await expect.poll(() => fake.aborted, PATIENT).toBe(1)
  })
})

test('what a model thinks aloud is no part of its answer', async () => {
  const { generated } = await askFake([{ text: '<think>Hm.</think>\nBecause.' }])
  expect(await generated).toEqual({ text: 'Because.' })
})
