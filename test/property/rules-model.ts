import type { Limits } from '../../src/engine/limits.ts'

/** A call on one session. Texts of the same `meaning` differ in case, white space and label only. */
export interface Call {
  readonly thought: string
  readonly meaning: string
  readonly thoughtNumber: number
  readonly totalThoughts: number
  readonly nextThoughtNeeded: boolean
  readonly revisionNumber: number
  readonly branchFromThought?: number | undefined
  readonly branchId?: string | undefined
}

interface ModelThought {
  readonly line: string
  readonly number: number
  text: string
  meaning: string
  total: number
  version: number
  forks: number[]
  isSummarized: boolean
}

interface ModelLine {
  readonly name: string
  readonly first: number
  readonly from?: number
  readonly parent?: string
  readonly isAutoNamed: boolean
  lastCall?: { number: number; version: number; text: string }
}

type Step = { append: string } | { fork: string; parent: string; from: number; isAutoNamed: boolean }
type Taken = Step | { revise: ModelThought } | { retry: ModelThought }
type Decision = Taken | { refused: string }

/** What a call did. */
export interface Recorded {
  readonly thought: ModelThought
  readonly isRetry: boolean
  readonly isStopped: boolean
  readonly hasSummarized: boolean
  readonly closes: boolean
  readonly reopens: boolean
}

const MAIN = 'main'
const SUMMARIZED_NODES = 10
const REPEATS_THAT_STOP = 3
const RETRIES_TAKEN = 2

/**
 * The rules of a chain as the contract words them: all thoughts in one list, searched anew at every call. Slow and
 * plain, to be compared with the engine.
 */
export class ModelChain {
  readonly thoughts: ModelThought[] = []
  readonly lines: ModelLine[] = [{ name: MAIN, first: 1, isAutoNamed: false }]
  lastLine = MAIN
  isOpen = true
  readonly #limits: Limits
  #repeats = 0
  /** The thought that was sent again last, once for each time in a row. */
  #retried: ModelThought[] = []
  #stoppedByRepetition: ModelThought | undefined

  constructor(limits: Limits) {
    this.#limits = limits
  }

  /** Takes a call, or says with which code it is refused; then nothing has changed. */
  record(call: Call): Recorded | { refused: string } {
    const decision = this.#decide(call)
    if ('refused' in decision) return { refused: decision.refused }
    const wasOpen = this.isOpen
    const isStep = 'append' in decision || 'fork' in decision
    const thought = this.#apply(decision, call)
    const isFull = this.thoughts.length >= this.#limits.maxSteps
    const isStopped = call.nextThoughtNeeded && (isFull || this.#stoppedByRepetition === thought)
    this.isOpen = call.nextThoughtNeeded && !isStopped
    const hasSummarized = isStep && this.length > this.#limits.maxChainLength
    if (hasSummarized) this.#summarize()
    return {
      thought,
      isRetry: 'retry' in decision,
      isStopped,
      hasSummarized,
      closes: wasOpen && !this.isOpen,
      reopens: !wasOpen && this.isOpen,
    }
  }

  /** Nodes: what is not summarized, and the summary. */
  get length(): number {
    const kept = this.thoughts.filter((thought) => !thought.isSummarized).length
    return kept === this.thoughts.length ? kept : kept + 1
  }

  get highest(): number {
    return Math.max(0, ...this.thoughts.map(({ number }) => number))
  }

  nextOn(name: string): number {
    const onLine = this.#on(name)
    return onLine.length === 0 ? this.#line(name).first : Math.max(...onLine.map(({ number }) => number)) + 1
  }

  find(name: string, number: number): ModelThought | undefined {
    return this.#on(name).find((thought) => thought.number === number)
  }

  /** The nodes as results show them; of a summary what it stands for. */
  history() {
    const ranges = this.lines.flatMap(({ name, first }) => {
      const count = this.#on(name).filter(({ isSummarized }) => isSummarized).length
      return count === 0 ? [] : [{ from: first, to: first + count - 1, count, ...branchOf(name) }]
    })
    const nodes = this.lines.flatMap(({ name }) => this.#on(name).filter(({ isSummarized }) => !isSummarized))
    return [
      ...(ranges.length === 0 ? [] : [{ thoughtNumber: 1, isSummary: true, summarizes: ranges }]),
      ...nodes.map((thought) => ({
        thoughtNumber: thought.number,
        totalThoughts: thought.total,
        thought: thought.text,
        revisionNumber: thought.version,
        isRevision: thought.version > 0,
        ...branchOf(thought.line),
        ...(thought.forks.length > 0 && { branches: thought.forks }),
      })),
    ]
  }

  branches() {
    return this.lines.slice(1).map(({ name, from, parent }) => ({
      branchId: name,
      branchFromThought: from,
      ...(parent !== MAIN && { parentBranchId: parent }),
      nextThoughtNumber: this.nextOn(name),
    }))
  }

  #decide(call: Call): Decision {
    const decision = call.revisionNumber === 0 ? this.#decideStep(call) : this.#decideRevision(call)
    if ('retry' in decision) {
      const before = this.#retried.filter((thought) => thought === decision.retry)
      return before.length >= RETRIES_TAKEN ? { refused: 'thought_exists' } : decision
    }
    const isStep = 'append' in decision || 'fork' in decision
    const isFull = this.thoughts.length >= 2 * this.#limits.maxSteps
    return isStep && isFull && call.nextThoughtNeeded ? { refused: 'step_limit' } : decision
  }

  #decideStep(call: Call): Decision {
    const { branchId, branchFromThought: from, thoughtNumber } = call
    const named = this.lines.find(({ name }) => name === branchId)
    if (named !== undefined) {
      if (from !== undefined && from !== named.from) return { refused: 'branch_conflict' }
      return this.#decideAppend(named.name, call)
    }
    if (from !== undefined) return this.#decideFork(call, from)
    if (branchId !== undefined) return { refused: 'branch_not_found' }
    const isBranchNext = this.lastLine !== MAIN && thoughtNumber === this.nextOn(this.lastLine)
    // The main line's latest call sent again is that, and no thought of the branch.
    return isBranchNext && !this.#isRetry(MAIN, call)
      ? { refused: 'branch_ambiguous' }
      : this.#decideAppend(MAIN, call)
  }

  #decideFork(call: Call, from: number): Decision {
    const { branchId, thoughtNumber } = call
    if (branchId === undefined) {
      const own = this.#autoNamed(from)
      const again = own.find(({ name }) => this.#isRetry(name, call))
      if (again !== undefined) return this.#decideAppend(again.name, call)
      const [fits, another] = own.filter(({ name }) => this.nextOn(name) === thoughtNumber)
      if (another !== undefined) return { refused: 'branch_ambiguous' }
      if (fits !== undefined) return this.#decideAppend(fits.name, call)
    }
    if (this.lines.length > this.#limits.maxBranches) return { refused: 'branch_limit' }
    const withPoint = this.lines.filter(({ name }) => this.find(name, from)).map(({ name }) => name)
    const parent =
      [this.lastLine, MAIN].find((name) => withPoint.includes(name)) ??
      (withPoint.length > 1 ? undefined : withPoint[0])
    if (parent === undefined)
      return { refused: withPoint.length > 1 ? 'branch_ambiguous' : 'branch_point_not_found' }
    if (thoughtNumber !== from + 1 && thoughtNumber !== this.highest + 1) {
      return { refused: 'thought_out_of_order' }
    }
    return { fork: branchId ?? this.#freeName(), parent, from, isAutoNamed: branchId === undefined }
  }

  #decideAppend(name: string, call: Call): Decision {
    const existing = this.find(name, call.thoughtNumber)
    if (existing !== undefined)
      return this.#isRetry(name, call) ? { retry: existing } : { refused: 'thought_exists' }
    return call.thoughtNumber === this.nextOn(name) ? { append: name } : { refused: 'thought_out_of_order' }
  }

  #decideRevision(call: Call): Decision {
    const { branchId, branchFromThought: from, thoughtNumber: number, revisionNumber } = call
    const isKnown = this.lines.some(({ name }) => name === branchId)
    if (branchId !== undefined && !isKnown) {
      if (from === undefined) return { refused: 'branch_not_found' }
      // The way on is to open that branch; where that could not be done either, the answer is why.
      const opened = this.#decideFork({ ...call, thoughtNumber: from + 1 }, from)
      return 'refused' in opened ? opened : { refused: 'revision_target_not_found' }
    }
    // Without a branchId the thought is the main line's, unless a branch may be meant as well.
    const auto = from === undefined ? [] : this.#autoNamed(from).map(({ name }) => name)
    const meant = from !== undefined ? [MAIN, ...auto] : this.lines.map(({ name }) => name)
    const having = meant.filter((name) => this.find(name, number) !== undefined)
    if (branchId === undefined && having.length > 1 && !(from === undefined && this.#isRetry(MAIN, call))) {
      const isUnsure = from !== undefined || (this.lastLine !== MAIN && having.includes(MAIN))
      if (isUnsure) return { refused: 'branch_ambiguous' }
    }
    const line = branchId ?? (from !== undefined ? (having[0] ?? MAIN) : MAIN)
    const thought = this.find(line, number)
    if (thought === undefined) return { refused: 'revision_target_not_found' }
    if (this.#isRetry(line, call)) return { retry: thought }
    if (thought.isSummarized) return { refused: 'thought_summarized' }
    if (thought.version >= this.#limits.maxRevisions) return { refused: 'revision_limit' }
    if (revisionNumber !== thought.version + 1) return { refused: 'revision_out_of_order' }
    const isPoint = from === undefined || this.thoughts.some((other) => other.number === from)
    return isPoint ? { revise: thought } : { refused: 'branch_point_not_found' }
  }

  #apply(decision: Taken, call: Call): ModelThought {
    const total = Math.max(call.totalThoughts, call.thoughtNumber)
    if ('retry' in decision) {
      if (!this.#retried.includes(decision.retry)) this.#retried = []
      this.#retried.push(decision.retry)
      decision.retry.total = total
      return decision.retry
    }
    this.#retried = []
    this.#stoppedByRepetition = undefined
    const thought = 'revise' in decision ? this.#revise(decision.revise, call) : this.#append(decision, call)
    thought.total = total
    this.lastLine = thought.line
    this.#line(thought.line).lastCall = {
      number: thought.number,
      version: thought.version,
      text: thought.text,
    }
    return thought
  }

  #revise(thought: ModelThought, { thought: text, meaning, branchFromThought: from }: Call): ModelThought {
    thought.text = text
    thought.meaning = meaning
    thought.version++
    const isOwnFork = from === this.#line(thought.line).from
    if (from !== undefined && !isOwnFork && !thought.forks.includes(from)) thought.forks.push(from)
    return thought
  }

  #append(decision: Step, call: Call): ModelThought {
    const line = 'fork' in decision ? decision.fork : decision.append
    if ('fork' in decision) {
      const { parent, from, isAutoNamed } = decision
      this.lines.push({ name: line, first: call.thoughtNumber, from, parent, isAutoNamed })
    }
    const isRepeat = this.#on(line).some(
      (earlier) => !earlier.isSummarized && earlier.meaning === call.meaning,
    )
    const thought: ModelThought = {
      line,
      number: call.thoughtNumber,
      text: call.thought,
      meaning: call.meaning,
      total: 0,
      version: 0,
      forks: 'fork' in decision ? [decision.from] : [],
      isSummarized: false,
    }
    this.thoughts.push(thought)
    if (isRepeat && ++this.#repeats >= REPEATS_THAT_STOP) this.#stoppedByRepetition = thought
    return thought
  }

  /** The earlier summary counts as one of the ten. */
  #summarize(): void {
    const hasSummary = this.thoughts.some(({ isSummarized }) => isSummarized)
    const earliest = this.thoughts.filter(({ isSummarized }) => !isSummarized)
    for (const thought of earliest.slice(0, hasSummary ? SUMMARIZED_NODES - 1 : SUMMARIZED_NODES)) {
      thought.isSummarized = true
    }
  }

  #isRetry(name: string, { thoughtNumber, revisionNumber, thought }: Call): boolean {
    const last = this.#line(name).lastCall
    return last?.number === thoughtNumber && last.version === revisionNumber && last.text === thought
  }

  #autoNamed(from: number): ModelLine[] {
    return this.lines.filter((line) => line.isAutoNamed && line.name !== MAIN && line.from === from)
  }

  #freeName(): string {
    let n = 1
    while (this.lines.some(({ name }) => name === `branch-${n}`)) n++
    return `branch-${n}`
  }

  #on(name: string): ModelThought[] {
    return this.thoughts.filter(({ line }) => line === name)
  }

  #line(name: string): ModelLine {
    const line = this.lines.find((other) => other.name === name)
    if (line === undefined) throw new Error(`the model has no line ${name}`)
    return line
  }
}

function branchOf(line: string) {
  return line === MAIN ? {} : { branchId: line }
}
