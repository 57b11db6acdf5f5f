import { timezone, uses24Hours } from '../data/store.ts'
import { locale } from './locale.ts'

/** Returns the options of `Intl` for the account's time zone, or else the device's. */
const inZone = (): { timeZone?: string } => (timezone.value ? { timeZone: timezone.value } : {})

const formats = new Map<string, Intl.DateTimeFormat>()

/** Returns a cached format. Creating a format takes as long as a hundred uses of it. */
function formatOf(options: Intl.DateTimeFormatOptions, tag = locale.value): Intl.DateTimeFormat {
  const clock =
    (options.timeStyle || options.hour) && !options.hourCycle ? { hour12: !uses24Hours.value } : {}
  const all = { ...options, ...clock, ...inZone() }
  const key = `${tag} ${JSON.stringify(all)}`
  const known = formats.get(key) ?? new Intl.DateTimeFormat(tag, all)
  formats.set(key, known)
  return known
}

/** Formats a time of day, like 10:42. */
export const formatTime = (time: number | Date): string => formatOf({ timeStyle: 'short' }).format(time)

/** Formats a time of day in another time zone; undefined if the browser does not know the zone. */
export function formatTimeIn(timeZone: string, time: number | Date): string | undefined {
  try {
    const options = { timeStyle: 'short', hour12: !uses24Hours.value, timeZone } as const
    return new Intl.DateTimeFormat(locale.value, options).format(time)
  } catch {
    return undefined
  }
}

/** Formats a time with its date, in full. */
export const formatDateTime = (time: number | Date): string =>
  formatOf({ dateStyle: 'full', timeStyle: 'short' }).format(time)

/** Formats a time with its date for use inside a sentence. */
export const formatShortDateTime = (time: number | Date): string =>
  formatOf({ weekday: 'short', day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' }).format(
    time,
  )

/** Formats a date without a time. */
export const formatDate = (time: number | Date): string => formatOf({ dateStyle: 'long' }).format(time)

/** A quarter of an hour. In all time zones, days begin at a multiple of it. */
const quarterMs = 900_000
const maxDays = 10_000
let daysIn: string | undefined
const days = new Map<number, string>()

/** Returns the day of a time in the account's time zone, as 2026-11-16. */
export function dayOf(time: number | Date): string {
  // Days are cached, because lists compute the day of every message whenever one arrives.
  if (days.size >= maxDays || daysIn !== timezone.value) days.clear()
  daysIn = timezone.value
  const quarter = Math.floor(Number(time) / quarterMs)
  const known = days.get(quarter)
  if (known !== undefined) return known
  const day = formatOf({ year: 'numeric', month: '2-digit', day: '2-digit' }, 'sv-SE').format(time)
  days.set(quarter, day)
  return day
}

/** Returns the time at which a day like `2026-11-16` begins in the account's time zone, in milliseconds. */
export function startOfDay(day: string): number {
  const midnight = Date.parse(`${day}T00:00:00Z`)
  // The first result may have another offset, near a clock change, so the offset is computed twice.
  return midnight - offsetOf(midnight - offsetOf(midnight))
}

/** Returns the offset of the account's time zone from UTC at a time, in milliseconds. */
function offsetOf(time: number): number {
  const shown = formatOf(
    {
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    },
    'sv-SE',
  ).format(time)
  return Date.parse(`${shown.replace(' ', 'T')}Z`) - time
}

const dayMs = 86_400_000

/**
 * Formats a day for display: today, yesterday, the weekday within six days, otherwise the date,
 * with the year if it is not the current one.
 */
export function formatDay(time: number, now = Date.now()): string {
  const day = dayOf(time)
  const daysAgo = Math.round((Date.parse(dayOf(now)) - Date.parse(day)) / dayMs)
  if (daysAgo === 0 || daysAgo === 1) {
    const words = new Intl.RelativeTimeFormat(locale.value, { numeric: 'auto' }).format(-daysAgo, 'day')
    return words.charAt(0).toLocaleUpperCase(locale.value) + words.slice(1)
  }
  if (daysAgo > 1 && daysAgo <= 6) return formatOf({ weekday: 'long' }).format(time)
  const isThisYear = day.slice(0, 4) === dayOf(now).slice(0, 4)
  return formatOf({
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(!isThisYear && { year: 'numeric' }),
  }).format(time)
}

/** Formats a time for lists: the time if it is today, otherwise the day in its shortest clear form. */
export function formatMoment(time: number, now = Date.now()): string {
  const day = dayOf(time)
  const daysAgo = Math.round((Date.parse(dayOf(now)) - Date.parse(day)) / dayMs)
  if (daysAgo === 0) return formatTime(time)
  if (daysAgo > 0 && daysAgo <= 6) return formatOf({ weekday: 'short' }).format(time)
  const isThisYear = day.slice(0, 4) === dayOf(now).slice(0, 4)
  return formatOf({ day: 'numeric', month: 'short', ...(!isThisYear && { year: 'numeric' }) }).format(time)
}

/** Joins names: Iris, Otto and Fern. */
export const formatList = (items: readonly string[]): string =>
  new Intl.ListFormat(locale.value, { style: 'long', type: 'conjunction' }).format(items)
