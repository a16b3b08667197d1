import type { Agents, startAgents } from './agents/start.ts'
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
  const environment = processEnvironment()
  const config = 'problem' in commandLine ? commandLine : readConfig(commandLine.flags, environment)
  if ('problem' in config) return refuse(config.problem)
  const shutdown = new AbortController()
  const agents = usesModels(config) ? await loadAgents(config, environment, shutdown.signal) : undefined
  if (agents !== undefined && 'problem' in agents) return refuse(agents.problem)
  serve(config, agents, shutdown)
}

function refuse(problem: string): void {
  process.stderr.write(`seqthink-mcp: ${problem}\n`)
  process.exitCode = EXIT_USAGE
}

function usesModels({ agents, summarizer }: Config): boolean {
  return agents || summarizer === 'llm'
}

// Without --agents nothing of them is read.
async function loadAgents(...args: Parameters<typeof startAgents>) {
  return (await import('./agents/start.ts')).startAgents(...args)
}

// Most clients start the server without a flag, so the parser for them is loaded only when there is one.
async function readCommandLine(args: readonly string[]) {
  const { parseCommandLine } = await import('./command-line.ts')
  return parseCommandLine(args, ALL_SETTINGS, VERSION)
}

function serve(config: Config, agents: Agents | undefined, shutdown: AbortController): void {
  const logger = createLogger(config.logLevel)
  const sessions = createMemoryStore(config)
  const connection = connectStdio({
    stdin: process.stdin,
    stdout: process.stdout,
    createServer: createServerFactory({ ...config, ...agents, sessions, logger }),
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
    shutdown.abort()
    connection
      .finish()
      .then(() => logger.flush())
      .finally(() => process.exit(0))
  }
  for (const signal of SIGNALS) process.on(signal, stop)
}
