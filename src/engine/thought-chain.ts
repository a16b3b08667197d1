import type { ChainView, StopReason } from './chain-view.ts'
import type { ThoughtError } from './errors.ts'
import type { Limits } from './limits.ts'
import { Line } from './line.ts'
import * as notices from './notices.ts'
import { ChainRecord, DEFAULT_RECORD, type EventDetail, type RecordOptions } from './record.ts'
import * as refusals from './refusals.ts'
import { findRepeated, fingerprintOf, MAX_REPEATS } from './repetition.ts'
import { followersOf, rememberRevision, staleThoughts } from './staleness.ts'
import { summarize } from './summarize.ts'
import { resolveTarget, type Target } from './target.ts'
import { countJsonChars, firstChars, type Thought, type ThoughtInput } from './thought.ts'

/** How many of the earliest nodes one summary replaces. */
const SUMMARIZED_NODES = 10

/** Characters of the opening thought by which a chain is recognized in a list. */
const OPENING_CHARS = 80

/** A client that repeats a call this often has not understood the answer; it is told so in an error. */
const MAX_RETRIES_IN_A_ROW = 2

/** What one recorded call did. */
export interface Outcome {
  readonly did: Target['kind']
  /** The thought that the call appended, revised or had already recorded. */
  readonly thought: Thought
  readonly totalThoughts: number
  readonly nextThoughtNeeded: boolean
  /** Whether this call ended a chain that was open. */
  readonly closes: boolean
  readonly opens: boolean
  /** Why the server ended the chain although the call asked to continue; empty where it did not. */
  readonly stops: readonly StopReason[]
  /** The summary that this call made. */
  readonly summary: Thought | undefined
  /** The nodes that the summary replaced, the earliest first; an earlier summary counts as one. */
  readonly summarized: readonly Thought[]
  /** What the call is told when it is stopped; not part of the chain. */
  readonly warning: string | undefined
  /** Sentences for the calling model, the most important first. */
  readonly notices: readonly string[]
}

/**
 * The thoughts of one session: a main line and the branches that fork from it. A call that is refused throws a
 * {@link ThoughtError} and changes nothing.
 */
export class ThoughtChain implements ChainView {
  readonly limits: Limits
  /** What results no longer show. */
  readonly past: ChainRecord
  readonly main = new Line(1)
  readonly #now: () => number
  readonly #branches = new Map<string, Line>()
  /** All nodes in the order of appending; a summary stands first. */
  readonly #nodes: Thought[] = []
  #lastLine = this.main
  #isOpen = true
  #steps = 0
  #highestNumber = 0
  #repeats = 0
  #retriesInARow = 0
  #lastRetried: Thought | undefined
  #lastStopByRepetition: Thought | undefined
  #recorded = 0
  #jsonChars = 0
  #opening = ''
  #revisions = 0
  #openedMs = 0
  #lastCallMs = 0

  private constructor(limits: Limits, { recordBudget, now }: RecordOptions) {
    this.limits = limits
    this.past = new ChainRecord(recordBudget)
    this.#now = now
  }

  /** Opens a chain with its first thought. */
  static open(
    input: ThoughtInput,
    limits: Limits,
    record: RecordOptions = DEFAULT_RECORD,
  ): { chain: ThoughtChain; outcome: Outcome } {
    const chain = new ThoughtChain(limits, record)
    return { chain, outcome: { ...chain.record(input), opens: true } }
  }

  /** What a call would do, without doing it. @throws ThoughtError whatever {@link record} would throw now */
  check(input: ThoughtInput): Target {
    const target = resolveTarget(this, input)
    const isStep = target.kind === 'append' || target.kind === 'branch'
    if (isStep && input.nextThoughtNeeded && this.isFull) throw refusals.stepLimit(this)
    if (target.kind === 'retry' && this.#retriesOf(target.thought) >= MAX_RETRIES_IN_A_ROW)
      throw refusals.retriedTooOften(this, target.thought)
    return target
  }

  /** Appends, revises or branches, as the call asks. @throws ThoughtError when the call is refused */
  record(input: ThoughtInput): Outcome {
    const target = this.check(input)
    this.#lastCallMs = this.#now()
    if (this.#steps === 0) this.#openedMs = this.#lastCallMs
    return this.#carryOut(target, input)
  }

  /** Gives a summary another text, unless a later summary has taken its place. */
  rewordSummary({ recordedAt }: Thought, text: string): void {
    const summary = this.summary
    if (summary?.recordedAt !== recordedAt) return
    const jsonChars = countJsonChars(text)
    this.#jsonChars += jsonChars - summary.jsonChars
    summary.thought = text
    summary.jsonChars = jsonChars
  }

  *lines(): Iterable<Line> {
    yield this.main
    yield* this.#branches.values()
  }

  get branches(): ReadonlyMap<string, Line> {
    return this.#branches
  }

  /** All nodes, the earliest appended first; a summary counts as one. */
  get nodes(): readonly Thought[] {
    return this.#nodes
  }

  get summary(): Thought | undefined {
    const first = this.#nodes[0]
    return first?.summarizes === undefined ? undefined : first
  }

  /** Characters that the texts of all nodes take inside JSON strings. */
  get jsonChars(): number {
    return this.#jsonChars
  }

  get lastLine(): Line {
    return this.#lastLine
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  get steps(): number {
    return this.#steps
  }

  get highestNumber(): number {
    return this.#highestNumber
  }

  /** The first characters of the opening thought. */
  get opening(): string {
    return this.#opening
  }

  /** Revisions of all thoughts, summarized ones included. */
  get revisions(): number {
    return this.#revisions
  }

  /** When the first call was recorded, in milliseconds since the epoch. */
  get openedMs(): number {
    return this.#openedMs
  }

  /** When the latest call was recorded, in milliseconds since the epoch. */
  get lastCallMs(): number {
    return this.#lastCallMs
  }

  linesToForkFrom(from: number): Line[] {
    const near = [this.#lastLine, this.main].find((line) => line.has(from))
    return near === undefined ? [...this.#branches.values()].filter((line) => line.has(from)) : [near]
  }

  get isFull(): boolean {
    return this.#steps >= 2 * this.limits.maxSteps
  }

  #carryOut(target: Target, input: ThoughtInput): Outcome {
    switch (target.kind) {
      case 'retry':
        return this.#retry(target.thought, input)
      case 'revise':
        return this.#revise(target.thought, input)
      case 'branch':
        return this.#branch(target, input)
      case 'append':
        return this.#append('append', target.line, input)
    }
  }

  #branch(target: Target & { kind: 'branch' }, input: ThoughtInput): Outcome {
    const line = new Line(input.thoughtNumber, target)
    this.#branches.set(target.branchId, line)
    const { parent, from } = target.fork
    const told = parent === this.main ? [] : [notices.forkFoundOn(from, parent)]
    return this.#append('branch', line, input, told)
  }

  #append(did: 'append' | 'branch', line: Line, input: ThoughtInput, told: readonly string[] = []): Outcome {
    const fingerprint = fingerprintOf(input.thought)
    const repeated = findRepeated(line, input.thought, fingerprint)
    const isFirstOfBranch = line.fork !== undefined && input.thoughtNumber === line.first
    const thought: Thought = {
      line,
      thoughtNumber: input.thoughtNumber,
      totalThoughts: Math.max(input.totalThoughts, input.thoughtNumber),
      thought: input.thought,
      revisionNumber: 0,
      branches: isFirstOfBranch && line.fork !== undefined ? [line.fork.from] : [],
      jsonChars: countJsonChars(input.thought),
      recordedAt: ++this.#recorded,
      recordedMs: this.#lastCallMs,
    }
    line.push(thought, fingerprint)
    this.#nodes.push(thought)
    this.#jsonChars += thought.jsonChars
    this.#steps++
    this.#highestNumber = Math.max(this.#highestNumber, thought.thoughtNumber)
    if (repeated !== undefined) {
      this.#repeats++
      this.#note(thought, { kind: 'repeated', earlierNumber: repeated.thoughtNumber })
    }
    if (this.#steps === 1) this.#opening = firstChars(input.thought, OPENING_CHARS)
    const stopsByRepetition = repeated !== undefined && this.#repeats >= MAX_REPEATS
    const isTooLong = this.#nodes.length > this.limits.maxChainLength
    const summarized = isTooLong ? this.#nodes.slice(0, SUMMARIZED_NODES) : []
    const summary = isTooLong ? this.#summarizeEarliest() : undefined
    return this.#conclude(thought, input, {
      did,
      summary,
      summarized,
      stopsByRepetition,
      notices: [
        ...(repeated === undefined ? [] : [notices.repeats(thought, repeated)]),
        ...told,
        ...(summary === undefined ? [] : [notices.summarized(SUMMARIZED_NODES)]),
      ],
    })
  }

  #revise(thought: Thought, input: ThoughtInput): Outcome {
    const from = input.branchFromThought
    const isNewFork =
      from !== undefined && from !== thought.line.fork?.from && !thought.branches.includes(from)
    this.past.keepText('revised', thought)
    const jsonChars = countJsonChars(input.thought)
    this.#jsonChars += jsonChars - thought.jsonChars
    thought.jsonChars = jsonChars
    thought.thought = input.thought
    thought.line.setFingerprint(thought, fingerprintOf(input.thought))
    thought.totalThoughts = Math.max(input.totalThoughts, thought.thoughtNumber)
    thought.revisionNumber++
    thought.recordedAt = ++this.#recorded
    thought.recordedMs = this.#lastCallMs
    this.#revisions++
    if (isNewFork) thought.branches = [...thought.branches, from]
    if (thought === this.main.get(1)) this.#opening = firstChars(input.thought, OPENING_CHARS)
    const followers = followersOf(thought, this.lines())
    return this.#conclude(thought, input, {
      did: 'revise',
      notices: followers.length === 0 ? [] : [notices.followersOfRevision(thought, followers)],
    })
  }

  #retry(thought: Thought, input: ThoughtInput): Outcome {
    this.#retriesInARow = this.#retriesOf(thought) + 1
    this.#lastRetried = thought
    thought.totalThoughts = Math.max(input.totalThoughts, thought.thoughtNumber)
    return this.#settle(thought, input, {
      did: 'retry',
      stopsByRepetition: this.#lastStopByRepetition === thought,
      notices: [notices.alreadyRecorded(this, thought)],
    })
  }

  /** How often the latest calls retried this thought. */
  #retriesOf(thought: Thought): number {
    return this.#lastRetried === thought ? this.#retriesInARow : 0
  }

  /** Notes a recorded call as its line's latest, then settles whether the chain goes on. */
  #conclude(thought: Thought, input: ThoughtInput, done: Done): Outcome {
    thought.line.lastCall = { thought, revisionNumber: thought.revisionNumber }
    this.#lastLine = thought.line
    this.#lastRetried = undefined
    this.#lastStopByRepetition = done.stopsByRepetition ? thought : undefined
    return this.#settle(thought, input, done)
  }

  /** Opens or closes the chain as the call asks, unless the guard stops it, and says what follows from that. */
  #settle(thought: Thought, input: ThoughtInput, done: Done): Outcome {
    const stops: StopReason[] = []
    if (input.nextThoughtNeeded && this.#steps >= this.limits.maxSteps) stops.push('step_limit')
    if (input.nextThoughtNeeded && done.stopsByRepetition) stops.push('repetition')
    const nextThoughtNeeded = input.nextThoughtNeeded && stops.length === 0
    const wasOpen = this.#isOpen
    this.#isOpen = nextThoughtNeeded
    const told = [...done.notices]
    const warning = stops.length === 0 ? undefined : notices.stopped(stops, this.limits)
    if (warning !== undefined) this.#note(thought, { kind: 'stopped', text: warning })
    if (nextThoughtNeeded && !wasOpen) {
      this.#note(thought, { kind: 'reopened' })
      told.unshift(notices.REOPENED)
    }
    if (!nextThoughtNeeded) {
      const isEarly = warning === undefined && thought.line.next - 1 < thought.totalThoughts
      if (wasOpen && warning === undefined) this.#note(thought, { kind: 'closed', isEarly })
      if (isEarly) told.unshift(notices.endsEarly(thought))
      told.unshift(notices.closing(thought, staleThoughts(this.lines())))
    }
    return {
      did: done.did,
      thought,
      totalThoughts: thought.totalThoughts,
      nextThoughtNeeded,
      closes: wasOpen && !nextThoughtNeeded,
      opens: false,
      stops,
      summary: done.summary,
      summarized: done.summarized ?? [],
      warning,
      notices: told,
    }
  }

  #note(thought: Thought, detail: EventDetail): void {
    this.past.keepEvent(thought, this.#lastCallMs, detail)
  }

  /** Puts one summary in the place of the ten earliest nodes, an earlier summary among them counting as one. */
  #summarizeEarliest(): Thought {
    const earlier = this.summary
    const replaced = this.#nodes.slice(0, SUMMARIZED_NODES)
    const thoughts = earlier === undefined ? replaced : replaced.slice(1)
    const text = summarize(earlier?.thought, thoughts)
    for (const thought of thoughts) {
      this.past.keepText('summarized', thought)
      rememberRevision(thought, this.lines())
      thought.line.dropEarliest()
    }
    const summary: Thought = {
      line: this.main,
      thoughtNumber: this.main.first,
      totalThoughts: thoughts.at(-1)?.totalThoughts ?? this.main.first,
      thought: text,
      revisionNumber: 0,
      branches: [],
      summarizes: [...this.lines()].flatMap((line) => line.summarizedRange ?? []),
      jsonChars: countJsonChars(text),
      recordedAt: ++this.#recorded,
      recordedMs: this.#lastCallMs,
    }
    this.#nodes.splice(0, SUMMARIZED_NODES, summary)
    this.#jsonChars += summary.jsonChars - replaced.reduce((sum, node) => sum + node.jsonChars, 0)
    return summary
  }
}

interface Done {
  readonly did: Outcome['did']
  readonly notices: readonly string[]
  readonly summary?: Thought | undefined
  readonly summarized?: readonly Thought[]
  readonly stopsByRepetition?: boolean
}
