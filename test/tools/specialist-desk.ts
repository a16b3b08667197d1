import { DEFAULT_BUDGETS } from '../../src/engine/history.ts'
import { DEFAULT_LIMITS, type Limits } from '../../src/engine/limits.ts'
import { createMemoryStore } from '../../src/sessions/memory-store.ts'
import { createOpenChains } from '../../src/sessions/open-chains.ts'
import { createGetThinkingTool } from '../../src/tools/get-thinking.ts'
import { createSequentialThinkingTool } from '../../src/tools/sequential-thinking.ts'
import { createSpecialistThinkingTool } from '../../src/tools/sequentialthinking.ts'
import { type Caller, type ToolContext, ToolFailure } from '../../src/tools/tool.ts'
import { createFakeProvider, FAKE_CONFIG } from '../agents/fake-provider.ts'

type Answer = Parameters<typeof createFakeProvider>[0]

/** The tool with agents in memory, beside the two others, over one store. */
export function createSpecialistDesk(
  answer?: Answer,
  limits: Partial<Limits> = {},
  era: 'legacy' | 'modern' = 'modern',
) {
  const fake = createFakeProvider(answer)
  const options = { limits: { ...DEFAULT_LIMITS, ...limits }, budgets: DEFAULT_BUDGETS, maxSessions: 1000 }
  const sessions = createMemoryStore(options)
  const shutdown = new AbortController()
  const tool = createSpecialistThinkingTool({
    ...options,
    summarize: undefined,
    config: FAKE_CONFIG,
    research: undefined,
    load: async () => fake.provider,
    deadlineMs: 240_000,
    shutdown: shutdown.signal,
  })
  const caller: Caller = {
    owner: 'me',
    maySeeList: true,
    openChains: era === 'legacy' ? createOpenChains(options) : undefined,
  }
  const basic = createSequentialThinkingTool(options)
  const reader = createGetThinkingTool()
  const call = (args: unknown, more: Partial<ToolContext> = {}) =>
    tool.handle(args, { sessions, caller, ...more })
  return {
    fake,
    tool,
    shutdown,
    call,
    ask: async (args: unknown) => (await call(args)).result,
    think: async (args: unknown) => (await basic.handle(args, { sessions, caller })).result,
    read: async (args: unknown) => (await reader.handle(args, { sessions, caller })).result,
  }
}

export async function failureOf(call: Promise<unknown>): Promise<ToolFailure> {
  try {
    await call
  } catch (error) {
    if (error instanceof ToolFailure) return error
    throw error
  }
  throw new Error('the call was done')
}
