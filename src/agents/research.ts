import * as z from 'zod'
import { shorten } from '../engine/thought.ts'
import { type Environment, keyProblems, readBaseUrl, readVariable } from './environment.ts'

/** What a web search found, and where. */
export interface Source {
  readonly title: string
  readonly url: string
}

/** Searches the web and returns what was found as text for a model. Throws only what `signal` was aborted with. */
export type Search = (query: string, signal: AbortSignal) => Promise<string>

export interface ResearchConfig {
  readonly apiKey: string
  readonly baseUrl: string
}

/** Searches that one agent may make. */
const MAX_SEARCHES = 3

const MAX_RESULTS = 5
const MAX_EXCERPT_CHARS = 1000
const MAX_TITLE_CHARS = 160
const MAX_QUERY_CHARS = 400

const resultsSchema = z.object({
  results: z.array(
    z.object({
      url: z.url({ protocol: /^https?$/ }),
      title: z.string().nullish(),
      highlights: z.array(z.string()).nullish(),
    }),
  ),
})

/** @returns nothing without EXA_API_KEY, or what is wrong with the variables, in one line that repeats no key */
export function readResearch(environment: Environment): ResearchConfig | { problem: string } | undefined {
  const apiKey = readVariable(environment, 'EXA_API_KEY')
  if (apiKey === undefined) return undefined
  const baseUrl = readBaseUrl(environment, 'EXA_BASE_URL', 'https://api.exa.ai')
  const problems = [...keyProblems('EXA_API_KEY', apiKey), ...('problem' in baseUrl ? [baseUrl.problem] : [])]
  return 'problem' in baseUrl || problems[0]
    ? { problem: problems.join('; ') }
    : { apiKey, baseUrl: baseUrl.url }
}

/**
 * The searches of one agent, by Exa (https://exa.ai). What they find is added to `sources`.
 *
 * @param fence marks a text as material, so that no page can pass for an instruction
 */
export function createSearch(
  { apiKey, baseUrl }: ResearchConfig,
  sources: Map<string, Source>,
  fence: (label: string, text: string) => string,
): Search {
  let left = MAX_SEARCHES
  return async (query, signal) => {
    if (left === 0) return `No search is left (${MAX_SEARCHES} were made). Answer from what you have.`
    left--
    try {
      const response = await fetch(`${baseUrl}/search`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
        body: JSON.stringify({
          query: shorten(query, MAX_QUERY_CHARS),
          numResults: MAX_RESULTS,
          contents: { highlights: { maxCharacters: MAX_EXCERPT_CHARS } },
        }),
        signal,
      })
      if (!response.ok) return FAILED
      const { results } = resultsSchema.parse(await response.json())
      const found = results.slice(0, MAX_RESULTS).map(({ url, title, highlights }) => ({
        url,
        title: shorten((title ?? '').replace(/\s+/gu, ' ').trim() || url, MAX_TITLE_CHARS),
        text: shorten((highlights ?? []).join(' … '), MAX_EXCERPT_CHARS),
      }))
      for (const { url, title } of found) sources.set(url, { url, title })
      if (found.length === 0) return 'The search found nothing.'
      return fence('web pages', found.map(({ url, title, text }) => `${title}\n${url}\n${text}`).join('\n\n'))
    } catch {
      signal.throwIfAborted()
      return FAILED
    }
  }
}

/** All that an agent hears of a search that failed. */
const FAILED = 'The search failed. Answer from what you know, and say that it could not be checked.'
