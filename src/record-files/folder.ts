import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type RecordedSession, readSessionFile } from './reader.ts'
import { FILE_SUFFIX } from './session-files.ts'

export interface FoundSessions {
  /** The last used first. */
  readonly sessions: readonly RecordedSession[]
  /** A sentence for each file that is torn, damaged or no record. */
  readonly warnings: readonly string[]
  readonly isFolder: boolean
}

/** Reads one session's file, or all of a folder. What cannot be read is told, not thrown. */
export async function findSessions(source: string): Promise<FoundSessions> {
  const warnings: string[] = []
  const sessions: RecordedSession[] = []
  let isFolder = false
  try {
    isFolder = (await stat(source)).isDirectory()
    const files = isFolder
      ? (await readdir(source)).filter((name) => name.endsWith(FILE_SUFFIX)).map((name) => join(source, name))
      : [source]
    for (const file of files.sort()) {
      // A pipe among them would be waited for for ever.
      if (isFolder && !(await isRegular(file))) {
        warnings.push(`${basename(file)} is left out: it is no file.`)
        continue
      }
      const read = await readSessionFile(file).catch((error: unknown) => reasonOf(error))
      if (typeof read === 'string') {
        warnings.push(`${basename(file)} is left out: ${read}.`)
        continue
      }
      sessions.push(read)
      if (read.problem !== undefined) warnings.push(`${basename(file)}: ${read.problem}`)
    }
  } catch (error) {
    warnings.push(`${source} cannot be read: ${reasonOf(error)}.`)
  }
  sessions.sort((a, b) => b.chain.lastCallMs - a.chain.lastCallMs)
  return { sessions, warnings, isFolder }
}

/** What cannot be looked at is left to the reading, which says why. */
async function isRegular(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => true,
  )
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
