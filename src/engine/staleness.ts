import type { Line } from './line.ts'
import type { Thought } from './thought.ts'

/**
 * The thoughts that build on `thought`: the later ones of its line, and those of every branch that forks at or
 * after it, in the order of the lines. Summarized ones are left out, since they can no longer be revised.
 */
export function followersOf(thought: Thought, lines: Iterable<Line>): Thought[] {
  const followers: Thought[] = []
  for (const line of lines) {
    const from = firstFollowing(thought, line)
    if (from !== undefined) followers.push(...line.kept.filter((later) => later.thoughtNumber >= from))
  }
  return followers
}

/**
 * The thoughts whose text is older than a revision of a thought that they follow, so that they may no longer
 * hold. Summarized ones are left out.
 */
export function staleThoughts(lines: Iterable<Line>): Thought[] {
  const stale: Thought[] = []
  for (const line of lines) {
    let latestRevision = Math.max(line.summarizedRevisionAt, latestRevisionAbove(line))
    for (const thought of line.kept) {
      if (thought.recordedAt < latestRevision) stale.push(thought)
      latestRevision = Math.max(latestRevision, revisedAt(thought))
    }
  }
  return stale
}

/**
 * Keeps the moment of a revision for the thoughts that follow it, before a summary takes the revised thought
 * away. Thoughts recorded later cannot be stale because of it, so branches still to come need not know.
 */
export function rememberRevision(summarized: Thought, lines: Iterable<Line>): void {
  const moment = revisedAt(summarized)
  if (moment === 0) return
  for (const line of lines) {
    if (firstFollowing(summarized, line) !== undefined) {
      line.summarizedRevisionAt = Math.max(line.summarizedRevisionAt, moment)
    }
  }
}

/** The number from which on the thoughts of `line` follow `thought`, if any do. */
function firstFollowing(thought: Thought, line: Line): number | undefined {
  if (line === thought.line) return thought.thoughtNumber + 1
  for (let { fork } = line; fork !== undefined; fork = fork.parent.fork) {
    if (fork.parent === thought.line) return fork.from >= thought.thoughtNumber ? line.first : undefined
  }
  return undefined
}

/** When a thought that precedes this branch on the lines above it was last revised. */
function latestRevisionAbove({ fork }: Line): number {
  if (fork === undefined) return 0
  let latest = latestRevisionAbove(fork.parent)
  for (const thought of fork.parent.kept) {
    if (thought.thoughtNumber <= fork.from) latest = Math.max(latest, revisedAt(thought))
  }
  return latest
}

function revisedAt(thought: Thought): number {
  return thought.revisionNumber > 0 ? thought.recordedAt : 0
}
