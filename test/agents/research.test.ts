import { describe, expect, test } from 'vitest'
import { createAiSdkProvider } from '../../src/agents/ai-sdk-provider.ts'
import { createSearch, type Source } from '../../src/agents/research.ts'
import { thinkWithAgents } from '../../src/agents/workflow.ts'
import { PATIENT, type Reply, startFakeModel } from './fake-model.ts'
import { FAKE_CONFIG } from './fake-provider.ts'

const SECRET = 'exa-secret-0123456789'

const PAGES = {
  results: [
    { url: 'https://example.org/a', title: 'Page\nA', highlights: ['Water boils at 100 °C.'], score: 1 },
    { url: 'https://example.org/b', title: null, highlights: null },
  ],
}

async function searchFake(reply: Reply, signal = new AbortController().signal) {
  const fake = await startFakeModel(() => reply)
  const sources = new Map<string, Source>()
  const search = createSearch(
    { apiKey: SECRET, baseUrl: fake.url },
    sources,
    (label, text) => `<${label}>${text}</>`,
  )
  return { fake, sources, search: (query = 'boiling') => search(query, signal) }
}

describe('a search', () => {
  test('asks Exa as its API documents it and marks what it finds as data', async () => {
    const { fake, sources, search } = await searchFake({ status: 200, body: JSON.stringify(PAGES) })
    expect(await search()).toBe(
      '<web pages>Page A\nhttps://example.org/a\nWater boils at 100 °C.\n\nhttps://example.org/b\nhttps://example.org/b\n</>',
    )
    expect(fake.requests).toMatchObject([
      {
        path: '/search',
        headers: { 'x-api-key': SECRET, 'content-type': 'application/json' },
        body: { query: 'boiling', numResults: 5, contents: { highlights: { maxCharacters: 1000 } } },
      },
    ])
    expect([...sources.values()]).toEqual([
      { url: 'https://example.org/a', title: 'Page A' },
      { url: 'https://example.org/b', title: 'https://example.org/b' },
    ])
  })

  test('is made at most three times', async () => {
    const { fake, search } = await searchFake({ status: 200, body: '{"results":[]}' })
    const said = [await search(), await search(), await search(), await search()]
    expect(said[2]).toBe('The search found nothing.')
    expect(said[3]).toContain('No search is left')
    expect(fake.requests).toHaveLength(3)
  })

  test.each<[string, Reply]>([
    ['an error', { status: 500, body: 'leak' }],
    ['HTML', { status: 200, body: '<html>leak' }],
    ['another shape', { status: 200, body: '{"results":[{"url":"javascript:leak"}]}' }],
    ['a broken connection', 'reset'],
  ])('that fails tells the agent so and nothing else: %s', async (_, reply) => {
    const { sources, search } = await searchFake(reply)
    expect(await search()).toMatch(/^The search failed\. /)
    expect(sources.size).toBe(0)
  })

  test('ends with its signal', async () => {
    const controller = new AbortController()
    const { fake, search } = await searchFake('hang', controller.signal)
    const ended = expect(search()).rejects.toThrow('enough')
    await expect.poll(() => fake.requests.length, PATIENT).toBe(1)
    controller.abort(new Error('enough'))
    await ended
  })
})

test.each(['openai-compatible', 'anthropic'] as const)(
  'an agent that searches over the API of %s answers with what was found',
  async (api) => {
    const exa = await startFakeModel(() => ({ status: 200, body: JSON.stringify(PAGES) }))
    const model = await startFakeModel(({ agent, earlier }) =>
      agent === 'factual' && earlier === 0
        ? { call: { name: 'web_search', arguments: { query: 'boiling point' } } }
        : { text: agent === 'final' ? 'It boils at 100 °C.' : `Said by ${agent}.` },
    )
    const thinking = await thinkWithAgents(
      { question: 'When?', thought: 'When?', position: 'thought 1 of 1', chain: '' },
      {
        provider: createAiSdkProvider({ ...FAKE_CONFIG, api, baseUrl: model.url }),
        config: FAKE_CONFIG,
        research: { apiKey: SECRET, baseUrl: exa.url },
        deadlineMs: 60_000,
        signal: new AbortController().signal,
        onAgentEnd: () => {},
      },
    )
    expect(thinking).toMatchObject({
      missing: [],
      answer:
        'It boils at 100 °C.\n\nSources:\n- Page A: https://example.org/a\n- https://example.org/b: https://example.org/b',
    })
    expect(exa.requests).toMatchObject([{ body: { query: 'boiling point' } }])
    const again = model.requestsOf('factual')[1]
    expect(JSON.stringify(again?.body)).toMatch(/<material-[0-9a-f]{12} label=\\*"web pages\\*">/)
    const tools = model.requests.filter(({ body }) => 'tools' in body).map(({ agent }) => agent)
    expect(new Set(tools)).toEqual(
      new Set(['factual', 'emotional', 'critical', 'optimistic', 'creative', 'metacognitive']),
    )
  },
)

test('an agent that never stops searching is cut off after three searches', async () => {
  const exa = await startFakeModel(() => ({ status: 200, body: JSON.stringify(PAGES) }))
  const model = await startFakeModel(({ agent }) =>
    agent === 'critical'
      ? { call: { name: 'web_search', arguments: { query: 'more' } } }
      : { text: `Said by ${agent}.` },
  )
  const thinking = await thinkWithAgents(
    { question: 'When?', thought: 'When?', position: 'thought 1 of 1', chain: '' },
    {
      provider: createAiSdkProvider({ ...FAKE_CONFIG, baseUrl: model.url }),
      config: FAKE_CONFIG,
      research: { apiKey: SECRET, baseUrl: exa.url },
      deadlineMs: 60_000,
      signal: new AbortController().signal,
      onAgentEnd: () => {},
    },
  )
  expect(exa.requests).toHaveLength(3)
  expect(thinking).toMatchObject({ missing: [{ agent: 'critical', reason: 'the model answered nothing' }] })
})
