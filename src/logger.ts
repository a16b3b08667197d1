import type { Logger as PinoLogger } from 'pino'

/** From all to nothing; each level includes those behind it. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]
type RecordLevel = 'debug' | 'info' | 'warn' | 'error' | 'fatal'

/** Characters of a session's id in the log. */
const LOGGED_ID_CHARS = 8

type LogRecord = (fields: object, message: string) => void

/** JSON lines on stderr. No text of a thought is ever logged. */
export type Logger = Readonly<Record<RecordLevel, LogRecord>> & {
  /** Whether records of this level are written; ask before gathering what only the log needs. */
  isEnabled(level: RecordLevel): boolean
  /** Resolves when everything logged so far is written. */
  flush(): Promise<void>
}

/**
 * A logger that loads pino with its first record: a healthy server at the default level writes none, and should
 * not pay for it at every start.
 */
export function createLogger(level: LogLevel): Logger {
  let loading: Promise<PinoLogger> | undefined
  let written = Promise.resolve()
  const isEnabled = (of: RecordLevel) => LOG_LEVELS.indexOf(of) >= LOG_LEVELS.indexOf(level)
  const record =
    (of: RecordLevel): LogRecord =>
    (fields, message) => {
      if (!isEnabled(of)) return
      loading ??= import('./pino-on-stderr.ts').then(({ createPinoOnStderr }) => createPinoOnStderr(level))
      const line = { time: new Date().toISOString(), ...fields }
      written = loading.then((pino) => pino[of](line, message))
    }
  return {
    debug: record('debug'),
    info: record('info'),
    warn: record('warn'),
    error: record('error'),
    fatal: record('fatal'),
    isEnabled,
    flush: () => written,
  }
}

/** The kind of an unexpected error and where it happened; its message could hold text of a thought. */
export function describeFailure(error: unknown) {
  if (!(error instanceof Error)) return { error: typeof error }
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line))
  return { error: error.name, stack: frames?.join('\n') }
}

/** The start of a session's id: enough to follow a chain in the log, too little to use it. */
export function loggedId(sessionId: string): string {
  return sessionId.slice(0, LOGGED_ID_CHARS)
}
