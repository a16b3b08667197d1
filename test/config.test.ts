import { describe, expect, test } from 'vitest'
import { ALL_SETTINGS, parseInvocation } from '../src/config.ts'
import { DEFAULT_BUDGETS } from '../src/engine/history.ts'
import { DEFAULT_LIMITS } from '../src/engine/limits.ts'

type Environment = Record<string, string | undefined>

async function parse(args: string[], environment: Environment = {}) {
  return parseInvocation(args, environment, '1.2.3')
}

async function configOf(args: string[], environment: Environment = {}) {
  const invocation = await parse(args, environment)
  if (invocation.kind !== 'serve') throw new Error(JSON.stringify(invocation))
  return invocation.config
}

async function failureOf(args: string[], environment: Environment = {}): Promise<string> {
  const invocation = await parse(args, environment)
  if (invocation.kind !== 'fail') throw new Error(JSON.stringify(invocation))
  return invocation.message
}

test('has a default for everything', async () => {
  expect(await configOf([])).toEqual({
    limits: DEFAULT_LIMITS,
    budgets: DEFAULT_BUDGETS,
    maxSessions: 1000,
    logLevel: 'warn',
    transport: 'stdio',
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

const INTEGERS: [string, string, number, (config: Awaited<ReturnType<typeof configOf>>) => unknown][] = [
  ['--max-thought-chars', 'SEQTHINK_MAX_THOUGHT_CHARS', 1, (config) => config.limits.maxThoughtChars],
  ['--max-steps', 'SEQTHINK_MAX_STEPS', 1, (config) => config.limits.maxSteps],
  ['--max-chain-length', 'SEQTHINK_MAX_CHAIN_LENGTH', 11, (config) => config.limits.maxChainLength],
  ['--max-revisions', 'SEQTHINK_MAX_REVISIONS', 0, (config) => config.limits.maxRevisions],
  ['--max-branches', 'SEQTHINK_MAX_BRANCHES', 1, (config) => config.limits.maxBranches],
  ['--max-sessions', 'SEQTHINK_MAX_SESSIONS', 1, (config) => config.maxSessions],
  ['--history-budget', 'SEQTHINK_HISTORY_BUDGET', 0, (config) => config.budgets.historyBudget],
  ['--closing-budget', 'SEQTHINK_CLOSING_BUDGET', 0, (config) => config.budgets.closingBudget],
]

describe.each(INTEGERS)('%s', (flag, variable, min, read) => {
  test('is read from the flag, then from the environment', async () => {
    expect(read(await configOf([flag, '77']))).toBe(77)
    expect(read(await configOf([`${flag}=77`]))).toBe(77)
    expect(read(await configOf([], { [variable]: ' 78 ' }))).toBe(78)
    expect(read(await configOf([flag, '77'], { [variable]: '78' }))).toBe(77)
  })

  test('takes its least value and refuses less', async () => {
    expect(read(await configOf([flag, `${min}`]))).toBe(min)
    const message = await failureOf([flag, `${min - 1}`])
    if (min > 0) expect(message).toMatch(new RegExp(`^${flag} is "${min - 1}".*integer of ${min} or more`))
  })

  test.each(['abc', '1.5', '', '-5', '1e3', '0x20', '9'.repeat(30)])('refuses %j', async (value) => {
    expect(await failureOf([`${flag}=${value}`])).toContain(flag)
  })

  test('names the variable where that is wrong', async () => {
    expect(await failureOf([], { [variable]: 'many' })).toMatch(new RegExp(`^${variable} is "many"`))
  })

  test('takes an empty variable for none', async () => {
    expect(await configOf([], { [variable]: '' })).toEqual(await configOf([]))
  })
})

test('takes "full" for the history budget only', async () => {
  expect((await configOf(['--history-budget', 'full'])).budgets.historyBudget).toBe('full')
  expect(await failureOf(['--closing-budget', 'full'])).toContain('--closing-budget')
})

test('takes the log levels of the logger', async () => {
  for (const level of ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']) {
    expect((await configOf(['--log-level', level])).logLevel).toBe(level)
    expect((await configOf([], { LOG_LEVEL: level })).logLevel).toBe(level)
  }
  expect(await failureOf(['--log-level', 'loud'])).toMatch(/--log-level is "loud".*trace/)
})

test('names every bad value in one line', async () => {
  const message = await failureOf(['--max-steps', '0', '--transport', 'pigeon'], { LOG_LEVEL: 'a\nb' })
  expect(message).toMatch(/--max-steps is "0".*LOG_LEVEL.*--transport is "pigeon"/)
  expect(message).not.toContain('\n')
})

test.each([['--max-step'], ['-x'], ['serve'], ['--max-steps'], ['--two\nlines']])(
  'refuses %j in one line',
  async (argument) => {
    const message = await failureOf([argument])
    expect(message).toMatch(/--help$/)
    expect(message).not.toContain('\n')
  },
)

test('prints the version', async () => {
  expect(await parse(['--version'])).toEqual({ kind: 'print', text: '1.2.3\n' })
})

test('prints every setting with its variable and default in the help', async () => {
  const invocation = await parse(['--help'])
  if (invocation.kind !== 'print') throw new Error(JSON.stringify(invocation))
  const text = invocation.text.replace(/\s+/g, ' ')
  expect(ALL_SETTINGS.length).toBeGreaterThanOrEqual(10)
  for (const { flag, environment, default: value } of ALL_SETTINGS) {
    expect(text).toContain(flag)
    expect(text).toContain(environment)
    expect(text).toContain(`default ${value}`)
  }
})
