import { LRUCache } from 'lru-cache'

/**
 * The `max` most recently used values. lru-cache reserves memory for as many entries as `max` says before there is
 * one, and has limits of its own for it; for a size it does neither, so each entry has the size 1.
 */
export function createRecent<V extends {}>(max: number): LRUCache<string, V> {
  return new LRUCache({ maxSize: max, sizeCalculation: () => 1 })
}
