import { useMemo, useState } from 'preact/hooks'
import { ChainHeader } from './chain-header.tsx'
import type { ChainTree } from './chain-tree.ts'
import { EventNote } from './event-note.tsx'
import { type Choices, chooseAll } from './expansion.ts'
import { countMatches, filterNodes } from './filter.ts'
import { Toolbar } from './toolbar.tsx'
import { Tree } from './tree.tsx'
import { useNews } from './use-news.ts'

/** A chain with what it takes to read it: its state, the tools, the tree. */
export function ChainPanel({ tree, problem }: { tree: ChainTree; problem?: string | undefined }) {
  const [choices, setChoices] = useState<Choices>(new Map())
  const [words, setWords] = useState('')
  const nodes = useMemo(() => filterNodes(tree.nodes, words), [tree, words])
  const matches = useMemo(() => countMatches(tree.nodes, words), [tree, words])
  const isFiltered = words.trim() !== ''
  const shownChoices = useMemo(
    () => (isFiltered ? chooseAll(nodes, true) : choices),
    [isFiltered, nodes, choices],
  )
  const found = isFiltered ? `${matches} ${matches === 1 ? 'text has' : 'texts have'} these words` : undefined
  const news = useNews(tree)

  return (
    <div class="panel">
      <ChainHeader tree={tree} />
      <Toolbar
        words={words}
        onWords={setWords}
        onExpandAll={() => setChoices(chooseAll(tree.nodes, true))}
        onCollapseAll={() => setChoices(chooseAll(tree.nodes, false))}
        toMarkdown={tree.toMarkdown}
      />
      {[...(problem === undefined ? [] : [problem]), ...tree.gaps].map((sentence) => (
        <p key={sentence} class="gap">
          {sentence}
        </p>
      ))}
      {found && <p class="gap">{found}</p>}
      <Tree
        nodes={nodes}
        words={words}
        choices={shownChoices}
        onToggle={(key, isOpen) => setChoices((before) => new Map(before).set(key, isOpen))}
      />
      {tree.otherEvents.map((event) => (
        <EventNote key={`${event.at} ${event.kind}`} event={event} isElsewhere />
      ))}
      <p class="visually-hidden" role="status">
        {found ?? news}
      </p>
    </div>
  )
}
