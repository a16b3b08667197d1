import * as z from 'zod'

/** An integer in decimal digits, as flags and environment variables spell it. */
export function integer(min: number) {
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

export const boolean = z
  .string()
  .transform((text) => BOOLEANS[text.trim().toLowerCase()])
  .pipe(z.boolean('must be true or false'))

export function oneOf<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values, `must be one of ${values.join(', ')}`)
}
