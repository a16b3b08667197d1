import { ALL_SETTINGS, type Config, processEnvironment, readConfig } from './config.ts'
import { createLogger } from './logger.ts'
import { createServerFactory, VERSION } from './server.ts'
import { createMemoryStore } from './sessions/memory-store.ts'
import { connectStdio } from './transports/stdio.ts'

/** How long a signal waits for answers that a client does not read. */
const SHUTDOWN_DEADLINE_MS = 1500

const EXIT_FAILED = 1
const EXIT_USAGE = 2

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** Does what the command line asks for. Resolves when the server runs, or when there is nothing left to do. */
export async function main(args: readonly string[]): Promise<void> {
  const commandLine = args.length === 0 ? { flags: {} } : await readCommandLine(args)
  if ('print' in commandLine) {
    process.stdout.write(commandLine.print)
    return
  }
  const config = 'problem' in commandLine ? commandLine : readConfig(commandLine.flags, processEnvironment())
  if ('problem' in config) {
    process.stderr.write(`seqthink-mcp: ${config.problem}\n`)
    process.exitCode = EXIT_USAGE
    return
  }
  serve(config)
}

// Most clients start the server without a flag, so the parser for them is loaded only when there is one.
async function readCommandLine(args: readonly string[]) {
  const { parseCommandLine } = await import('./command-line.ts')
  return parseCommandLine(args, ALL_SETTINGS, VERSION)
}

function serve(config: Config): void {
  const logger = createLogger(config.logLevel)
  const sessions = createMemoryStore(config)
  const connection = connectStdio({
    stdin: process.stdin,
    stdout: process.stdout,
    createServer: createServerFactory({ ...config, sessions, logger }),
    maxSessions: config.maxSessions,
    logger,
    onEnd: (problem) => {
      if (problem !== undefined) logger.fatal({}, `${problem.message} The server ends.`)
      logger.flush().finally(() => process.exit(problem === undefined ? 0 : EXIT_FAILED))
    },
  })
  logger.debug({ version: VERSION, transport: config.transport }, 'serving')

  const stop = () => {
    // From now on a signal has its default effect: it ends the process at once.
    for (const signal of SIGNALS) process.off(signal, stop)
    setTimeout(() => process.exit(0), SHUTDOWN_DEADLINE_MS).unref()
    connection
      .finish()
      .then(() => logger.flush())
      .finally(() => process.exit(0))
  }
  for (const signal of SIGNALS) process.on(signal, stop)
}
