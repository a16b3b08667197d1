/** What became of a command of the terminal. */
export interface CommandReport {
  /** Sentences for stderr: files that are torn, damaged or no record. */
  readonly warnings: readonly string[]
  /** Whether anything was listed or exported, or there was nothing to do. */
  readonly isDone: boolean
}
