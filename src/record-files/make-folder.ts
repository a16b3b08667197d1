import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** For the owner alone. */
const MODE = 0o700

/**
 * Makes a folder, and those above it that are missing. Node's own `recursive` does not return where a folder is
 * refused as if the one above it were missing, as everywhere below /proc (Node 20).
 *
 * @throws Error when the system refuses
 */
export function makeFolder(path: string): void {
  if (isFolder(path)) return
  const parent = dirname(path)
  if (parent !== path) makeFolder(parent)
  try {
    mkdirSync(path, { mode: MODE })
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!isFolder(path)) throw error
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
