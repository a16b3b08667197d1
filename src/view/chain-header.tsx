import { plural } from '../documents/markdown-wording.ts'
import type { ChainTree } from './chain-tree.ts'
import { Time } from './time.tsx'

/** Characters of an ISO time up to its seconds, which is what is shown of it. */
const TO_THE_SECOND = '2026-01-01T00:00:00'.length

/** Where the chain stands: open or not, how much there is, how far it is. */
export function ChainHeader({ tree }: { tree: ChainTree }) {
  const { isOpen, isStopped, steps, revisions, branches, opened, lastCall, lastNumber, totalThoughts } = tree
  const state = isOpen ? 'open' : isStopped ? 'stopped' : 'closed'
  const counts = [
    plural(steps, 'thought'),
    ...(revisions ? [plural(revisions, 'revision')] : []),
    ...(branches > 0 ? [plural(branches, 'branch')] : []),
  ]
  return (
    <header class="header">
      <p class="facts">
        <span class={`state ${state}`}>{state}</span>
        <span>{counts.join(' · ')}</span>
        {opened !== undefined && lastCall !== undefined && (
          <span class="times">
            <Time iso={opened} />
            {lastCall.slice(0, TO_THE_SECOND) !== opened.slice(0, TO_THE_SECOND) && (
              <>
                {' – '}
                <Time iso={lastCall} />
              </>
            )}
          </span>
        )}
      </p>
      <div class="progress">
        <progress value={lastNumber} max={totalThoughts} aria-label="Progress of the chain" />
        <span>
          {lastNumber} of {totalThoughts}
        </span>
      </div>
    </header>
  )
}
