import type { Thought } from '../engine/thought.ts'
import type { Outcome } from '../engine/thought-chain.ts'
import type { SpecialistCall } from './specialist-arguments.ts'

/** What each parameter of a call did: a sentence for every one that was sent, and for the id of the session. */
export function describeUsage(call: SpecialistCall, outcome: Outcome): Record<string, string> {
  const { isRevision, needsMoreThoughts, hasRevisesThought } = call.sent
  const { branchFromThought, branchId } = call.input
  return {
    thought: [thoughtUsage(outcome), ...outcome.notices].join(' '),
    thoughtNumber: numberUsage(call, outcome),
    totalThoughts: totalUsage(call, outcome),
    nextThoughtNeeded: continueUsage(call, outcome),
    ...(isRevision !== undefined && { isRevision: revisionUsage(isRevision, outcome) }),
    ...(hasRevisesThought && { revisesThought: revisesUsage(isRevision === true, outcome) }),
    ...(needsMoreThoughts !== undefined && {
      needsMoreThoughts: moreUsage(needsMoreThoughts, call, outcome),
    }),
    ...(branchFromThought !== undefined && { branchFromThought: forkUsage(branchFromThought, outcome) }),
    ...(branchId !== undefined && { branchId: branchUsage(outcome) }),
    sessionId: sessionUsage(call, outcome),
  }
}

function thoughtUsage({ did, thought }: Outcome): string {
  const name = nameOf(thought)
  switch (did) {
    case 'retry':
      return `Already recorded as ${name}.`
    case 'revise':
      return `Replaced the text of ${name}, which is now at version ${thought.revisionNumber}.`
    default:
      return `Recorded as ${name}.`
  }
}

function numberUsage({ sent }: SpecialistCall, { did, thought }: Outcome): string {
  if (sent.thoughtNumber !== thought.thoughtNumber)
    return `Not used: revisesThought named thought ${thought.thoughtNumber}.`
  return did === 'revise'
    ? 'Named the thought that was revised.'
    : `Numbered this step ${thought.thoughtNumber}.`
}

function totalUsage({ sent }: SpecialistCall, { totalThoughts }: Outcome): string {
  return sent.totalThoughts === totalThoughts
    ? `Taken as the estimate: ${totalThoughts}.`
    : `Raised from ${sent.totalThoughts} to ${totalThoughts}, the number of the thought.`
}

function continueUsage({ sent }: SpecialistCall, { nextThoughtNeeded }: Outcome): string {
  if (!sent.nextThoughtNeeded)
    return sent.needsMoreThoughts === true
      ? 'false, but needsMoreThoughts asked to continue.'
      : 'Ended the chain.'
  return nextThoughtNeeded
    ? 'Asked to continue, and the chain goes on.'
    : 'Asked to continue, but the chain was stopped.'
}

function revisionUsage(isRevision: boolean, { did, thought }: Outcome): string {
  if (!isRevision) return 'false: nothing was to be revised.'
  if (did === 'retry') return `Repeats a call that was recorded before, on thought ${thought.thoughtNumber}.`
  return did === 'revise'
    ? `Taken as revision ${thought.revisionNumber} of ${nameOf(thought)}.`
    : `Not applied: there was no thought ${thought.thoughtNumber} to revise, so this was appended as a step.`
}

function revisesUsage(isRevision: boolean, { thought }: Outcome): string {
  return isRevision
    ? `Named the thought that is revised: ${thought.thoughtNumber}.`
    : 'Ignored, because isRevision is not true.'
}

function moreUsage(needsMore: boolean, { sent }: SpecialistCall, { nextThoughtNeeded }: Outcome): string {
  if (!needsMore) return 'false: no more thoughts than planned were asked for.'
  if (!nextThoughtNeeded) return 'Asked to continue, but the chain was stopped.'
  return sent.nextThoughtNeeded
    ? 'Asked to continue, as nextThoughtNeeded did.'
    : 'Asked to continue although nextThoughtNeeded is false, and the chain goes on.'
}

function forkUsage(from: number, { did, thought }: Outcome): string {
  if (did === 'branch') return `Opened ${lineOf(thought)} from thought ${from}.`
  return did === 'revise'
    ? `Noted as a thought that this one forks from: ${from}.`
    : `Repeated where ${lineOf(thought)} forks.`
}

function branchUsage({ did, thought }: Outcome): string {
  return did === 'branch' ? `Named the new ${lineOf(thought)}.` : `Put this on ${lineOf(thought)}.`
}

function sessionUsage({ sessionId }: SpecialistCall, { opens }: Outcome): string {
  if (opens) return 'Not sent: a new chain was opened. Send session_id back as sessionId.'
  return sessionId === undefined
    ? 'Not sent: the only open chain of the connection was continued.'
    : 'Continued this chain.'
}

function nameOf(thought: Thought): string {
  return `thought ${thought.thoughtNumber} of ${lineOf(thought)}`
}

function lineOf({ line }: Thought): string {
  return line.branchId === undefined ? 'the main line' : `branch ${JSON.stringify(line.branchId)}`
}
