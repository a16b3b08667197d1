import type { ThoughtInput } from '../engine/thought.ts'
import type { Outcome, ThoughtChain } from '../engine/thought-chain.ts'
import type { RecordedCall } from './format.ts'

/** The event of a call that was just recorded. */
export function toRecordedCall(chain: ThoughtChain, input: ThoughtInput, outcome: Outcome): RecordedCall {
  return { type: 'call', atMs: chain.lastCallMs, input, state: stateOf(chain, outcome) }
}

/** By this a reader tells that its replay has arrived where the writer was. */
export function stateOf(chain: ThoughtChain, { thought }: Outcome): RecordedCall['state'] {
  return {
    thoughtNumber: thought.thoughtNumber,
    revisionNumber: thought.revisionNumber,
    branchId: thought.line.branchId,
    isOpen: chain.isOpen,
    steps: chain.steps,
    nodes: chain.nodes.length,
  }
}
