import type { EventSnapshot } from '../documents/chain-snapshot.ts'
import { Time } from './time.tsx'

/** A stop, a warning, a closing or a reopening, under the thought at which it happened. */
export function EventNote({ event, isElsewhere = false }: { event: EventSnapshot; isElsewhere?: boolean }) {
  const isWarning = event.kind === 'stopped' || event.kind === 'repeated' || event.isEarly === true
  return (
    <p class={isWarning ? 'note warning' : 'note'}>
      {isElsewhere && `Thought ${event.thoughtNumber}: `}
      {sentenceOf(event)} <Time iso={event.at} />
      {event.text !== undefined && <span dir="auto">{event.text}</span>}
    </p>
  )
}

function sentenceOf({ kind, isEarly, earlierNumber }: EventSnapshot): string {
  switch (kind) {
    case 'stopped':
      return 'Stopped by the server.'
    case 'closed':
      return isEarly ? 'Closed early, before all the thoughts that were planned.' : 'Closed.'
    case 'reopened':
      return 'Reopened by a later call.'
    case 'repeated':
      return `Says what thought ${earlierNumber} said.`
  }
}
