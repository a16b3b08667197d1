import type { TreeNode } from './chain-tree.ts'

/** Characters of a closed thought that are shown; a text that is only a little longer is shown whole. */
const PREVIEW_CHARS = 240
const WHOLE_CHARS = 320

/** Which nodes a reader has opened or closed, by key; the others are as they come. */
export type Choices = ReadonlyMap<string, boolean>

export function isExpandable(node: TreeNode): boolean {
  return node.kind === 'version' || node.children.length > 0 || (node.kind !== 'branch' && isLong(node.text))
}

export function isExpanded(node: TreeNode, choices: Choices): boolean {
  return choices.get(node.key) ?? isExpandedAtFirst(node)
}

/** Opens or closes everything at once. */
export function chooseAll(nodes: readonly TreeNode[], isOpen: boolean): Choices {
  const choices = new Map<string, boolean>()
  const visit = (node: TreeNode) => {
    if (isExpandable(node)) choices.set(node.key, isOpen)
    node.children.forEach(visit)
  }
  nodes.forEach(visit)
  return choices
}

/** Whether a node's text is shortened: a long one is, until a reader opens the node, or it is the newest. */
export function isCut(node: TreeNode, choices: Choices): boolean {
  if (node.kind !== 'thought' && node.kind !== 'summary') return false
  return isLong(node.text) && !(choices.get(node.key) ?? (node.kind === 'thought' && node.isLast))
}

function isLong(text: string): boolean {
  return text.length > WHOLE_CHARS
}

/** The start of a text, cut at a word where there is one near. */
export function previewOf(text: string): string {
  const cut = text.slice(0, PREVIEW_CHARS)
  const space = cut.search(/\s\S*$/)
  const end = space > PREVIEW_CHARS / 2 ? space : /[\ud800-\udbff]$/.test(cut) ? cut.length - 1 : cut.length
  return `${cut.slice(0, end)}…`
}

function isExpandedAtFirst(node: TreeNode): boolean {
  if (node.kind === 'branch') return true
  return node.kind === 'thought' && (node.isLast || node.children.length > 0)
}
