import { useMemo } from 'preact/hooks'
import { plural } from '../documents/markdown-wording.ts'
import type { ThoughtNode, TreeNode, VersionNode } from './chain-tree.ts'
import { EventNote } from './event-note.tsx'
import { previewOf } from './expansion.ts'
import { splitAtMatches } from './filter.ts'
import { wordDiff } from './word-diff.ts'

interface NodeBodyProps {
  readonly node: TreeNode
  readonly isOpen: boolean
  readonly isCut: boolean
  readonly words: string
  readonly onMore: (() => void) | undefined
}

/** What a node says. A long text is cut until the node is opened; a revision shows nothing until then. */
export function NodeBody({ node, isOpen, isCut, words, onMore }: NodeBodyProps) {
  if (node.kind === 'branch') return null
  if (node.kind === 'version') return isOpen ? <Diff version={node} /> : null
  return (
    <>
      <p class="text" dir="auto">
        <Marked text={isCut ? previewOf(node.text) : node.text} words={words} />
        {isCut && (
          <button type="button" class="more" tabIndex={-1} aria-hidden="true" onClick={onMore}>
            more
          </button>
        )}
      </p>
      {node.kind === 'thought' && <Notes thought={node} />}
    </>
  )
}

function Notes({ thought: { events, lostVersions } }: { thought: ThoughtNode }) {
  return (
    <>
      {lostVersions > 0 && (
        <p class="note">
          {plural(lostVersions, 'earlier text')} {lostVersions === 1 ? 'is' : 'are'} no longer kept.
        </p>
      )}
      {events.map((event) => (
        <EventNote key={`${event.at} ${event.kind}`} event={event} />
      ))}
    </>
  )
}

function Marked({ text, words }: { text: string; words: string }) {
  const parts = splitAtMatches(text, words)
  return <>{parts.map((part, i) => (i % 2 === 1 ? <mark key={i}>{part}</mark> : part))}</>
}

function Diff({ version: { before, after } }: { version: VersionNode }) {
  const parts = useMemo(() => wordDiff(before, after), [before, after])
  return (
    <p class={parts.some(({ kind }) => kind === 'same') ? 'text diff' : 'text diff replaced'} dir="auto">
      {parts.map(({ kind, text }, i) => {
        const key = `${i} ${kind}`
        if (kind === 'gone') return <del key={key}>{text}</del>
        return kind === 'new' ? <ins key={key}>{text}</ins> : <span key={key}>{text}</span>
      })}
    </p>
  )
}
