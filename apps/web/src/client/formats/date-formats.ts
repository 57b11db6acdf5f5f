import { timezone, uses24Hours } from '../store.ts'
import { locale } from './locale.ts'

/** Returns the options of `Intl` for the account's time zone, or else the device's. */
const inZone = (): { timeZone?: string } => (timezone.value ? { timeZone: timezone.value } : {})

const formats = new Map<string, Intl.DateTimeFormat>()

/** Returns a cached format, in the account's time zone. Creating a format takes as long as a hundred uses of it. */
export function formatOf(options: Intl.DateTimeFormatOptions, tag = locale.value): Intl.DateTimeFormat {
  const clock =
    (options.timeStyle || options.hour) && !options.hourCycle ? { hour12: !uses24Hours.value } : {}
  const all = { ...options, ...clock, ...inZone() }
  const key = `${tag} ${JSON.stringify(all)}`
  const known = formats.get(key) ?? new Intl.DateTimeFormat(tag, all)
  formats.set(key, known)
  return known
}
