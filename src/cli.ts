import { type Config, parseInvocation, processEnvironment } from './config.ts'
import { createLogger } from './logger.ts'
import { createServerFactory, VERSION } from './server.ts'
import { createMemoryStore } from './sessions/memory-store.ts'
import { connectStdio } from './transports/stdio.ts'

/** How long a signal waits for answers that a client does not read. */
const SHUTDOWN_DEADLINE_MS = 1500

const EXIT_FAILED = 1
const EXIT_USAGE = 2

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

const invocation = parseInvocation(process.argv.slice(2), processEnvironment(), VERSION)
switch (invocation.kind) {
  case 'serve':
    serve(invocation.config)
    break
  case 'print':
    process.stdout.write(invocation.text)
    break
  case 'fail':
    process.stderr.write(`seqthink-mcp: ${invocation.message}\n`)
    process.exitCode = EXIT_USAGE
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
      if (problem !== undefined) logger.fatal(`${problem.message} The server ends.`)
      process.exit(problem === undefined ? 0 : EXIT_FAILED)
    },
  })
  logger.debug({ version: VERSION, transport: config.transport }, 'serving')

  const stop = () => {
    // From now on a signal has its default effect: it ends the process at once.
    for (const signal of SIGNALS) process.off(signal, stop)
    setTimeout(() => process.exit(0), SHUTDOWN_DEADLINE_MS).unref()
    connection.finish().finally(() => process.exit(0))
  }
  for (const signal of SIGNALS) process.on(signal, stop)
}
