/** What one session may hold. All are counts; every chain of a process has the same limits. */
export interface Limits {
  /** Characters (Unicode code points) of one thought. */
  readonly maxThoughtChars: number
  /** Steps after which a call that asks to continue is told to stop. At twice as many, such steps are refused. */
  readonly maxSteps: number
  /** Nodes of a chain; an append beyond it condenses the ten earliest into one summary. At least 11. */
  readonly maxChainLength: number
  /** Revisions of one thought. 0 forbids revising. */
  readonly maxRevisions: number
  /** Branches of one session. */
  readonly maxBranches: number
}

export const DEFAULT_LIMITS: Limits = {
  maxThoughtChars: 2000,
  maxSteps: 30,
  maxChainLength: 50,
  maxRevisions: 3,
  maxBranches: 20,
}
