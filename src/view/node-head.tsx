import { plural } from '../documents/markdown-wording.ts'
import type { BranchNode, SummaryNode, TreeNode } from './chain-tree.ts'
import { Time } from './time.tsx'

/** The line above a node's text: what it is, what is to be known of it, when it was recorded. */
export function NodeHead({ node }: { node: TreeNode }) {
  switch (node.kind) {
    case 'thought': {
      const { thoughtNumber, revisionNumber, isStale, isExcerpt, recorded } = node
      return (
        <>
          <span class="number">
            <span class="visually-hidden">Thought </span>
            {thoughtNumber}
          </span>
          {revisionNumber > 0 && (
            <span class="tag">revised{revisionNumber > 1 && ` ${revisionNumber}×`}</span>
          )}
          {isStale && (
            <span class="tag warning" title="A thought that it builds on was revised later">
              may no longer hold
            </span>
          )}
          {isExcerpt && <span class="tag">excerpt</span>}
          {recorded !== undefined && <Time iso={recorded} />}
        </>
      )
    }
    case 'version':
      return (
        <>
          <span class="label">
            Revision {node.revisionNumber} replaced{' '}
            {node.revisionNumber === 1 ? 'the first text' : `revision ${node.revisionNumber - 1}`}
          </span>
          <Time iso={node.recorded} />
        </>
      )
    case 'branch':
      return <BranchHead node={node} />
    case 'summary':
      return (
        <>
          <span class="label">Summary of {rangesOf(node)}</span>
          {node.recorded !== undefined && <Time iso={node.recorded} />}
        </>
      )
  }
}

function BranchHead({ node }: { node: BranchNode }) {
  const { branchId, branchFromThought, parentBranchId, isAtFork } = node
  return (
    <>
      <span class="label">
        Branch <bdi class="name">{branchId}</bdi>
      </span>
      {!isAtFork && (
        <span class="quiet">
          leaves thought {branchFromThought}
          {parentBranchId !== undefined && (
            <>
              {' '}
              of <bdi>{parentBranchId}</bdi>
            </>
          )}
        </span>
      )}
    </>
  )
}

function rangesOf({ summarizes }: SummaryNode): string {
  const count = summarizes.reduce((sum, range) => sum + range.count, 0)
  return count === 0
    ? 'the earliest thoughts'
    : `the ${count === 1 ? 'earliest thought' : `${plural(count, 'earliest thought')}`}`
}
