import { describe, expect, test } from 'vitest'
import { createModelSummarizer } from '../../src/agents/summary.ts'
import { DEFAULT_BUDGETS } from '../../src/engine/history.ts'
import { DEFAULT_LIMITS } from '../../src/engine/limits.ts'
import { createMemoryStore } from '../../src/sessions/memory-store.ts'
import { createSequentialThinkingTool } from '../../src/tools/sequential-thinking.ts'
import { stepArguments } from '../tools/desk.ts'
import { createFakeProvider } from './fake-provider.ts'

const LIMITS = { ...DEFAULT_LIMITS, maxChainLength: 11 }

type Answer = Parameters<typeof createFakeProvider>[0]

/** Records one thought more than a chain keeps and returns what that call saw. */
async function condense(answer: Answer, signal?: AbortSignal) {
  const fake = createFakeProvider(answer)
  const sessions = createMemoryStore({ maxSessions: 9 })
  const tool = createSequentialThinkingTool({
    limits: LIMITS,
    budgets: DEFAULT_BUDGETS,
    maxSessions: 9,
    summarize: createModelSummarizer(async () => fake.provider, new AbortController().signal),
  })
  const caller = { owner: 'me', maySeeList: true, openChains: undefined }
  const think = async (number: number, sessionId?: unknown) =>
    Object(
      (
        await tool.handle(stepArguments(number, { sessionId }), {
          sessions,
          caller,
          ...(signal && { signal }),
        })
      ).result,
    )
  let result = await think(1)
  const { sessionId } = result
  for (let number = 2; number <= 12; number++) result = await think(number, sessionId)
  return { fake, summary: result.thinkingHistory?.[0], think: (number: number) => think(number, sessionId) }
}

const words = (text: string) => (call: { agent: string }) => (call.agent === 'summary' ? text : undefined)

describe('a summary by a model', () => {
  test('replaces the excerpt before the response is built', async () => {
    const { fake, summary } = await condense(words('1 to 10: in the words of a model'))
    expect(summary).toMatchObject({ isSummary: true, thought: '1 to 10: in the words of a model' })
    expect(fake.calls).toMatchObject([{ agent: 'summary', tier: 'standard' }])
    for (let number = 1; number <= 10; number++)
      expect(fake.promptOf('summary')).toContain(`${number}: Idea ${number}\n`)
    expect(fake.promptOf('summary')).not.toContain('Idea 11')
  })

  test('goes into the next one', async () => {
    const { fake, think } = await condense(words('in the words of a model'))
    for (let number = 13; number <= 21; number++) await think(number)
    expect(fake.calls).toHaveLength(2)
    expect(fake.promptOf('summary')).toContain('Earlier summary:\nin the words of a model')
  })

  test('has at most 2000 characters', async () => {
    const { summary } = await condense(words('word '.repeat(900)))
    expect(summary.thought).toHaveLength(2000)
  })

  test('leaves the excerpt where the model fails', async () => {
    const { summary } = await condense(() => ({ failure: 'empty' }))
    expect(summary.thought).toMatch(/^1: Idea 1\n2: Idea 2\n/)
  })

  test('leaves the excerpt where the call is cancelled meanwhile', async () => {
    const controller = new AbortController()
    const { summary } = await condense(() => {
      controller.abort()
      return 'hang'
    }, controller.signal)
    expect(summary.thought).toMatch(/^1: Idea 1\n2: Idea 2\n/)
  })
})
