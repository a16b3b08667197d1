import type { EventSnapshot, SummarySnapshot } from './chain-snapshot.ts'
import { inline } from './markdown-text.ts'

export function sentenceOf(event: EventSnapshot): string {
  const version = event.revisionNumber === 0 ? '' : `, revision ${event.revisionNumber}`
  const at = `thought ${event.thoughtNumber} of ${nameOf(event.branchId)}${version}`
  switch (event.kind) {
    case 'stopped':
      return `${at}: stopped by the server. ${inline(event.text ?? '')}`
    case 'closed':
      return `${at}: closed${event.isEarly ? ', before all the thoughts that were planned' : ''}.`
    case 'reopened':
      return `${at}: reopened.`
    case 'repeated':
      return `${at}: repeats thought ${event.earlierNumber}.`
  }
}

export function toRange({ from, to, branchId }: SummarySnapshot['summarizes'][number]): string {
  return `${from === to ? `thought ${from}` : `thoughts ${from} to ${to}`} of ${nameOf(branchId)}`
}

export function nameOf(branchId: string | undefined): string {
  return branchId === undefined ? 'the main line' : `branch “${inline(branchId)}”`
}

export function plural(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : noun === 'branch' ? 'branches' : `${noun}s`}`
}

/** "2026-12-01 09:30:00 UTC" */
export function timeOf(iso: string): string {
  return `${iso.slice(0, 19).replace('T', ' ')} UTC`
}
