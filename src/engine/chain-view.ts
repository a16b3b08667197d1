import type { Limits } from './limits.ts'
import type { Line } from './line.ts'

/** What the rules and the sentences about a call have to know of a chain; nothing of it changes the chain. */
export interface ChainView {
  readonly limits: Limits
  readonly main: Line
  /** By name, in the order of opening. */
  readonly branches: ReadonlyMap<string, Line>
  /** The line of the latest recorded call. */
  readonly lastLine: Line
  /** Thoughts that were appended, summarized ones included. */
  readonly steps: number
  /** The highest number of any line. */
  readonly highestNumber: number
  /** Whether steps that ask to continue are refused from now on. */
  readonly isFull: boolean
  /** The main line, then the branches in the order of opening. */
  lines(): Iterable<Line>
  /**
   * The line that a branch from thought `from` leaves: that of the latest call, the main line, or the branches
   * that have the thought, of which only a single one is certain.
   */
  linesToForkFrom(from: number): Line[]
}

/** Why the server ended a chain that its caller wanted to continue. */
export type StopReason = 'step_limit' | 'repetition'
