import { useState } from 'preact/hooks'
import { copyText } from './copy.ts'

interface ToolbarProps {
  readonly words: string
  onWords(words: string): void
  onExpandAll(): void
  onCollapseAll(): void
  toMarkdown(): string
}

export function Toolbar({ words, onWords, onExpandAll, onCollapseAll, toMarkdown }: ToolbarProps) {
  const [copied, setCopied] = useState<'copied' | { byHand: string }>()
  const copy = async () => {
    const text = toMarkdown()
    setCopied((await copyText(text)) ? 'copied' : { byHand: text })
  }
  return (
    <>
      <div class="toolbar">
        <input
          type="search"
          placeholder="Filter"
          aria-label="Filter the thoughts by text"
          dir="auto"
          value={words}
          onInput={({ currentTarget }) => onWords(currentTarget.value)}
        />
        <button type="button" onClick={onExpandAll}>
          Expand all
        </button>
        <button type="button" onClick={onCollapseAll}>
          Collapse all
        </button>
        <button type="button" onClick={copy} onBlur={() => copied === 'copied' && setCopied(undefined)}>
          {copied === 'copied' ? 'Copied' : 'Copy as Markdown'}
        </button>
      </div>
      <p class="visually-hidden" role="status">
        {copied === 'copied' ? 'Copied as Markdown' : ''}
      </p>
      {typeof copied === 'object' && (
        <label class="by-hand">
          The clipboard is closed to this view; copy from here:
          <textarea
            readOnly
            rows={6}
            value={copied.byHand}
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
        </label>
      )}
    </>
  )
}
