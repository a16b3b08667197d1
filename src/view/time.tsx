import { createContext } from 'preact'
import { useContext, useMemo } from 'preact/hooks'

/** How the host writes times; the browser's own way where it says nothing. */
export interface TimeZoneValue {
  readonly locale?: string
  readonly timeZone?: string
}

export const TimeZone = createContext<TimeZoneValue>({})

/** A moment of the day, with the date in its tooltip. */
export function Time({ iso }: { iso: string }) {
  const { locale, timeZone } = useContext(TimeZone)
  const { short, long } = useMemo(() => formatsOf(locale, timeZone), [locale, timeZone])
  const date = new Date(iso)
  if (Number.isNaN(date.getTime())) return null
  return (
    <time dateTime={iso} title={long.format(date)}>
      {short.format(date)}
    </time>
  )
}

interface Formats {
  readonly short: Intl.DateTimeFormat
  readonly long: Intl.DateTimeFormat
}

/** Makes the formats before they are needed, for a moment at which nobody waits. */
export function prepareTimes({ locale, timeZone }: TimeZoneValue): void {
  formatsOf(locale, timeZone)
}

// A format takes longer to make than a hundred times take to write.
const known = new Map<string, Formats>()

function formatsOf(locale: string | undefined, timeZone: string | undefined): Formats {
  const key = `${locale} ${timeZone}`
  const formats = known.get(key) ?? createFormats(locale, timeZone)
  known.set(key, formats)
  return formats
}

function createFormats(locale: string | undefined, timeZone: string | undefined): Formats {
  try {
    return {
      short: new Intl.DateTimeFormat(locale, { timeStyle: 'medium', timeZone }),
      long: new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'long', timeZone }),
    }
  } catch {
    // A host may name a locale or a zone that this browser does not know.
    return createFormats(undefined, undefined)
  }
}
