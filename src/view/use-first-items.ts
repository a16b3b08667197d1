import { useEffect, useMemo, useState } from 'preact/hooks'
import type { TreeNode } from './chain-tree.ts'

/** So many items are painted within a frame, whatever is in them. */
const AT_FIRST = 10
const MORE = 16

/** A frame that is out of sight is not painted, but has a size that its host wants to know. */
const LONGEST_WAIT_MS = 200

export interface FirstItems {
  readonly first: readonly TreeNode[]
  /** Whether there are more, which follow soon. */
  readonly isCut: boolean
}

/** The nodes to draw now: some at once, and more after each paint, so that no paint is long in coming. */
export function useFirstItems(nodes: readonly TreeNode[]): FirstItems {
  const [shown, setShown] = useState(AT_FIRST)
  const items = useMemo(() => takeItems(nodes, shown), [nodes, shown])
  const { isCut } = items
  useEffect(() => (isCut ? afterPaint(() => setShown(shown + MORE)) : undefined), [isCut, shown])
  return items
}

/** The first `count` nodes from top to bottom, with those that they are under. */
function takeItems(
  nodes: readonly TreeNode[],
  count: number,
): { first: readonly TreeNode[]; isCut: boolean } {
  let left = count
  const take = (siblings: readonly TreeNode[]): TreeNode[] =>
    siblings.flatMap((node) => {
      if (left === 0) return []
      left -= 1
      return [{ ...node, children: take(node.children) }]
    })
  const first = take(nodes)
  return left > 0 ? { first: nodes, isCut: false } : { first, isCut: true }
}

/** Calls back when what was drawn has been painted. @returns what calls it off */
function afterPaint(callback: () => void): () => void {
  let timer = setTimeout(callback, LONGEST_WAIT_MS)
  const frame = requestAnimationFrame(() => {
    clearTimeout(timer)
    timer = setTimeout(callback)
  })
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}
