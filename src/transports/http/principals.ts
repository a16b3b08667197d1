import { createHash, timingSafeEqual } from 'node:crypto'

/** Those who may connect, each known by bearer tokens of its own. */
export interface Principals {
  /** Whose token it is. Takes the same time whichever token is right, if any. */
  identify(token: string): string | undefined
}

const NAME = /^[\w.@-]{1,64}$/

/** What a bearer token may hold (RFC 6750). */
const TOKEN = /^[\w.~+/-]+=*$/

/**
 * Reads `name:token` entries, separated by commas or line ends; empty lines and lines that start with `#` are
 * skipped. A name may have several tokens, so that one can be replaced without a moment in which none is valid.
 *
 * @returns what is wrong, without any part of a token, when an entry cannot be used
 */
export function parsePrincipals(text: string): Principals | { problem: string } {
  const entries = text
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#'))
    .flatMap((line) => line.split(','))
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  const known: { name: string; digest: Buffer }[] = []
  for (const [index, entry] of entries.entries()) {
    const colon = entry.indexOf(':')
    const name = entry.slice(0, Math.max(colon, 0)).trim()
    const token = entry.slice(colon + 1).trim()
    if (!NAME.test(name) || !TOKEN.test(token)) {
      return {
        problem: `token ${index + 1} is not of the form name:token; a name has 1 to 64 letters, digits and ._@-, a token letters, digits and -._~+/ with = at its end`,
      }
    }
    const digest = digestOf(token)
    if (known.some((other) => other.digest.equals(digest) && other.name !== name)) {
      return {
        problem: `token ${index + 1} (${name}) is another name's too; each name needs a token of its own`,
      }
    }
    known.push({ name, digest })
  }
  if (known.length === 0) return { problem: 'there is no name:token in it' }

  return {
    identify(token) {
      const digest = digestOf(token)
      let found: string | undefined
      for (const { name, digest: right } of known) {
        if (timingSafeEqual(digest, right)) found = name
      }
      return found
    },
  }
}

/** Digests have one length, which a constant-time comparison needs. */
function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
