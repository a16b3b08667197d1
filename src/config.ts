import * as z from 'zod'
import { type Budgets, DEFAULT_BUDGETS } from './engine/history.ts'
import { DEFAULT_LIMITS, type Limits } from './engine/limits.ts'
import { DEFAULT_RECORD } from './engine/record.ts'
import { LOG_LEVELS, type LogLevel } from './logger.ts'
import { boolean, hostName, integer, list, oneOf, origin } from './setting-values.ts'

export interface Config {
  readonly limits: Limits
  readonly budgets: Budgets
  /** Sessions kept for each caller, the most recently used ones. */
  readonly maxSessions: number
  /** Characters of earlier texts kept for each chain; 0 for none. */
  readonly recordBudget: number
  /** Where each chain is written to a file of its own. */
  readonly recordDir: string | undefined
  /** Whether clients that support MCP Apps get a view of the chain. */
  readonly hasView: boolean
  readonly logLevel: LogLevel
  readonly transport: (typeof TRANSPORTS)[number]
  readonly http: HttpConfig
  /** Whether the tool `sequentialthinking` is offered, which calls a model provider. */
  readonly agents: boolean
  /** Seconds that its agents have for one thought, all together. */
  readonly agentsDeadline: number
  /** Who words the summary of the earliest thoughts: the server itself, or a model of the provider. */
  readonly summarizer: (typeof SUMMARIZERS)[number]
}

/** An hour: timers go no further than 24 days, and no client waits that long. */
const MAX_DEADLINE_S = 3600

const SUMMARIZERS = ['excerpt', 'llm'] as const

/** What only the transports over the network use. */
export interface HttpConfig {
  readonly host: string
  /** 0 picks a free one. */
  readonly port: number
  /** Bearer tokens as `name:token`, separated by commas; empty when there are none. */
  readonly authTokens: string
  /** Path of a file of such tokens, one a line; empty when there is none. */
  readonly authTokensFile: string
  /** Host names without port, beside those of loopback and `host` itself. */
  readonly allowedHosts: readonly string[]
  /** Origins of web pages, as browsers send them. */
  readonly allowedOrigins: readonly string[]
  readonly allowUnauthenticated: boolean
}

const TRANSPORTS = ['stdio', 'http', 'sse'] as const

/** One setting, as the table in README.md shows it. */
export interface Setting<T = unknown> {
  /** Absent where a value on the command line, which other users of the machine can read, would be a leak. */
  readonly flag?: string
  /** Whether the flag stands alone, without a value, and means `true`, or `false` where it begins with `--no-`. */
  readonly isSwitch?: boolean
  readonly environment: string
  readonly default: T
  readonly meaning: string
  /** Made only for a value that is given: most starts have none, and making a schema takes time. */
  readonly schema: () => z.ZodType<T, string>
}

const NO_NAMES: string[] = []

const SETTINGS = {
  maxThoughtChars: {
    flag: '--max-thought-chars',
    environment: 'SEQTHINK_MAX_THOUGHT_CHARS',
    default: DEFAULT_LIMITS.maxThoughtChars,
    meaning: 'characters of one thought',
    schema: () => integer(1),
  },
  maxSteps: {
    flag: '--max-steps',
    environment: 'SEQTHINK_MAX_STEPS',
    default: DEFAULT_LIMITS.maxSteps,
    meaning: 'steps after which a chain is told to stop; at twice as many, further ones are refused',
    schema: () => integer(1),
  },
  maxChainLength: {
    flag: '--max-chain-length',
    environment: 'SEQTHINK_MAX_CHAIN_LENGTH',
    default: DEFAULT_LIMITS.maxChainLength,
    meaning: 'thoughts a chain holds before its ten earliest become one summary (at least 11)',
    schema: () => integer(11),
  },
  maxRevisions: {
    flag: '--max-revisions',
    environment: 'SEQTHINK_MAX_REVISIONS',
    default: DEFAULT_LIMITS.maxRevisions,
    meaning: 'revisions of one thought',
    schema: () => integer(0),
  },
  maxBranches: {
    flag: '--max-branches',
    environment: 'SEQTHINK_MAX_BRANCHES',
    default: DEFAULT_LIMITS.maxBranches,
    meaning: 'branches of one chain',
    schema: () => integer(1),
  },
  maxSessions: {
    flag: '--max-sessions',
    environment: 'SEQTHINK_MAX_SESSIONS',
    default: 1000,
    meaning: 'chains kept in memory, the most recently used ones',
    schema: () => integer(1),
  },
  historyBudget: {
    flag: '--history-budget',
    environment: 'SEQTHINK_HISTORY_BUDGET',
    default: DEFAULT_BUDGETS.historyBudget,
    meaning: 'characters up to which every result carries the whole chain (`full`: always, 0: never)',
    schema: () => z.union([z.literal('full'), integer(0)], 'must be an integer of 0 or more, or "full"'),
  },
  closingBudget: {
    flag: '--closing-budget',
    environment: 'SEQTHINK_CLOSING_BUDGET',
    default: DEFAULT_BUDGETS.closingBudget,
    meaning: 'characters of the chain that the last call gets back (0: none)',
    schema: () => integer(0),
  },
  recordBudget: {
    flag: '--record-budget',
    environment: 'SEQTHINK_RECORD_BUDGET',
    default: DEFAULT_RECORD.recordBudget,
    meaning: 'characters of replaced and summarized texts kept for each chain, the newest ones (0: none)',
    schema: () => integer(0),
  },
  recordDir: {
    flag: '--record-dir',
    environment: 'SEQTHINK_RECORD_DIR',
    default: '',
    meaning: 'folder in which each chain is written to a file as it goes (empty: none)',
    schema: () => z.string(),
  },
  view: {
    flag: '--no-view',
    isSwitch: true,
    environment: 'SEQTHINK_VIEW',
    default: true,
    meaning:
      'whether clients that support MCP Apps draw the chain in the conversation; the flag turns it off',
    schema: boolean,
  },
  logLevel: {
    flag: '--log-level',
    environment: 'LOG_LEVEL',
    default: 'warn',
    meaning: `what is logged on stderr: ${LOG_LEVELS.join(', ')}`,
    schema: () => oneOf(LOG_LEVELS),
  },
  transport: {
    flag: '--transport',
    environment: 'SEQTHINK_TRANSPORT',
    default: 'stdio',
    meaning:
      'how clients reach the server: `stdio`, `http` (Streamable HTTP at /mcp), `sse` (that, and the older HTTP+SSE at /sse)',
    schema: () => oneOf(TRANSPORTS),
  },
  port: {
    flag: '--port',
    environment: 'SEQTHINK_PORT',
    default: 8090,
    meaning: 'port for `http` and `sse` (0: any free one)',
    schema: () => integer(0).refine((port) => port < 65_536, 'must be a port, at most 65535'),
  },
  host: {
    flag: '--host',
    environment: 'SEQTHINK_HOST',
    default: '127.0.0.1',
    meaning: 'address to listen on; any but loopback needs tokens',
    schema: () => z.string().trim().min(1, 'must be an address or a host name'),
  },
  authTokens: {
    environment: 'SEQTHINK_AUTH_TOKENS',
    default: '',
    meaning: 'who may connect: `name:token`, separated by commas. Each name has chains of its own',
    schema: () => z.string(),
  },
  authTokensFile: {
    flag: '--auth-tokens-file',
    environment: 'SEQTHINK_AUTH_TOKENS_FILE',
    default: '',
    meaning: 'file with such tokens, one a line',
    schema: () => z.string(),
  },
  allowedHosts: {
    flag: '--allowed-hosts',
    environment: 'SEQTHINK_ALLOWED_HOSTS',
    default: NO_NAMES,
    meaning:
      'host names, separated by commas, under which clients reach the server, beside loopback and --host',
    schema: () => list(hostName()),
  },
  allowedOrigins: {
    flag: '--allowed-origins',
    environment: 'SEQTHINK_ALLOWED_ORIGINS',
    default: NO_NAMES,
    meaning:
      'origins, separated by commas, whose web pages may connect, beside those of loopback on loopback',
    schema: () => list(origin()),
  },
  allowUnauthenticated: {
    flag: '--allow-unauthenticated',
    isSwitch: true,
    environment: 'SEQTHINK_ALLOW_UNAUTHENTICATED',
    default: false,
    meaning: 'listen on any address without tokens: whoever reaches it can use it',
    schema: boolean,
  },
  agents: {
    flag: '--agents',
    isSwitch: true,
    environment: 'SEQTHINK_AGENTS',
    default: false,
    meaning:
      'offer `sequentialthinking`, which sends each thought to six specialist agents of a model provider',
    schema: boolean,
  },
  agentsDeadline: {
    flag: '--agents-deadline',
    environment: 'SEQTHINK_AGENTS_DEADLINE',
    default: 240,
    meaning: 'seconds that the agents have for one thought, all together',
    schema: () =>
      integer(1).refine((seconds) => seconds <= MAX_DEADLINE_S, `must be at most ${MAX_DEADLINE_S}`),
  },
  summarizer: {
    flag: '--summarizer',
    environment: 'SEQTHINK_SUMMARIZER',
    default: 'excerpt',
    meaning:
      'who words the summary of the earliest thoughts: `excerpt` (leading sentences), `llm` (a model of the provider)',
    schema: () => oneOf(SUMMARIZERS),
  },
} as const satisfies Record<string, Setting>

/** All settings, in the order of the README's table. */
export const ALL_SETTINGS: readonly Setting[] = Object.values(SETTINGS)

/**
 * Reads flags, which win, then the environment, then the defaults.
 *
 * @returns the configuration, or what is wrong with all the values that cannot be used, in one line
 */
export function readConfig(
  flags: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string | undefined>>,
): Config | { problem: string } {
  const problems: string[] = []
  function read<T>(name: keyof typeof SETTINGS, setting: Setting<T>): T {
    const flag = flags[name]
    // Clients write empty strings for variables that they were given no value for.
    const given = flag ?? (environment[setting.environment] || undefined)
    if (given === undefined) return setting.default
    const parsed = setting.schema().safeParse(given)
    if (parsed.success) return parsed.data
    const source = flag === undefined ? setting.environment : setting.flag
    problems.push(`${source} is ${JSON.stringify(given)}; it ${parsed.error.issues[0]?.message}`)
    return setting.default
  }
  const config: Config = {
    limits: {
      maxThoughtChars: read('maxThoughtChars', SETTINGS.maxThoughtChars),
      maxSteps: read('maxSteps', SETTINGS.maxSteps),
      maxChainLength: read('maxChainLength', SETTINGS.maxChainLength),
      maxRevisions: read('maxRevisions', SETTINGS.maxRevisions),
      maxBranches: read('maxBranches', SETTINGS.maxBranches),
    },
    budgets: {
      historyBudget: read('historyBudget', SETTINGS.historyBudget),
      closingBudget: read('closingBudget', SETTINGS.closingBudget),
    },
    maxSessions: read('maxSessions', SETTINGS.maxSessions),
    recordBudget: read('recordBudget', SETTINGS.recordBudget),
    recordDir: read('recordDir', SETTINGS.recordDir) || undefined,
    hasView: read('view', SETTINGS.view),
    logLevel: read('logLevel', SETTINGS.logLevel),
    transport: read('transport', SETTINGS.transport),
    http: {
      port: read('port', SETTINGS.port),
      host: read('host', SETTINGS.host),
      authTokens: read('authTokens', SETTINGS.authTokens),
      authTokensFile: read('authTokensFile', SETTINGS.authTokensFile),
      allowedHosts: read('allowedHosts', SETTINGS.allowedHosts),
      allowedOrigins: read('allowedOrigins', SETTINGS.allowedOrigins),
      allowUnauthenticated: read('allowUnauthenticated', SETTINGS.allowUnauthenticated),
    },
    agents: read('agents', SETTINGS.agents),
    agentsDeadline: read('agentsDeadline', SETTINGS.agentsDeadline),
    summarizer: read('summarizer', SETTINGS.summarizer),
  }
  return problems.length === 0 ? config : { problem: problems.join('; ') }
}

/** The variables of this process: the only place that reads them. */
export function processEnvironment(): Record<string, string | undefined> {
  return process.env
}
