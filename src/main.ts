import { setFlagsFromString } from 'node:v8'
import type { startAgents } from './agents/start.ts'
import { ALL_SETTINGS, type Config, processEnvironment, readConfig } from './config.ts'
import { createLogger, type Logger } from './logger.ts'
import type { CommandReport } from './record-files/command-report.ts'
import type { SessionFiles } from './record-files/session-files.ts'
import { createServerFactory, VERSION } from './server.ts'
import { createMemoryStore } from './sessions/memory-store.ts'
import { connectStdio, isClosedPipe } from './transports/stdio.ts'

/** How long a signal waits for answers that a client on stdio does not read. */
const STDIO_DEADLINE_MS = 1500

/** Beyond the time that the HTTP server gives to requests in flight. */
const HTTP_DEADLINE_MS = 11_000

/**
 * How much the heap may grow, in percent of what is in use, before a full garbage collection. V8 lets it grow
 * fourfold, which a server that keeps little and drops much would fill with chains long forgotten.
 */
const HEAP_GROWING_PERCENT = 100

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
  if ('list' in commandLine) {
    const { listSessions } = await import('./record-files/list.ts')
    await runCommand(() => listSessions(commandLine.list, process.stdout))
    return
  }
  if ('export' in commandLine) {
    const { exportSessions } = await import('./record-files/export.ts')
    await runCommand(() => exportSessions(commandLine.export, process.stdout))
    return
  }
  const environment = processEnvironment()
  const config = 'problem' in commandLine ? commandLine : readConfig(commandLine.flags, environment)
  if ('problem' in config) return refuse(config.problem)
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWING_PERCENT}`)
  const shutdown = new AbortController()
  const agents = usesModels(config) ? await loadAgents(config, environment, shutdown.signal) : undefined
  if (agents !== undefined && 'problem' in agents) return refuse(agents.problem)
  const logger = createLogger(config.logLevel)
  const files = await createFiles(config, logger)
  const sessions = createMemoryStore(config)
  const createServer = createServerFactory({
    ...config,
    sessions,
    files,
    logger,
    summarize: agents?.summarize,
    moreTools: agents?.createTools(files) ?? [],
  })
  if (config.transport === 'stdio') serveStdio({ config, createServer, logger, shutdown })
  else await serveHttp({ config, createServer, logger, shutdown })
}

function usesModels({ agents, summarizer }: Config): boolean {
  return agents || summarizer === 'llm'
}

// Without --agents nothing of them is read.
async function loadAgents(...args: Parameters<typeof startAgents>) {
  return (await import('./agents/start.ts')).startAgents(...args)
}

function refuse(problem: string): void {
  process.stderr.write(`seqthink-mcp: ${problem}\n`)
  process.exitCode = EXIT_USAGE
}

/** Runs a command of the terminal: what it could not do, a line each, goes to stderr. */
async function runCommand(command: () => Promise<CommandReport>): Promise<void> {
  process.stdout.on('error', (error) => {
    // `… | head` closes the pipe early.
    if (isClosedPipe(error)) return
    process.stderr.write(`seqthink-mcp: the output cannot be written: ${error.message}.\n`)
    process.exitCode = EXIT_FAILED
  })
  const { warnings, isDone } = await command()
  // A file's name may hold what would steer the terminal.
  for (const warning of warnings)
    process.stderr.write(`seqthink-mcp: ${warning.replace(/\p{Cc}/gu, '\ufffd')}\n`)
  if (!isDone) process.exitCode = EXIT_FAILED
}

// Most clients start the server without a flag, so the parser for them is loaded only when there is one.
async function readCommandLine(args: readonly string[]) {
  const { parseCommandLine } = await import('./command-line.ts')
  return parseCommandLine(args, ALL_SETTINGS, VERSION)
}

interface Serving {
  readonly config: Config
  readonly createServer: ReturnType<typeof createServerFactory>
  readonly logger: Logger
  /** Ends what calls models, so that nothing keeps the server from stopping. */
  readonly shutdown: AbortController
}

function serveStdio({ config, createServer, logger, shutdown }: Serving): void {
  const connection = connectStdio({
    stdin: process.stdin,
    stdout: process.stdout,
    createServer,
    maxSessions: config.maxSessions,
    logger,
    onEnd: (problem) => {
      if (problem !== undefined) logger.fatal({}, `${problem.message} The server ends.`)
      logger.flush().finally(() => process.exit(problem === undefined ? 0 : EXIT_FAILED))
    },
  })
  logger.debug({ version: VERSION, transport: config.transport }, 'serving')
  stopOnSignal(connection, { logger, shutdown }, STDIO_DEADLINE_MS)
}

async function serveHttp(serving: Serving): Promise<void> {
  // A client on stdio should not pay for it at every start.
  const { startHttp } = await import('./transports/http/start.ts')
  const started = await startHttp(serving)
  if ('problem' in started) return refuse(started.problem)
  process.stderr.write(`seqthink-mcp listens on ${started.urls.join(' and ')}\n`)
  stopOnSignal(started, serving, HTTP_DEADLINE_MS)
}

function stopOnSignal(
  connection: { finish(): Promise<void> },
  { logger, shutdown }: Pick<Serving, 'logger' | 'shutdown'>,
  deadlineMs: number,
): void {
  const stop = () => {
    // From now on a signal has its default effect: it ends the process at once.
    for (const signal of SIGNALS) process.off(signal, stop)
    setTimeout(() => process.exit(0), deadlineMs).unref()
    shutdown.abort()
    connection
      .finish()
      .then(() => logger.flush())
      .finally(() => process.exit(0))
  }
  for (const signal of SIGNALS) process.on(signal, stop)
}

async function createFiles(config: Config, logger: Logger): Promise<SessionFiles | undefined> {
  const { recordDir } = config
  if (recordDir === undefined) return undefined
  const { createSessionFiles } = await import('./record-files/writer.ts')
  return createSessionFiles({ ...config, recordDir, version: VERSION, logger })
}
