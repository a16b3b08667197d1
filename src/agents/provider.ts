import type { Search } from './research.ts'

/** Which of the two configured models answers: synthesis uses the enhanced one, everything else the standard one. */
export type Tier = 'enhanced' | 'standard'

export interface Prompt {
  /** What the model is to be and do. */
  readonly system: string
  /** What it is about. */
  readonly text: string
}

export interface GenerateOptions {
  readonly tier: Tier
  readonly signal: AbortSignal
  /** Tokens of the answer, those in which a model reasons included. */
  readonly maxTokens: number
  /** Lets the model search the web while it answers. */
  readonly search?: Search | undefined
}

/** Why a provider gave no answer, without a word of its own. */
export type Failure =
  | {
      readonly kind: 'key-refused' | 'model-not-found' | 'rate-limited' | 'failing' | 'refused'
      status: number
    }
  | { readonly kind: 'unreachable' | 'unreadable' | 'empty' }

export type Generated = { readonly text: string } | { readonly failure: Failure }

/** A service that runs language models. */
export interface Provider {
  /**
   * Answers a prompt. Overload and the provider's own errors are retried for as long as `signal` allows.
   *
   * @throws only what `signal` was aborted with
   */
  generate(prompt: Prompt, options: GenerateOptions): Promise<Generated>
}
