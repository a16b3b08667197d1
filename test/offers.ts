/** A call that an error text offers, such as `thoughtNumber 3 and branchId "x", without revisionNumber`. */
export interface Offer {
  readonly fields: OfferedFields
  /** Fields that the text says to leave out. */
  readonly without: readonly string[]
  /** Whether it opens a chain: `thoughtNumber 1 without sessionId`. */
  readonly isNewChain: boolean
}

interface OfferedFields {
  thoughtNumber?: number
  revisionNumber?: number
  branchFromThought?: number
  branchId?: string
  nextThoughtNeeded?: boolean
}

const FIELD =
  /\b(?:(?<number>thoughtNumber|revisionNumber|branchFromThought) (?<digits>\d+)|branchId (?<string>"(?:[^"\\]|\\.)*")|nextThoughtNeeded (?<boolean>true|false))/g

/** Words before the first field of an offer; what stands behind others says what is wrong. */
const INVITES = /(?:send|with|:|\(|\bor|,)\s$/i

/** Reads every call that a text offers, as a model would that has nothing else. */
export function offersOf(text: string): Offer[] {
  const offers: { fields: OfferedFields; start: number; end: number }[] = []
  for (const match of text.matchAll(FIELD)) {
    const field = toField(match.groups ?? {})
    const between = text.slice(offers.at(-1)?.end ?? 0, match.index)
    const current = offers.at(-1)
    const end = match.index + match[0].length
    const isMore =
      /^(?:, | and )$/.test(between) && Object.keys(field).every((name) => !hasField(current, name))
    if (current !== undefined && isMore) {
      Object.assign(current.fields, field)
      current.end = end
    } else if (INVITES.test(text.slice(0, match.index)) && !text.startsWith(' is no way', end)) {
      offers.push({ fields: field, start: match.index, end })
    }
  }
  // Beside whole calls, "with nextThoughtNeeded false" completes a call that the text describes in words.
  const calls = offers.length > 1 ? offers.filter(({ fields }) => !isStop(fields)) : offers
  return calls.map(({ fields, start, end }) => {
    const before = text.slice(0, start)
    const sentence = before.slice(Math.max(before.lastIndexOf('. '), before.lastIndexOf('; ')) + 1)
    const rest = text.slice(end).match(/^[^.;]*/)?.[0] ?? ''
    return {
      fields,
      without: fieldsLeftOut(sentence + rest),
      isNewChain: /^ without sessionId/.test(rest),
    }
  })
}

function toField({ number, digits, string, boolean }: Record<string, string | undefined>): OfferedFields {
  if (number !== undefined) return { [number]: Number(digits) }
  if (string !== undefined) return { branchId: String(JSON.parse(string)) }
  return { nextThoughtNeeded: boolean === 'true' }
}

function isStop(fields: OfferedFields): boolean {
  return Object.keys(fields).join() === 'nextThoughtNeeded'
}

function hasField(offer: { fields: OfferedFields } | undefined, name: string): boolean {
  return offer !== undefined && Object.hasOwn(offer.fields, name)
}

function fieldsLeftOut(sentence: string): string[] {
  const named = [...sentence.matchAll(/without ([^.;:]*)/g)].map(([, names]) => names).join()
  return ['revisionNumber', 'branchFromThought', 'branchId'].filter((name) => named.includes(name))
}
