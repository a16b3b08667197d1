import { LLMock } from '@copilotkit/aimock'
import { describe, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import { PATIENT, type Reply, startFakeModel } from '../agents/fake-model.ts'
import { RATING, SPECIALIST_NAMES } from '../agents/fake-provider.ts'
import { stepArguments } from '../tools/desk.ts'
import { type Message, ServerProcess } from './server-process.ts'

const SECRET = 'sk-secret-0123456789'
const EXA_SECRET = 'exa-secret-0123456789'
const LEAK = 'leaked words of the provider'
const THOUGHT = 'xylophone question'

type Environment = Record<string, string>

function startServer(url: string, env: Environment = {}) {
  return new ServerProcess({
    args: ['--agents', '--log-level', 'trace'],
    env: { LLM_PROVIDER: 'groq', GROQ_API_KEY: SECRET, GROQ_BASE_URL: `${url}/v1`, EXA_API_KEY: '', ...env },
  })
}

function callOf(others: Record<string, unknown> = {}, meta?: object) {
  return {
    name: 'sequentialthinking',
    arguments: stepArguments(1, { thought: THOUGHT, ...others }),
    ...(meta && { _meta: meta }),
  }
}

function progressOf({ stdout }: ServerProcess): string[] {
  const schema = z.object({
    method: z.literal('notifications/progress'),
    params: z.object({ progressToken: z.literal('t'), total: z.literal(9), message: z.string() }),
  })
  return stdout.split('\n').flatMap((line) => {
    const parsed = schema.safeParse(JSON.parse(line || '{}'))
    return parsed.success ? [parsed.data.params.message] : []
  })
}

function resultOf({ result }: Message) {
  return result?.structuredContent ?? {}
}

/** A mock provider with a fixture for each agent, `others` first. */
async function startMock(others: Parameters<LLMock['addFixture']>[0][] = []) {
  const mock = new LLMock({ port: 0, logLevel: 'silent' })
  const say = (systemMessage: string, content: string) => ({
    match: { systemMessage },
    response: { content },
  })
  mock.addFixtures([
    ...others,
    say('You rate how complex', RATING),
    say(
      'You are the initial synthesis',
      `Framed. ${SPECIALIST_NAMES.map((name) => `\n${name}: look there`).join('')}`,
    ),
    ...SPECIALIST_NAMES.map((name) => say(`You are the ${name} specialist`, `The ${name} finding.`)),
    say('You are the final synthesis', 'The answer of all.'),
  ])
  await mock.start()
  onTestFinished(() => mock.stop())
  const systems = () =>
    mock.getRequests().map(({ body }) => JSON.stringify(body).match(/You (?:are the|rate how) (\w+)/)?.[1])
  return { mock, systems }
}

describe('against a mock provider', () => {
  test('a thought goes through nine calls and comes back as one answer', async () => {
    const { mock, systems } = await startMock()
    const server = startServer(mock.url)
    await server.initialize()
    const { result } = await server.request('tools/list')
    expect(result).toMatchObject({ tools: [{}, {}, { name: 'sequentialthinking' }] })
    const answer = await server.request('tools/call', callOf({}, { progressToken: 't' }))
    expect(resultOf(answer)).toMatchObject({
      answer: 'The answer of all.',
      should_continue: true,
      missing_perspectives: [],
      complexity: { score: 42 },
    })
    expect(answer.result).toMatchObject({
      content: [{ text: expect.stringMatching(/^The answer of all\.\n\n\{/) }],
    })
    expect(systems().sort()).toEqual(['complex', 'final', 'initial', ...SPECIALIST_NAMES].sort())
    expect(mock.getRequests().at(-1)?.body).toMatchObject({
      model: 'openai/gpt-oss-120b',
      messages: [{}, { content: expect.stringContaining('The metacognitive finding.') }],
    })
    const progress = progressOf(server)
    expect(progress).toHaveLength(9)
    expect(progress.at(-1)).toMatch(/^9 of 9: final synthesis, \d+\.\d s$/)
    expect(await server.end()).toEqual({ code: 0, signal: null })
  })

  test('on 2026-07-28 too, with progress', async () => {
    const { mock } = await startMock()
    const server = startServer(mock.url)
    const { name, arguments: args } = callOf()
    const answer = await server.modernRequest('tools/call', { name, arguments: args }, { progressToken: 't' })
    expect(resultOf(answer)).toMatchObject({ answer: 'The answer of all.' })
    expect(progressOf(server)).toHaveLength(9)
  })

  test.each(SPECIALIST_NAMES)('an error of one agent costs its perspective only: %s', async (name) => {
    const { mock } = await startMock([
      {
        match: { systemMessage: `You are the ${name} specialist` },
        response: { status: 400, error: { message: LEAK } },
      },
    ])
    const server = startServer(mock.url)
    await server.initialize()
    const result = resultOf(await server.request('tools/call', callOf()))
    expect(result).toMatchObject({ answer: 'The answer of all.', missing_perspectives: [{ agent: name }] })
    expect(server.stdout + server.stderr).not.toContain(LEAK)
  })

  test('a model words the summary', async () => {
    const { mock } = await startMock([
      {
        match: { systemMessage: 'You condense the earliest' },
        response: { content: 'In the words of a model' },
      },
    ])
    const server = new ServerProcess({
      args: ['--summarizer', 'llm', '--max-chain-length', '11'],
      env: { LLM_PROVIDER: 'groq', GROQ_API_KEY: SECRET, GROQ_BASE_URL: `${mock.url}/v1` },
    })
    await server.initialize()
    expect((await server.request('tools/list')).result).toMatchObject({ tools: { length: 2 } })
    for (let number = 1; number < 12; number++) await server.think(number)
    const { result } = await server.think(12)
    expect(result).toMatchObject({ thinkingHistory: [{ thought: 'In the words of a model' }, {}, {}] })
  })
})

describe('against a provider that misbehaves', () => {
  test('the six specialists are asked at once', async () => {
    const asked = new Set<string>()
    let release = () => {}
    const allAsked = new Promise<void>((resolve) => {
      release = resolve
    })
    const fake = await startFakeModel(async ({ agent }) => {
      if (!SPECIALIST_NAMES.includes(agent)) return { text: `Said by ${agent}.` }
      if (asked.add(agent).size === SPECIALIST_NAMES.length) release()
      // No specialist is answered before the last one has asked.
      await allAsked
      return { text: `Said by ${agent}.` }
    })
    const server = startServer(fake.url)
    await server.initialize()
    expect(resultOf(await server.request('tools/call', callOf()))).toMatchObject({ missing_perspectives: [] })
  })

  test('an agent that hangs is cut off by the deadline', async () => {
    const fake = await startFakeModel(({ agent }) =>
      agent === 'creative' ? 'hang' : { text: `Said by ${agent}.` },
    )
    const server = startServer(fake.url, { SEQTHINK_AGENTS_DEADLINE: '4' })
    await server.initialize()
    expect(resultOf(await server.request('tools/call', callOf()))).toMatchObject({
      answer: 'Said by final.',
      missing_perspectives: [
        { agent: 'creative', reason: expect.stringContaining('SEQTHINK_AGENTS_DEADLINE') },
      ],
    })
    expect(fake.aborted).toBe(1)
  })

  test('neither keys nor words of the provider reach an answer or the log', async () => {
    const failures: Record<string, Reply> = {
      factual: { status: 401, body: `{"error":{"message":"${LEAK} ${SECRET}"}}` },
      emotional: { status: 404, body: LEAK },
      critical: { status: 200, body: `<html>${LEAK}</html>` },
      optimistic: { status: 429, headers: { 'retry-after-ms': '1' }, body: LEAK },
      creative: { text: '' },
    }
    const fake = await startFakeModel(({ agent }) => failures[agent] ?? { text: `Said by ${agent}.` })
    const server = startServer(fake.url, { EXA_API_KEY: EXA_SECRET, EXA_BASE_URL: fake.url })
    await server.initialize()
    const { missing_perspectives } = resultOf(await server.request('tools/call', callOf()))
    expect(missing_perspectives).toMatchObject([
      { reason: expect.stringContaining('GROQ_API_KEY') },
      { reason: expect.stringContaining('GROQ_STANDARD_MODEL_ID') },
      { agent: 'critical' },
      { reason: expect.stringContaining('rate limit') },
      { agent: 'creative' },
    ])
    await server.end()
    for (const text of [SECRET, EXA_SECRET, LEAK]) expect(server.stdout + server.stderr).not.toContain(text)
    expect(server.stderr).not.toContain(THOUGHT)
    expect(server.stderr).toContain('"tool":"sequentialthinking"')
  })

  test('all agents failing is an error that asks for a retry, and nothing is recorded', async () => {
    const fake = await startFakeModel(() => ({ status: 401, body: LEAK }))
    const server = startServer(fake.url)
    await server.initialize()
    const { result } = await server.request('tools/call', callOf())
    expect(result).toMatchObject({
      isError: true,
      _meta: { stop_reason: 'retry', 'seqthink/code': 'agents_failed' },
    })
    expect(result).not.toHaveProperty('structuredContent')
    const listed = await server.request('tools/call', { name: 'get_thinking', arguments: {} })
    expect(resultOf(listed)).toEqual({ sessions: [] })
  })

  test('a cancelled call aborts every request in flight', async () => {
    const fake = await startFakeModel(({ agent }) =>
      SPECIALIST_NAMES.includes(agent) ? 'hang' : { text: 'Said.' },
    )
    const server = startServer(fake.url)
    await server.initialize()
    server.send({ id: 70, method: 'tools/call', params: callOf() })
    await expect.poll(() => fake.requests.length, PATIENT).toBe(8)
    server.send({ method: 'notifications/cancelled', params: { requestId: 70 } })
    await expect.poll(() => fake.aborted, PATIENT).toBe(6)
    const listed = await server.request('tools/call', { name: 'get_thinking', arguments: {} })
    expect(resultOf(listed)).toEqual({ sessions: [] })
    expect(server.messages.some(({ id }) => id === 70)).toBe(false)
  })

  test.skipIf(process.platform === 'win32')(
    'SIGTERM aborts every request and answers the call with an error',
    async () => {
      const fake = await startFakeModel(({ agent }) => (agent === 'creative' ? 'hang' : { text: 'Said.' }))
      const server = startServer(fake.url)
      await server.initialize()
      server.send({ id: 70, method: 'tools/call', params: callOf() })
      await expect.poll(() => fake.requests.length, PATIENT).toBe(8)
      server.child.kill('SIGTERM')
      expect(await server.exit).toEqual({ code: 0, signal: null })
      expect((await server.answerTo(70)).result).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('shutting down') }],
      })
      expect(fake.aborted).toBe(1)
    },
  )
})

describe('at start', () => {
  test.each<[string, Environment]>([
    ['DEEPSEEK_API_KEY', { LLM_PROVIDER: '', DEEPSEEK_API_KEY: '' }],
    ['LLM_PROVIDER', { LLM_PROVIDER: 'acme' }],
    ['OLLAMA_BASE_URL', { LLM_PROVIDER: 'ollama', OLLAMA_BASE_URL: 'nowhere' }],
    ['EXA_BASE_URL', { LLM_PROVIDER: 'ollama', EXA_API_KEY: EXA_SECRET, EXA_BASE_URL: 'nowhere' }],
  ])('what is wrong with %s is said in one line, with exit code 2', async (variable, env) => {
    const server = new ServerProcess({ args: ['--agents'], env })
    expect(await server.exit).toEqual({ code: 2, signal: null })
    expect(server.stderr).toMatch(new RegExp(`^seqthink-mcp: [^\\n]*${variable}[^\\n]*\\n$`))
    expect(server.stderr + server.stdout).not.toContain(EXA_SECRET)
  })

  test('without the flag the tool does not exist, whatever the provider variables say', async () => {
    const server = new ServerProcess({ env: { LLM_PROVIDER: 'acme', SEQTHINK_AGENTS: '0' } })
    await server.initialize()
    expect((await server.request('tools/list')).result).toMatchObject({ tools: { length: 2 } })
  })

  test('SEQTHINK_AGENTS=1 is as good as the flag', async () => {
    const server = new ServerProcess({
      env: { LLM_PROVIDER: 'ollama', EXA_API_KEY: '', SEQTHINK_AGENTS: '1' },
    })
    await server.initialize()
    expect((await server.request('tools/list')).result).toMatchObject({ tools: { length: 3 } })
  })
})
