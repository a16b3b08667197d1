import * as z from 'zod'

/** An integer in decimal digits, as flags and environment variables spell it. */
export function integer(min: number) {
  const hint = `must be an integer of ${min} or more`
  return z
    .string()
    .trim()
    .regex(/^\d+$/, hint)
    .transform(Number)
    .refine((value) => value >= min, hint)
    .refine(Number.isSafeInteger, `must be at most ${Number.MAX_SAFE_INTEGER}`)
}

export function list<S extends z.ZodType<unknown, string>>(entry: S) {
  return z
    .string()
    .transform((text) => text.split(',').flatMap((part) => part.trim() || []))
    .pipe(z.array(entry))
}

const BOOLEANS: Record<string, boolean> = {
  true: true,
  1: true,
  yes: true,
  false: false,
  0: false,
  no: false,
}

export function boolean() {
  return z
    .string()
    .transform((text) => BOOLEANS[text.trim().toLowerCase()])
    .pipe(z.boolean('must be true or false'))
}

// URL spells a host as it stands in a request, which is what it is compared with: lower case, `[::1]`, punycode.
export function hostName() {
  return z.string().transform((text, context) => {
    const name = text.includes(':') && !text.startsWith('[') ? `[${text}]` : text
    const host = canParse(`http://${name}`) ? new URL(`http://${name}`) : undefined
    if (host !== undefined && host.href === `http://${host.hostname}/`) return host.hostname
    context.addIssue('must be host names without scheme and port, separated by commas')
    return z.NEVER
  })
}

export function origin() {
  return z.string().transform((text, context) => {
    const url = canParse(text) ? new URL(text) : undefined
    // An extension has an origin of its own scheme, which URL calls opaque.
    const spelled = url && `${url.protocol}//${url.host}`
    if (url?.host && (text === spelled || text === `${spelled}/`)) return spelled ?? z.NEVER
    context.addIssue('must be origins such as https://app.example.com, separated by commas')
    return z.NEVER
  })
}

export function oneOf<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values, `must be one of ${values.join(', ')}`)
}

/** A wildcard is refused rather than taken for a name that nothing has. */
function canParse(url: string): boolean {
  return !url.includes('*') && URL.canParse(url)
}
