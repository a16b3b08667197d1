import { useEffect, useRef, useState } from 'preact/hooks'
import type { ChainTree } from './chain-tree.ts'

/** What has changed in the chain since it was last drawn, in a sentence for those who do not see it. */
export function useNews(tree: ChainTree): string {
  const before = useRef(tree)
  const [news, setNews] = useState('')
  useEffect(() => {
    const { current } = before
    before.current = tree
    const revised = (tree.revisions ?? 0) - (current.revisions ?? tree.revisions ?? 0)
    const sentences = [
      ...(tree.steps > current.steps ? [`Thought ${tree.lastNumber} of ${tree.totalThoughts}.`] : []),
      ...(revised > 0 ? [`Thought ${tree.lastNumber} was revised.`] : []),
      ...(current.isOpen && !tree.isOpen
        ? [tree.isStopped ? 'The server stopped the chain.' : 'The chain is closed.']
        : []),
      ...(!current.isOpen && tree.isOpen ? ['The chain goes on.'] : []),
    ]
    if (sentences.length > 0) setNews(sentences.join(' '))
  }, [tree])
  return news
}
