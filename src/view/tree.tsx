import { useRef, useState } from 'preact/hooks'
import type { TreeNode } from './chain-tree.ts'
import type { Choices } from './expansion.ts'
import { TreeItem } from './tree-item.tsx'
import { moveFocus } from './tree-keys.ts'
import { useFirstItems } from './use-first-items.ts'

interface TreeProps {
  readonly nodes: readonly TreeNode[]
  /** What the reader looks for; empty when nothing. */
  readonly words: string
  readonly choices: Choices
  onToggle(key: string, isOpen: boolean): void
}

/** The chain as a tree of the ARIA kind: one stop for the Tab key, arrows inside. */
export function Tree({ nodes, words, choices, onToggle }: TreeProps) {
  const tree = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState<string>()
  const { first, isCut } = useFirstItems(nodes)
  const activeKey = hasKey(nodes, active) ? active : nodes[0]?.key
  return (
    <div
      class="tree"
      role="tree"
      aria-label="Chain of thought"
      aria-busy={isCut || undefined}
      ref={tree}
      onKeyDown={(event) => tree.current && moveFocus(tree.current, event, onToggle)}
    >
      {first.map((node) => (
        <TreeItem
          key={node.key}
          node={node}
          level={1}
          words={words}
          choices={choices}
          activeKey={activeKey}
          onToggle={onToggle}
          onActive={setActive}
        />
      ))}
    </div>
  )
}

function hasKey(nodes: readonly TreeNode[], key: string | undefined): boolean {
  return key !== undefined && nodes.some((node) => node.key === key || hasKey(node.children, key))
}
