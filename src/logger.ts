import { type DestinationStream, type Logger, pino } from 'pino'

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]
export type { Logger }

/** JSON lines on stderr, written at once: stdout belongs to the protocol. */
export function createLogger(level: LogLevel): Logger {
  const stderr = pino.destination({ dest: 2, sync: true })
  // A client that closes stderr loses the log, nothing else.
  stderr.on('error', () => {})
  return createLoggerTo(stderr, level)
}

export function createLoggerTo(destination: DestinationStream, level: LogLevel): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination)
}
