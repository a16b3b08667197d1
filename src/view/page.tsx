import { ChainPanel } from './chain-panel.tsx'
import type { ChainTree } from './chain-tree.ts'

/** The chain as a page of its own, without a host. */
export function Page({ tree }: { tree: ChainTree }) {
  return (
    <div class="page">
      <h1 dir="auto">{tree.opening || 'A chain of thought'}</h1>
      <ChainPanel tree={tree} />
    </div>
  )
}
