import * as z from 'zod'
import { type Budgets, DEFAULT_BUDGETS } from './engine/history.ts'
import { DEFAULT_LIMITS, type Limits } from './engine/limits.ts'
import { LOG_LEVELS, type LogLevel } from './logger.ts'

export interface Config {
  readonly limits: Limits
  readonly budgets: Budgets
  /** Sessions kept for each caller, the most recently used ones. */
  readonly maxSessions: number
  readonly logLevel: LogLevel
  readonly transport: 'stdio'
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

/** One setting, as the table in README.md shows it. */
export interface Setting {
  readonly flag: string
  /** Whether the flag stands alone, without a value, and means `true`. */
  readonly isSwitch?: boolean
  readonly environment: string
  readonly default: string
  readonly meaning: string
  readonly schema: z.ZodType
}

/** An integer in decimal digits, as flags and environment variables spell it. */
function integer(min: number) {
  const hint = `must be an integer of ${min} or more`
  return z
    .string()
    .trim()
    .regex(/^\d+$/, hint)
    .transform(Number)
    .refine((value) => Number.isSafeInteger(value) && value >= min, hint)
}

const BOOLEANS: Record<string, boolean> = {
  true: true,
  1: true,
  yes: true,
  false: false,
  0: false,
  no: false,
}

const boolean = z
  .string()
  .transform((text) => BOOLEANS[text.trim().toLowerCase()])
  .pipe(z.boolean('must be true or false'))

function oneOf<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values, `must be one of ${values.join(', ')}`)
}

const SETTINGS = {
  maxThoughtChars: {
    flag: '--max-thought-chars',
    environment: 'SEQTHINK_MAX_THOUGHT_CHARS',
    default: `${DEFAULT_LIMITS.maxThoughtChars}`,
    meaning: 'characters of one thought',
    schema: integer(1),
  },
  maxSteps: {
    flag: '--max-steps',
    environment: 'SEQTHINK_MAX_STEPS',
    default: `${DEFAULT_LIMITS.maxSteps}`,
    meaning: 'steps after which a chain is told to stop; at twice as many, further ones are refused',
    schema: integer(1),
  },
  maxChainLength: {
    flag: '--max-chain-length',
    environment: 'SEQTHINK_MAX_CHAIN_LENGTH',
    default: `${DEFAULT_LIMITS.maxChainLength}`,
    meaning: 'thoughts a chain holds before its ten earliest become one summary (at least 11)',
    schema: integer(11),
  },
  maxRevisions: {
    flag: '--max-revisions',
    environment: 'SEQTHINK_MAX_REVISIONS',
    default: `${DEFAULT_LIMITS.maxRevisions}`,
    meaning: 'revisions of one thought',
    schema: integer(0),
  },
  maxBranches: {
    flag: '--max-branches',
    environment: 'SEQTHINK_MAX_BRANCHES',
    default: `${DEFAULT_LIMITS.maxBranches}`,
    meaning: 'branches of one chain',
    schema: integer(1),
  },
  maxSessions: {
    flag: '--max-sessions',
    environment: 'SEQTHINK_MAX_SESSIONS',
    default: '1000',
    meaning: 'chains kept in memory, the most recently used ones',
    schema: integer(1),
  },
  historyBudget: {
    flag: '--history-budget',
    environment: 'SEQTHINK_HISTORY_BUDGET',
    default: `${DEFAULT_BUDGETS.historyBudget}`,
    meaning: 'characters up to which every result carries the whole chain (`full`: always, 0: never)',
    schema: z.union([z.literal('full'), integer(0)], 'must be an integer of 0 or more, or "full"'),
  },
  closingBudget: {
    flag: '--closing-budget',
    environment: 'SEQTHINK_CLOSING_BUDGET',
    default: `${DEFAULT_BUDGETS.closingBudget}`,
    meaning: 'characters of the chain that the last call gets back (0: none)',
    schema: integer(0),
  },
  logLevel: {
    flag: '--log-level',
    environment: 'LOG_LEVEL',
    default: 'warn',
    meaning: `what is logged on stderr: ${LOG_LEVELS.join(', ')}`,
    schema: oneOf(LOG_LEVELS),
  },
  transport: {
    flag: '--transport',
    environment: 'SEQTHINK_TRANSPORT',
    default: 'stdio',
    meaning: 'how clients reach the server: `stdio`',
    schema: oneOf(['stdio']),
  },
  agents: {
    flag: '--agents',
    isSwitch: true,
    environment: 'SEQTHINK_AGENTS',
    default: 'false',
    meaning:
      'offer `sequentialthinking`, which sends each thought to six specialist agents of a model provider',
    schema: boolean,
  },
  agentsDeadline: {
    flag: '--agents-deadline',
    environment: 'SEQTHINK_AGENTS_DEADLINE',
    default: '240',
    meaning: 'seconds that the agents have for one thought, all together',
    schema: integer(1).refine((seconds) => seconds <= MAX_DEADLINE_S, `must be at most ${MAX_DEADLINE_S}`),
  },
  summarizer: {
    flag: '--summarizer',
    environment: 'SEQTHINK_SUMMARIZER',
    default: 'excerpt',
    meaning:
      'who words the summary of the earliest thoughts: `excerpt` (leading sentences), `llm` (a model of the provider)',
    schema: oneOf(SUMMARIZERS),
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
  function read<S extends z.ZodType>(
    name: keyof typeof SETTINGS,
    setting: Setting & { schema: S },
  ): z.output<S> {
    const flag = flags[name]
    // Clients write empty strings for variables that they were given no value for.
    const variable = environment[setting.environment] || undefined
    const parsed = setting.schema.safeParse(flag ?? variable ?? setting.default)
    if (parsed.success) return parsed.data
    const source = flag === undefined ? setting.environment : setting.flag
    problems.push(`${source} is ${JSON.stringify(flag ?? variable)}; it ${parsed.error.issues[0]?.message}`)
    return setting.schema.parse(setting.default)
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
    logLevel: read('logLevel', SETTINGS.logLevel),
    transport: read('transport', SETTINGS.transport),
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
