import { type ThoughtNode, wholeHistory } from '../engine/history.ts'
import { shorten, type ThoughtInput } from '../engine/thought.ts'
import type { ThoughtChain } from '../engine/thought-chain.ts'
import type { Task } from './prompts.ts'

/** Characters of earlier thoughts that a prompt carries; where it is too little, those in the middle are cut. */
const MAX_CHAIN_CHARS = 12_000

/** What the agents are told of a thought and of the chain that it is to join; no chain where it opens one. */
export function toTask(input: ThoughtInput, chain: ThoughtChain | undefined): Task {
  const { thought, thoughtNumber, totalThoughts, revisionNumber, branchFromThought, branchId } = input
  const what = revisionNumber === 0 ? 'thought' : 'revision of thought'
  const where = [
    branchId === undefined ? '' : `, branch ${JSON.stringify(branchId)}`,
    branchFromThought === undefined ? '' : `, branching from thought ${branchFromThought}`,
  ]
  return {
    // Of an opening that was summarized away only its beginning is left.
    question: chain === undefined ? thought : (chain.main.get(1)?.thought ?? chain.opening),
    thought,
    position: `${what} ${thoughtNumber} of about ${Math.max(totalThoughts, thoughtNumber)}${where.join('')}`,
    chain: chain === undefined ? '' : renderChain(chain),
  }
}

function renderChain(chain: ThoughtChain): string {
  const nodes = wholeHistory(chain, MAX_CHAIN_CHARS)
  return shorten(nodes.map(renderNode).join('\n\n'), MAX_CHAIN_CHARS)
}

function renderNode({ thoughtNumber, branchId, revisionNumber, isSummary, thought }: ThoughtNode): string {
  if (isSummary) return `[summary of the earliest thoughts]\n${thought}`
  const branch = branchId === undefined ? '' : `, branch ${JSON.stringify(branchId)}`
  const version = revisionNumber === 0 ? '' : `, version ${revisionNumber}`
  return `[thought ${thoughtNumber}${branch}${version}]\n${thought}`
}
