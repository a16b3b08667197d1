import { countChars, type Thought } from './thought.ts'

/** How much of the past a chain keeps, and whose clock it tells. */
export interface RecordOptions {
  /** Characters (code points) of texts that the chain itself no longer has. 0 keeps no record at all. */
  readonly recordBudget: number
  /** The time in milliseconds since the epoch. */
  readonly now: () => number
}

export const DEFAULT_RECORD: RecordOptions = { recordBudget: 100_000, now: () => Date.now() }

/** Texts and events beyond these counts go too, so that a million short ones cannot fill the memory. */
export const MAX_RECORDED_TEXTS = 1000
export const MAX_RECORDED_EVENTS = 200

/** Names a thought, or one version of it, without holding on to it. */
export interface ThoughtRef {
  readonly thoughtNumber: number
  /** Absent on the main line. */
  readonly branchId?: string
  readonly revisionNumber: number
}

/** A text that the chain's nodes no longer have: a revision replaced it, or a summary stands for it. */
export interface RecordedText extends ThoughtRef {
  readonly gone: 'revised' | 'summarized'
  readonly thought: string
  readonly totalThoughts: number
  /** The thoughts that it forks from. */
  readonly branches: readonly number[]
  /** When the text was recorded, in milliseconds since the epoch. */
  readonly recordedMs: number
}

/** Something that happened to the chain at the call that recorded this thought. */
export type RecordedEvent = ThoughtRef & { readonly atMs: number } & (
    | {
        /** The server ended the chain; `text` is the warning that the caller got. */ readonly kind: 'stopped'
        readonly text: string
      }
    | {
        /** The caller ended the chain, before all the thoughts that it had planned where `isEarly`. */
        readonly kind: 'closed'
        readonly isEarly: boolean
      }
    | { readonly kind: 'reopened' }
    | {
        /** The thought says what an earlier one said. */ readonly kind: 'repeated'
        readonly earlierNumber: number
      }
  )

/** An event without the thought and the time, which the chain adds. */
export type EventDetail<E = RecordedEvent> = E extends unknown ? Omit<E, keyof ThoughtRef | 'atMs'> : never

/** What is no longer kept, since there was no room for it. */
export interface Dropped {
  readonly texts: number
  /** Characters of these texts. */
  readonly chars: number
  readonly events: number
}

/**
 * What results no longer show of a chain, as plain data: earlier texts, the thoughts behind the summary, stops
 * and warnings. The oldest texts go first when they outgrow the budget; what went is counted.
 */
export class ChainRecord {
  readonly #budget: number
  readonly #texts: RecordedText[] = []
  readonly #events: RecordedEvent[] = []
  #chars = 0
  #dropped: Dropped = { texts: 0, chars: 0, events: 0 }

  constructor(budget: number) {
    this.#budget = budget
  }

  /** Oldest first, in the order in which they left the chain. */
  get texts(): readonly RecordedText[] {
    return this.#texts
  }

  /** Oldest first. */
  get events(): readonly RecordedEvent[] {
    return this.#events
  }

  get dropped(): Dropped {
    return this.#dropped
  }

  /** Keeps the present text of a thought that is about to leave the chain. */
  keepText(gone: RecordedText['gone'], thought: Thought): void {
    const { totalThoughts, branches, recordedMs } = thought
    const text = { ...refTo(thought), gone, thought: thought.thought, totalThoughts, branches, recordedMs }
    this.#texts.push(text)
    this.#chars += countChars(text.thought)
    while (this.#chars > this.#budget || this.#texts.length > this.#maxTexts) this.#dropText()
  }

  keepEvent(thought: Thought, atMs: number, detail: EventDetail): void {
    this.#events.push({ ...refTo(thought), atMs, ...detail })
    if (this.#events.length <= (this.#budget === 0 ? 0 : MAX_RECORDED_EVENTS)) return
    this.#events.shift()
    this.#dropped = { ...this.#dropped, events: this.#dropped.events + 1 }
  }

  get #maxTexts(): number {
    return this.#budget === 0 ? 0 : MAX_RECORDED_TEXTS
  }

  #dropText(): void {
    const oldest = this.#texts.shift()
    if (oldest === undefined) return
    const chars = countChars(oldest.thought)
    const { texts, chars: before, events } = this.#dropped
    this.#chars -= chars
    this.#dropped = { texts: texts + 1, chars: before + chars, events }
  }
}

function refTo({ line, thoughtNumber, revisionNumber }: Thought): ThoughtRef {
  return {
    thoughtNumber,
    ...(line.branchId !== undefined && { branchId: line.branchId }),
    revisionNumber,
  }
}
