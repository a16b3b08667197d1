import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { describeFailure, type Logger } from '../logger.ts'
import { createRecent } from '../sessions/recent.ts'
import type { FileHeader } from './format.ts'
import { makeFolder } from './make-folder.ts'
import { FILE_SUFFIX, FORMAT, type SessionFiles } from './session-files.ts'

const FILE_MODE = 0o600

/** A new file, never one that is there already or that a link points to. */
const START = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL

/** A file that was started before: without its first line, the others would mean nothing. */
const CONTINUE = constants.O_WRONLY | constants.O_APPEND

const NOTICE =
  'The server could not write this chain to its record folder; the chain itself is complete and goes on.'

export interface SessionFilesOptions {
  readonly recordDir: string
  readonly recordBudget: number
  readonly maxSessions: number
  readonly version: string
  readonly logger: Logger
}

/**
 * Writes each session to `recordDir/{sessionId}.jsonl`. A call is on its way to the disk, in the order of the
 * calls, before it is answered: the write is synchronous, so that what was answered survives the death of the
 * process. It is not synced, so a machine that loses power may lose the last seconds.
 */
export function createSessionFiles(options: SessionFilesOptions): SessionFiles {
  const { recordDir, recordBudget, maxSessions, version, logger } = options
  // A file that lacks a call cannot be continued.
  const broken = createRecent<true>(maxSessions)
  let hasFailed = false

  function write(sessionId: string, flags: number, lines: readonly object[]): string | undefined {
    if (broken.has(sessionId)) return undefined
    try {
      if (flags === START) makeFolder(recordDir)
      writeLines(join(recordDir, `${sessionId}${FILE_SUFFIX}`), flags, lines)
      return undefined
    } catch (error) {
      broken.set(sessionId, true)
      if (hasFailed) return undefined
      hasFailed = true
      logger.error({ recordDir, ...describeFailure(error), code: codeOf(error) }, 'cannot write the record')
      return NOTICE
    }
  }

  return {
    start: ({ sessionId, limits }, call) => {
      const header: FileHeader = { type: 'session', format: FORMAT, version, sessionId, limits, recordBudget }
      return write(sessionId, START, [header, call])
    },
    append: (sessionId, call) => write(sessionId, CONTINUE, [call]),
  }
}

function writeLines(file: string, flags: number, lines: readonly object[]): void {
  const bytes = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const descriptor = openSync(file, flags, FILE_MODE)
  try {
    let written = 0
    while (written < bytes.length) written += writeSync(descriptor, bytes, written)
  } finally {
    closeSync(descriptor)
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
