import type { TreeNode } from './chain-tree.ts'

/** The nodes whose text has `words`, with those that they hang from. A branch found by its name comes whole. */
export function filterNodes(nodes: readonly TreeNode[], words: string): readonly TreeNode[] {
  const pattern = patternOf(words)
  return pattern === undefined ? nodes : keep(nodes, pattern)
}

/** How many of the nodes have the words themselves. */
export function countMatches(nodes: readonly TreeNode[], words: string): number {
  const pattern = patternOf(words)
  if (pattern === undefined) return 0
  return nodes.reduce(
    (sum, node) => sum + Number(pattern.test(textOf(node))) + countMatches(node.children, words),
    0,
  )
}

/** The text in parts, every other one of them found: `[before, found, between, found, after]`. */
export function splitAtMatches(text: string, words: string): string[] {
  const pattern = patternOf(words)
  return pattern === undefined ? [text] : text.split(new RegExp(`(${pattern.source})`, 'giu'))
}

function keep(nodes: readonly TreeNode[], pattern: RegExp): TreeNode[] {
  return nodes.flatMap((node): TreeNode[] => {
    const isFound = pattern.test(textOf(node))
    if (isFound && node.kind === 'branch') return [node]
    const children = keep(node.children, pattern)
    return isFound || children.length > 0 ? [{ ...node, children }] : []
  })
}

function textOf(node: TreeNode): string {
  if (node.kind === 'branch') return node.branchId
  return node.kind === 'version' ? node.before : node.text
}

function patternOf(words: string): RegExp | undefined {
  const trimmed = words.trim()
  return trimmed === '' ? undefined : new RegExp(trimmed.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'), 'iu')
}
