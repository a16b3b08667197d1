import { type Logger, pino } from 'pino'

/** Writes each line at once and without a worker thread: stdout belongs to the protocol. */
export function createPinoOnStderr(level: string): Logger {
  const stderr = pino.destination({ dest: 2, sync: true })
  // A client that closes stderr loses the log, nothing else.
  stderr.on('error', () => {})
  return pino({ level, base: null, timestamp: false }, stderr)
}
