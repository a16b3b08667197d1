import type { ChainSnapshot } from './chain-snapshot.ts'

/** The snapshot as JSON, indented for people. */
export function toJson(snapshot: ChainSnapshot): string {
  return `${JSON.stringify(snapshot, undefined, 2)}\n`
}
