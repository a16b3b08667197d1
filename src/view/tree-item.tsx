import type { TreeNode } from './chain-tree.ts'
import { type Choices, isCut, isExpandable, isExpanded } from './expansion.ts'
import { NodeBody } from './node-body.tsx'
import { NodeHead } from './node-head.tsx'

export interface TreeItemProps {
  readonly node: TreeNode
  readonly level: number
  readonly words: string
  readonly choices: Choices
  /** The item that the Tab key stops at. */
  readonly activeKey: string | undefined
  onToggle(key: string, isOpen: boolean): void
  onActive(key: string): void
}

/** One node with those under it: a thought, a revision, a branch or the summary. */
export function TreeItem({ node, level, ...shared }: TreeItemProps) {
  const { words, choices, activeKey, onToggle, onActive } = shared
  const isOpen = isExpanded(node, choices)
  const canOpen = isExpandable(node)
  const hasMore = isCut(node, choices)
  const toggle = canOpen ? () => onToggle(node.key, hasMore || !isOpen) : undefined
  return (
    <div class={`item ${node.kind}`} role="none">
      <div
        class="entry"
        role="treeitem"
        data-key={node.key}
        data-has-more={hasMore}
        aria-level={level}
        aria-expanded={canOpen ? isOpen : undefined}
        tabIndex={node.key === activeKey ? 0 : -1}
        onFocus={() => onActive(node.key)}
      >
        {/* biome-ignore lint/a11y: keys reach the item itself; the row is a larger place to click. */}
        <div class="row" onClick={toggle} data-can-open={canOpen || undefined}>
          <span class="chevron" aria-hidden="true" />
          <NodeHead node={node} />
        </div>
        <div class="body">
          <NodeBody node={node} isOpen={isOpen} isCut={hasMore} words={words} onMore={toggle} />
        </div>
      </div>
      {isOpen && node.children.length > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset groups controls, not items of a tree.
        <div class="group" role="group">
          {node.children.map((child) => (
            <TreeItem key={child.key} node={child} level={level + 1} {...shared} />
          ))}
        </div>
      )}
    </div>
  )
}
