import * as z from 'zod'
import { ThoughtError, type ThoughtErrorCode } from '../engine/errors.ts'
import { countChars, shorten } from '../engine/thought.ts'

// Models and clients send "3", "True" or null where the schema says integer, boolean or nothing. The advertised
// schemas stay plain; these take what can mean one thing only and explain everything else.

/** A refused value is quoted up to this length. */
const MAX_QUOTED_CHARS = 80

interface Field {
  readonly name: string
  /** What the field is for, as the end of "it must be …, ". */
  readonly meaning: string
}

interface IntegerField extends Field {
  readonly min: number
}

/** A required integer: 3, "3" or " 3 ". */
export function integer({ name, meaning, min }: IntegerField) {
  return z.unknown().transform((value, context): number => {
    const number = toInteger(value)
    if (number !== undefined && number >= min) return number
    return refuse(
      context,
      `${describe(name, value)}; it must be an integer ${rangeFor(value, min)}, ${meaning}. Send a JSON number, such as ${Math.max(min, 1)}.`,
    )
  })
}

/** An optional integer; null, "" and 0 are absent. */
export function optionalInteger(field: IntegerField) {
  return z.unknown().transform((value, context) => readOptionalInteger(field, value, context))
}

/** The same for a field that counts only where another one says so. */
export function readOptionalInteger(
  { name, meaning, min }: IntegerField,
  value: unknown,
  context: z.RefinementCtx,
): number | undefined {
  const number = toInteger(value)
  if (isAbsent(value) || number === 0) return undefined
  if (number !== undefined && number >= min) return number
  return refuse(
    context,
    `${describe(name, value)}; it must be an integer ${rangeFor(value, min)}, ${meaning}. Send a JSON number, or leave it out.`,
  )
}

/** A required boolean: true, "True", 1, "yes" and their opposites. */
export function boolean({ name, meaning }: Field) {
  return z.unknown().transform((value, context): boolean => {
    const truth = toBoolean(value)
    if (truth !== undefined) return truth
    return refuse(
      context,
      `${describe(name, value)}; it must be true or false, ${meaning}. Send one of these two, without quotes.`,
    )
  })
}

/** An optional boolean; null, "" and 0 are absent. */
export function optionalBoolean({ name, meaning }: Field) {
  return z.unknown().transform((value, context): boolean | undefined => {
    if (isAbsent(value)) return undefined
    const truth = toBoolean(value)
    if (truth !== undefined) return truth
    return refuse(
      context,
      `${describe(name, value)}; it must be true or false, ${meaning}. Send one of these two, or leave it out.`,
    )
  })
}

/** An optional string, trimmed; null, "" and 0 are absent. */
export function optionalString({ name, meaning, maxChars }: Field & { maxChars?: number }) {
  return z.unknown().transform((value, context): string | undefined => {
    if (isAbsent(value)) return undefined
    if (typeof value !== 'string') {
      return refuse(
        context,
        `${describe(name, value)}; it must be a string, ${meaning}. Send a string, or leave it out.`,
      )
    }
    const trimmed = value.trim()
    const chars = countChars(trimmed)
    if (maxChars === undefined || chars <= maxChars) return trimmed
    return refuse(
      context,
      `${describe(name, value)} and has ${chars} characters; it may have ${maxChars}, ${meaning}. Send a shorter one.`,
    )
  })
}

/** The text of a thought: any string that is not blank, byte for byte, up to `maxChars` characters. */
export function text({ name, maxChars }: { name: string; maxChars: number }) {
  return z.unknown().transform((value, context): string => {
    if (typeof value !== 'string' || value.trim() === '') {
      return refuse(
        context,
        `${describe(name, value)}; it must be a text of 1 to ${maxChars} characters that is not blank. Send what this step concludes and why.`,
      )
    }
    // A string never has more characters than UTF-16 units, so most need not be counted.
    if (value.length <= maxChars) return value
    const chars = countChars(value)
    if (chars <= maxChars) return value
    return refuse(
      context,
      `${name} has ${chars} characters; the limit is ${maxChars}. Nothing was stored. Split it into several steps or condense it, then send it again.`,
      'thought_too_long',
    )
  })
}

/**
 * Takes fields that may be spelt in snake_case from arguments; null and "" count as not given. A field that is there
 * in both spellings with different values is refused.
 */
export function camelCaseKeys<S extends z.ZodType>(names: readonly string[], schema: S) {
  const spellings = names.map((name) => ({ name, snakeCase: toSnakeCase(name) }))
  return z.preprocess((value, context) => {
    const args = new Map(Object.entries(value ?? {}))
    return Object.fromEntries(
      spellings.map(({ name, snakeCase }) => {
        const given = args.get(name)
        const other = name === snakeCase ? undefined : args.get(snakeCase)
        if (isNotGiven(given)) return [name, other ?? given]
        if (!isNotGiven(other) && toWord(given) !== toWord(other))
          refuse(
            context,
            `${describe(name, given)} and ${describe(snakeCase, other)}, which are two spellings of one field. Send ${name} only.`,
          )
        return [name, given]
      }),
    )
  }, schema)
}

/** @throws ThoughtError with one sentence or two for every field that is wrong */
export function parseArguments<S extends z.ZodType>(schema: S, args: unknown): z.output<S> {
  const parsed = schema.safeParse(args)
  if (parsed.success) return parsed.data
  const codes = new Set(parsed.error.issues.map(codeOf))
  const [only] = codes
  throw new ThoughtError(
    only !== undefined && codes.size === 1 ? only : 'invalid_input',
    parsed.error.issues.map((issue) => issue.message).join(' '),
  )
}

function codeOf(issue: z.core.$ZodIssue): ThoughtErrorCode {
  return issue.code === 'custom' && issue.params?.code === 'thought_too_long'
    ? 'thought_too_long'
    : 'invalid_input'
}

/** Notes what is wrong with a value; all such sentences of a call become one error. */
export function refuse(
  context: z.RefinementCtx,
  message: string,
  code: ThoughtErrorCode = 'invalid_input',
): never {
  context.addIssue({ code: 'custom', message, params: { code } })
  return z.NEVER
}

function toInteger(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\s*\d+\s*$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined
}

/** What is allowed, with the upper end where the value is beyond it. */
function rangeFor(value: unknown, min: number): string {
  const isTooLarge =
    (typeof value === 'number' || typeof value === 'string') && Number(value) > Number.MAX_SAFE_INTEGER
  return isTooLarge ? `of ${min} or more, at most ${Number.MAX_SAFE_INTEGER}` : `of ${min} or more`
}

function toBoolean(value: unknown): boolean | undefined {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value
  if (word === true || word === 1 || word === 'true' || word === '1' || word === 'yes') return true
  if (word === false || word === 0 || word === 'false' || word === '0' || word === 'no') return false
  return undefined
}

function isNotGiven(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

/** Equal for what is one value in whatever spelling, such as `3` and `" 3 "`. */
function toWord(value: unknown): string {
  return (typeof value === 'string' ? value : quote(value)).trim().toLowerCase()
}

function isAbsent(value: unknown): boolean {
  return (
    value === undefined || value === null || value === 0 || (typeof value === 'string' && value.trim() === '')
  )
}

function describe(name: string, value: unknown): string {
  if (value === undefined || value === null) return `${name} is missing`
  return `${name} is ${shorten(quote(value), MAX_QUOTED_CHARS)}`
}

function quote(value: unknown): string {
  // JSON has no word for the Infinity that 1e400 is parsed to.
  if (typeof value === 'number') return String(value)
  try {
    return JSON.stringify(value)
  } catch {
    // Nested deeper than the stack.
    return Array.isArray(value) ? 'an array' : 'an object'
  }
}

function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
