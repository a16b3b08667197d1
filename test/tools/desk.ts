import { DEFAULT_BUDGETS } from '../../src/engine/history.ts'
import { DEFAULT_LIMITS } from '../../src/engine/limits.ts'
import { createMemoryStore } from '../../src/sessions/memory-store.ts'
import { createOpenChains } from '../../src/sessions/open-chains.ts'
import { createGetThinkingTool } from '../../src/tools/get-thinking.ts'
import { createSequentialThinkingTool } from '../../src/tools/sequential-thinking.ts'
import type { Caller } from '../../src/tools/tool.ts'

type Arguments = Record<string, unknown>

const MAX_SESSIONS = 1000
const OPTIONS = { limits: DEFAULT_LIMITS, budgets: DEFAULT_BUDGETS, maxSessions: MAX_SESSIONS }

/** The two tools over one store, as callers of either era meet them. */
export function createDesk(options: Partial<typeof OPTIONS> = {}) {
  const settings = { ...OPTIONS, ...options }
  const sessions = createMemoryStore(settings)
  const sequentialThinking = createSequentialThinkingTool(settings)
  const getThinking = createGetThinkingTool()

  function callerOf(owner: string, era: 'legacy' | 'modern', maySeeList = true) {
    const openChains = era === 'legacy' ? createOpenChains(settings) : undefined
    const caller: Caller = { owner, maySeeList, openChains }
    return {
      think: async (args: unknown) => (await sequentialThinking.handle(args, { sessions, caller })).result,
      read: async (args: unknown) => (await getThinking.handle(args, { sessions, caller })).result,
    }
  }

  return { sessions, sequentialThinking, getThinking, callerOf, ...callerOf('me', 'modern') }
}

/** The arguments of a step as a careful caller sends them. */
export function stepArguments(thoughtNumber: number, others: Arguments = {}): Arguments {
  return {
    thought: `Idea ${thoughtNumber}`,
    thoughtNumber,
    totalThoughts: 9,
    nextThoughtNeeded: true,
    ...others,
  }
}
