import { describe, expect, test } from 'vitest'
import { parseCommandLine } from '../src/command-line.ts'
import { ALL_SETTINGS, type Config, readConfig } from '../src/config.ts'
import { DEFAULT_BUDGETS } from '../src/engine/history.ts'
import { DEFAULT_LIMITS } from '../src/engine/limits.ts'

type Environment = Record<string, string | undefined>

function parse(args: string[], environment: Environment = {}) {
  const commandLine = parseCommandLine(args, ALL_SETTINGS, '1.2.3')
  return 'flags' in commandLine ? readConfig(commandLine.flags, environment) : commandLine
}

function configOf(args: string[], environment: Environment = {}): Config {
  const parsed = parse(args, environment)
  if (!('limits' in parsed)) throw new Error(JSON.stringify(parsed))
  return parsed
}

function failureOf(args: string[], environment: Environment = {}): string {
  const parsed = parse(args, environment)
  if (!('problem' in parsed)) throw new Error(JSON.stringify(parsed))
  return parsed.problem
}

test('has a default for everything', () => {
  expect(configOf([])).toEqual({
    limits: DEFAULT_LIMITS,
    budgets: DEFAULT_BUDGETS,
    maxSessions: 1000,
    recordBudget: 100_000,
    recordDir: undefined,
    hasView: true,
    logLevel: 'warn',
    transport: 'stdio',
    agents: false,
    agentsDeadline: 240,
    summarizer: 'excerpt',
    http: {
      host: '127.0.0.1',
      port: 8090,
      authTokens: '',
      authTokensFile: '',
      allowedHosts: [],
      allowedOrigins: [],
      allowUnauthenticated: false,
    },
  })
  expect(DEFAULT_LIMITS).toEqual({
    maxThoughtChars: 2000,
    maxSteps: 30,
    maxChainLength: 50,
    maxRevisions: 3,
    maxBranches: 20,
  })
  expect(DEFAULT_BUDGETS).toEqual({ historyBudget: 1000, closingBudget: 8000 })
})

test('turns the view off with a flag that stands alone, or from the environment', () => {
  expect(configOf(['--no-view']).hasView).toBe(false)
  expect(configOf([], { SEQTHINK_VIEW: 'no' }).hasView).toBe(false)
  expect(configOf(['--no-view'], { SEQTHINK_VIEW: 'true' }).hasView).toBe(false)
  expect(failureOf([], { SEQTHINK_VIEW: 'maybe' })).toMatch(
    /SEQTHINK_VIEW is "maybe"; it must be true or false/,
  )
})

const INTEGERS: [string, string, number, (config: Config) => unknown][] = [
  ['--max-thought-chars', 'SEQTHINK_MAX_THOUGHT_CHARS', 1, (config) => config.limits.maxThoughtChars],
  ['--max-steps', 'SEQTHINK_MAX_STEPS', 1, (config) => config.limits.maxSteps],
  ['--max-chain-length', 'SEQTHINK_MAX_CHAIN_LENGTH', 11, (config) => config.limits.maxChainLength],
  ['--max-revisions', 'SEQTHINK_MAX_REVISIONS', 0, (config) => config.limits.maxRevisions],
  ['--max-branches', 'SEQTHINK_MAX_BRANCHES', 1, (config) => config.limits.maxBranches],
  ['--max-sessions', 'SEQTHINK_MAX_SESSIONS', 1, (config) => config.maxSessions],
  ['--history-budget', 'SEQTHINK_HISTORY_BUDGET', 0, (config) => config.budgets.historyBudget],
  ['--closing-budget', 'SEQTHINK_CLOSING_BUDGET', 0, (config) => config.budgets.closingBudget],
]

test.each(['1', 'true', 'Yes'])('SEQTHINK_AGENTS=%s turns the agents on, as the flag does', (value) => {
  expect(configOf([], { SEQTHINK_AGENTS: value }).agents).toBe(true)
  expect(configOf([], { SEQTHINK_AGENTS: '0' }).agents).toBe(false)
  expect(configOf(['--agents'], { SEQTHINK_AGENTS: '0' }).agents).toBe(true)
})

test.each<[string[], Environment, string]>([
  [[], { SEQTHINK_AGENTS: 'maybe' }, 'SEQTHINK_AGENTS'],
  [['--agents-deadline', '0'], {}, '--agents-deadline'],
  [['--agents-deadline', '3601'], {}, '--agents-deadline'],
  [[], { SEQTHINK_SUMMARIZER: 'human' }, 'SEQTHINK_SUMMARIZER'],
])('refuses %j with %j', (args, environment, name) => {
  expect(failureOf(args, environment)).toContain(name)
})

describe.each(INTEGERS)('%s', (flag, variable, min, read) => {
  test('is read from the flag, then from the environment', () => {
    expect(read(configOf([flag, '77']))).toBe(77)
    expect(read(configOf([`${flag}=77`]))).toBe(77)
    expect(read(configOf([], { [variable]: ' 78 ' }))).toBe(78)
    expect(read(configOf([flag, '77'], { [variable]: '78' }))).toBe(77)
  })

  test('takes its least value and refuses less', () => {
    expect(read(configOf([flag, `${min}`]))).toBe(min)
    const message = failureOf([flag, `${min - 1}`])
    if (min > 0) expect(message).toMatch(new RegExp(`^${flag} is "${min - 1}".*integer of ${min} or more`))
  })

  test.each(['abc', '1.5', '', '-5', '1e3', '0x20', '9'.repeat(30)])('refuses %j', (value) => {
    expect(failureOf([`${flag}=${value}`])).toContain(flag)
  })

  test('says what is too much', () => {
    expect(failureOf([flag, '9'.repeat(20)])).toMatch(/must be (?:at most 9007199254740991|.* or "full")/)
  })

  test('names the variable where that is wrong', () => {
    expect(failureOf([], { [variable]: 'many' })).toMatch(new RegExp(`^${variable} is "many"`))
  })

  test('takes an empty variable for none', () => {
    expect(configOf([], { [variable]: '' })).toEqual(configOf([]))
  })
})

test('takes "full" for the history budget only', () => {
  expect(configOf(['--history-budget', 'full']).budgets.historyBudget).toBe('full')
  expect(failureOf(['--closing-budget', 'full'])).toContain('--closing-budget')
})

test('takes the log levels of the logger', () => {
  for (const level of ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']) {
    expect(configOf(['--log-level', level]).logLevel).toBe(level)
    expect(configOf([], { LOG_LEVEL: level }).logLevel).toBe(level)
  }
  expect(failureOf(['--log-level', 'loud'])).toMatch(/--log-level is "loud".*trace/)
})

test('names every bad value in one line', () => {
  const message = failureOf(['--max-steps', '0', '--transport', 'pigeon'], { LOG_LEVEL: 'a\nb' })
  expect(message).toMatch(/--max-steps is "0".*LOG_LEVEL.*--transport is "pigeon"/)
  expect(message).not.toContain('\n')
})

test.each([['--max-step'], ['-x'], ['serve'], ['--max-steps'], ['--two\nlines']])(
  'refuses %j in one line',
  (argument) => {
    const message = failureOf([argument])
    expect(message).toMatch(/--help$/)
    expect(message).not.toContain('\n')
  },
)

test('prints the version', () => {
  expect(parse(['--version'])).toEqual({ print: '1.2.3\n' })
})

test('prints every setting with its variable and default in the help', () => {
  const parsed = parse(['--help'])
  if (!('print' in parsed)) throw new Error(JSON.stringify(parsed))
  const text = parsed.print.replace(/\s+/g, ' ')
  expect(ALL_SETTINGS.length).toBeGreaterThanOrEqual(10)
  for (const { flag, isSwitch, environment, default: value } of ALL_SETTINGS) {
    expect(text).toContain(flag ?? environment)
    expect(text).toContain(environment)
    if (flag !== undefined && !isSwitch) expect(text).toContain(`default ${value}`)
  }
})

test('takes the transports, and any port', () => {
  expect(configOf(['--transport', 'sse', '--port', '0'])).toMatchObject({
    transport: 'sse',
    http: { port: 0 },
  })
  expect(configOf([], { SEQTHINK_TRANSPORT: 'http', SEQTHINK_PORT: '65535' })).toMatchObject({
    transport: 'http',
    http: { port: 65_535 },
  })
  expect(failureOf(['--port', '65536'])).toContain('--port')
  expect(failureOf(['--host='])).toContain('--host')
})

test('takes a switch without a value, and words for it in the environment', () => {
  const isAllowed = (...source: Parameters<typeof configOf>) => configOf(...source).http.allowUnauthenticated
  expect(isAllowed(['--allow-unauthenticated'])).toBe(true)
  for (const word of ['true', '1', 'Yes']) {
    expect(isAllowed([], { SEQTHINK_ALLOW_UNAUTHENTICATED: word })).toBe(true)
  }
  for (const word of ['false', '0', 'no', '']) {
    expect(isAllowed([], { SEQTHINK_ALLOW_UNAUTHENTICATED: word })).toBe(false)
  }
  expect(failureOf([], { SEQTHINK_ALLOW_UNAUTHENTICATED: 'maybe' })).toContain('true or false')
  expect(failureOf(['--allow-unauthenticated=no'])).toContain('--allow-unauthenticated')
})

test('spells hosts and origins as requests do', () => {
  const { http } = configOf([
    '--allowed-hosts',
    'Think.Example.com, ::1,10.0.0.7,',
    '--allowed-origins',
    'https://app.example.com/, http://localhost:3000,chrome-extension://abcdef',
  ])
  expect(http.allowedHosts).toEqual(['think.example.com', '[::1]', '10.0.0.7'])
  expect(http.allowedOrigins).toEqual([
    'https://app.example.com',
    'http://localhost:3000',
    'chrome-extension://abcdef',
  ])
})

test.each([
  ['--allowed-hosts', ['*', 'a.example:80', 'https://a.example', 'a.example/b', 'a b']],
  ['--allowed-origins', ['*', 'null', 'app.example.com', 'https://a.example/b', 'https://*.example.com']],
])('refuses for %s what no request has', (flag, values) => {
  for (const value of values) expect(failureOf([flag, value])).toContain(flag)
})
