import { uses24Hours } from '../store.ts'
import { formatOf } from './date-formats.ts'
import { dayMs, dayOf } from './local-time.ts'
import { locale } from './locale.ts'
import { today } from './today.ts'

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

/** Formats a time with its date for use inside a sentence, with the year if it is not the current one. */
export const formatShortDateTime = (time: number | Date): string =>
  formatOf({
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...yearUnlessCurrent(time),
    hour: 'numeric',
    minute: '2-digit',
  }).format(time)

/** Formats a date without a time. */
export const formatDate = (time: number | Date): string => formatOf({ dateStyle: 'long' }).format(time)

/**
 * Formats a day for display: today, yesterday, the weekday within six days, otherwise the date,
 * with the year if it is not the current one. Reads signals.
 */
export function formatDay(time: number): string {
  const daysAgo = countDaysSince(dayOf(time))
  if (daysAgo === 0 || daysAgo === 1) {
    const words = new Intl.RelativeTimeFormat(locale.value, { numeric: 'auto' }).format(-daysAgo, 'day')
    return words.charAt(0).toLocaleUpperCase(locale.value) + words.slice(1)
  }
  if (daysAgo > 1 && daysAgo <= 6) return formatOf({ weekday: 'long' }).format(time)
  return formatOf({ weekday: 'long', day: 'numeric', month: 'long', ...yearUnlessCurrent(time) }).format(time)
}

/** Formats a time for lists: the time if it is today, otherwise the day in its shortest clear form. Reads signals. */
export function formatMoment(time: number): string {
  const daysAgo = countDaysSince(dayOf(time))
  if (daysAgo === 0) return formatTime(time)
  if (daysAgo > 0 && daysAgo <= 6) return formatOf({ weekday: 'short' }).format(time)
  return formatOf({ day: 'numeric', month: 'short', ...yearUnlessCurrent(time) }).format(time)
}

const countDaysSince = (day: string): number =>
  Math.round((Date.parse(today.value) - Date.parse(day)) / dayMs)

const yearUnlessCurrent = (time: number | Date): { year?: 'numeric' } =>
  dayOf(time).slice(0, 4) === today.value.slice(0, 4) ? {} : { year: 'numeric' }

/** Joins names: Iris, Otto and Fern. */
export const formatList = (items: readonly string[]): string =>
  new Intl.ListFormat(locale.value, { style: 'long', type: 'conjunction' }).format(items)
