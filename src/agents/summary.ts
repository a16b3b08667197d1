import { shorten, type Thought } from '../engine/thought.ts'
import type { Summarizer } from '../tools/record-thought.ts'
import { runWithin } from './deadline.ts'
import { createFence } from './prompts.ts'
import type { Provider } from './provider.ts'
import { SUMMARY } from './specialists.ts'

/** Characters of a summary; the built-in one has as many. */
const MAX_SUMMARY_CHARS = 2000

/** What the model is asked for, so that a longer answer is an exception. */
const ASKED_CHARS = 1500

/** A summarizer that asks a model and leaves the excerpt where it fails or takes longer than 20 s. */
export function createModelSummarizer(load: () => Promise<Provider>, shutdown: AbortSignal): Summarizer {
  return async (nodes, cancelled) => {
    const parent = cancelled === undefined ? shutdown : AbortSignal.any([cancelled, shutdown])
    const { fence, rule } = createFence()
    const prompt = {
      system: [
        'You condense the earliest thoughts of a chain of thought, which are then forgotten.',
        `Write one line for each thought, in order: its number, its branch in brackets if it has one, a colon, and what it concluded and why. An earlier summary among them already stands for older thoughts: keep its lines, shortened. At most ${ASKED_CHARS} characters in all, in the language of the thoughts, nothing before or after.`,
        rule,
      ].join('\n'),
      text: fence('thoughts', nodes.map(render).join('\n\n')),
    }
    try {
      const generated = await runWithin(SUMMARY.budgetMs, parent, async (signal) =>
        (await load()).generate(prompt, { tier: SUMMARY.tier, maxTokens: SUMMARY.maxTokens, signal }),
      )
      return generated !== undefined && 'text' in generated
        ? shorten(generated.text, MAX_SUMMARY_CHARS)
        : undefined
    } catch {
      return undefined
    }
  }
}

function render({ line, thoughtNumber, thought, summarizes }: Thought): string {
  if (summarizes !== undefined) return `Earlier summary:\n${thought}`
  return `${thoughtNumber}${line.branchId === undefined ? '' : ` [${line.branchId}]`}: ${thought}`
}
