import { readFile } from 'node:fs/promises'
import type * as z from 'zod'
import { ThoughtError } from '../engine/errors.ts'
import { type Outcome, ThoughtChain } from '../engine/thought-chain.ts'
import { callSchema, type FileHeader, headerSchema, type RecordedCall } from './format.ts'
import { stateOf } from './recorded-call.ts'

/** A session as its file tells it. */
export interface RecordedSession {
  readonly sessionId: string
  readonly chain: ThoughtChain
  /** What is wrong with the file, in a sentence; the chain is what stands before it. */
  readonly problem: string | undefined
}

/** Reads a session's file and replays its calls. @throws Error when there is no chain in it, with the reason */
export async function readSessionFile(file: string): Promise<RecordedSession> {
  return replay(await readFile(file, 'utf8'))
}

/** Replays the lines of a session's file. @throws Error when there is no chain in it, with the reason */
export function replay(text: string): RecordedSession {
  const lines = text.split('\n')
  // A whole line has a line end, so what follows the last one is torn.
  const torn = lines.pop() ?? ''
  const header = parseLine(lines[0], headerSchema)
  if (header === undefined) throw new Error('it is no record of a session that this version can read')
  const first = parseLine(lines[1], callSchema)
  if (first === undefined) throw new Error('the line of its first call is torn or damaged')

  const player = new Player(header, first)
  for (const [i, line] of lines.entries()) {
    if (i < 2) continue
    const problem = player.play(line)
    if (problem === undefined) continue
    return player.end(`Line ${i + 1} ${problem}; the chain is shown up to there.`)
  }
  return player.end(
    torn === '' ? undefined : `The last line, ${lines.length + 1}, is torn; the call in it is left out.`,
  )
}

class Player {
  readonly #sessionId: string
  readonly #chain: ThoughtChain
  #atMs: number

  constructor({ sessionId, limits, recordBudget }: FileHeader, first: RecordedCall) {
    this.#sessionId = sessionId
    this.#atMs = first.atMs
    const opened = open(first, limits, { recordBudget, now: () => this.#atMs })
    this.#chain = opened.chain
    if (!isSame(stateOf(opened.chain, opened.outcome), first.state)) {
      throw new Error('its first call has another effect in this version')
    }
  }

  /** Replays one line. @returns what is wrong with it */
  play(line: string): string | undefined {
    const call = parseLine(line, callSchema)
    if (call === undefined) return 'is damaged'
    this.#atMs = call.atMs
    let outcome: Outcome
    try {
      outcome = this.#chain.record(call.input)
    } catch (error) {
      if (error instanceof ThoughtError) return 'does not follow from the lines before it'
      throw error
    }
    return isSame(stateOf(this.#chain, outcome), call.state)
      ? undefined
      : 'has another effect in this version'
  }

  end(problem: string | undefined): RecordedSession {
    return { sessionId: this.#sessionId, chain: this.#chain, problem }
  }
}

function open(
  first: RecordedCall,
  ...rest: [FileHeader['limits'], { recordBudget: number; now: () => number }]
) {
  try {
    return ThoughtChain.open(first.input, ...rest)
  } catch (error) {
    if (error instanceof ThoughtError) throw new Error('its first call opens no chain')
    throw error
  }
}

function parseLine<S extends z.ZodType>(line: string | undefined, schema: S): z.output<S> | undefined {
  try {
    return schema.safeParse(JSON.parse(line ?? '')).data
  } catch {
    return undefined
  }
}

function isSame(a: RecordedCall['state'], b: RecordedCall['state']): boolean {
  return (
    a.thoughtNumber === b.thoughtNumber &&
    a.revisionNumber === b.revisionNumber &&
    a.branchId === b.branchId &&
    a.isOpen === b.isOpen &&
    a.steps === b.steps &&
    a.nodes === b.nodes
  )
}
