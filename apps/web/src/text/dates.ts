import { language, timezone } from '../data/store.ts'

/** Returns the options of `Intl` for the account's time zone; the device's where it has none. */
const inZone = (): { timeZone?: string } => (timezone.value ? { timeZone: timezone.value } : {})

/** Writes a time of day, like 10:42. */
export const formatTime = (time: number | Date): string =>
  new Intl.DateTimeFormat(language.value, { timeStyle: 'short', ...inZone() }).format(time)

/** Joins names: Iris, Otto and Fern. */
export const formatList = (items: readonly string[]): string =>
  new Intl.ListFormat(language.value, { style: 'long', type: 'conjunction' }).format(items)
