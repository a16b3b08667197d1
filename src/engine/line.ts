import type { SummarizedRange, Thought } from './thought.ts'

/** Where a branch leaves its parent line. */
export interface Fork {
  readonly parent: Line
  readonly from: number
}

/**
 * The main line or a branch: thoughts with consecutive numbers from `first` on. The earliest of them may have
 * been summarized; numbers below `firstKept` are known, their texts are not.
 */
export class Line {
  /** Absent on the main line. */
  readonly branchId: string | undefined
  readonly fork: Fork | undefined
  /** Whether the server chose the name. */
  readonly isAutoNamed: boolean
  readonly first: number
  /** The latest call recorded on this line, for telling a client's retry from a new thought. */
  lastCall: { readonly thought: Thought; readonly revisionNumber: number } | undefined
  /** When a thought was last revised that this line follows and that has been summarized since; 0 for never. */
  summarizedRevisionAt = 0
  readonly #kept: Thought[] = []
  /** Apart from the thoughts, so that looking for a repeat touches none of them. */
  readonly #fingerprints: number[] = []
  #firstKept: number

  constructor(first: number, branch?: { branchId: string; fork: Fork; isAutoNamed: boolean }) {
    this.first = first
    this.#firstKept = first
    this.branchId = branch?.branchId
    this.fork = branch?.fork
    this.isAutoNamed = branch?.isAutoNamed ?? false
  }

  /** The number of the earliest thought that is not summarized, or `next` when all are. */
  get firstKept(): number {
    return this.#firstKept
  }

  /** The number to use next. */
  get next(): number {
    return this.#firstKept + this.#kept.length
  }

  /** The thoughts that are not summarized, oldest first. */
  get kept(): readonly Thought[] {
    return this.#kept
  }

  /** Of the kept thoughts, in their order: equal for texts that may say the same; see `repetition.ts`. */
  get fingerprints(): readonly number[] {
    return this.#fingerprints
  }

  /** Whether a thought of this number was ever recorded here, summarized ones included. */
  has(number: number): boolean {
    return number >= this.first && number < this.next
  }

  isSummarized(number: number): boolean {
    return number >= this.first && number < this.#firstKept
  }

  get(number: number): Thought | undefined {
    return this.#kept[number - this.#firstKept]
  }

  push(thought: Thought, fingerprint: number): void {
    this.#kept.push(thought)
    this.#fingerprints.push(fingerprint)
  }

  /** Of a kept thought whose text was replaced. */
  setFingerprint({ thoughtNumber }: Thought, fingerprint: number): void {
    this.#fingerprints[thoughtNumber - this.#firstKept] = fingerprint
  }

  /** Forgets the earliest kept thought, which a summary now stands for. */
  dropEarliest(): void {
    this.#kept.shift()
    this.#fingerprints.shift()
    this.#firstKept++
  }

  get summarizedRange(): SummarizedRange | undefined {
    const count = this.#firstKept - this.first
    if (count === 0) return undefined
    const range = { from: this.first, to: this.#firstKept - 1, count }
    return this.branchId === undefined ? range : { ...range, branchId: this.branchId }
  }
}
