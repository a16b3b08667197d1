import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import {
  APICallError,
  extractReasoningMiddleware,
  generateText,
  RetryError,
  stepCountIs,
  tool,
  wrapLanguageModel,
} from 'ai'
import * as z from 'zod'
import type { Failure, GenerateOptions, Prompt, Provider } from './provider.ts'
import type { ProviderConfig } from './providers.ts'
import type { Search } from './research.ts'

// This file is a bundle of its own (see scripts/build.ts): it imports nothing but types from the rest of src.

/** Attempts after the first, with 2 and 4 seconds between them unless the provider names a time. */
const MAX_RETRIES = 2

/** Model calls for one answer: three searches, one that learns that no more are left, and the answer. */
const MAX_STEPS_WITH_SEARCH = 5

/** A provider over the AI SDK. */
export function createAiSdkProvider({ name, api, baseUrl, apiKey, models }: ProviderConfig): Provider {
  // The SDK writes its warnings to stdout, which belongs to the protocol.
  globalThis.AI_SDK_LOG_WARNINGS = false
  const modelOf =
    api === 'anthropic'
      ? createAnthropic({ baseURL: baseUrl, apiKey: apiKey ?? '' })
      : createOpenAICompatible({ name, baseURL: baseUrl, ...(apiKey !== undefined && { apiKey }) })

  async function generate(
    { system, text }: Prompt,
    { tier, signal, maxTokens, search }: GenerateOptions,
  ): ReturnType<Provider['generate']> {
    try {
      const answer = await generateText({
        model: wrapLanguageModel({
          model: modelOf(models[tier]),
          // Open models put what they think aloud into the answer itself.
          middleware: extractReasoningMiddleware({ tagName: 'think' }),
        }),
        system,
        prompt: text,
        abortSignal: signal,
        maxOutputTokens: maxTokens,
        maxRetries: MAX_RETRIES,
        ...(search !== undefined && {
          tools: { web_search: webSearch(search, signal) },
          stopWhen: stepCountIs(MAX_STEPS_WITH_SEARCH),
        }),
      })
      const said = answer.text.trim()
      return /[\p{L}\p{N}]/u.test(said) ? { text: said } : { failure: { kind: 'empty' } }
    } catch (error) {
      signal.throwIfAborted()
      return { failure: failureOf(RetryError.isInstance(error) ? error.lastError : error) }
    }
  }

  return { generate }
}

function webSearch(search: Search, signal: AbortSignal) {
  return tool({
    description: 'Search the web. Returns excerpts of pages with their addresses.',
    inputSchema: z.object({ query: z.string().describe('What to look for, in a few words') }),
    execute: ({ query }) => search(query, signal),
  })
}

function failureOf(error: unknown): Failure {
  if (!APICallError.isInstance(error)) return { kind: 'unreadable' }
  const status = error.statusCode
  if (status === undefined) return { kind: 'unreachable' }
  if (status < 400) return { kind: 'unreadable' }
  if (status === 401 || status === 403) return { kind: 'key-refused', status }
  if (status === 404 || status === 410) return { kind: 'model-not-found', status }
  if (status === 429) return { kind: 'rate-limited', status }
  return { kind: status >= 500 ? 'failing' : 'refused', status }
}
