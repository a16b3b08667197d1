import type { FileHeader, RecordedCall } from './format.ts'

/** What a session's file ends in; its name is the id that the server made. */
export const FILE_SUFFIX = '.jsonl'

/** Raised when older readers would misread a file. */
export const FORMAT = 1

/** Keeps a copy of sessions outside the process. A copy that fails never fails the call. */
export interface SessionFiles {
  /**
   * Starts the file of a new session with its first call.
   *
   * @returns a sentence for the caller, the first time that writing fails
   */
  start(header: Pick<FileHeader, 'sessionId' | 'limits'>, call: RecordedCall): string | undefined

  /** Adds a call to the file of a session; see {@link start}. */
  append(sessionId: string, call: RecordedCall): string | undefined
}
