import { timezone } from '../store.ts'
import { formatOf } from './date-formats.ts'

export const dayMs = 86_400_000
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
  const day = localTimeOf(time).slice(0, 10)
  days.set(quarter, day)
  return day
}

/** Returns the day that is a number of days after another, or before it if the number is negative. */
export const addDays = (day: string, count: number): string =>
  new Date(Date.parse(day) + count * dayMs).toISOString().slice(0, 10)

/** Returns what a clock in the account's time zone shows at a time, like `2026-11-16T09:00:00`. */
export function localTimeOf(time: number | Date): string {
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
  // A year that is not completely typed yet, like 20, is formatted without zeros before it.
  return shown.replace(' ', 'T').padStart(19, '0')
}

/**
 * Returns the time in milliseconds at which a clock in the account's time zone shows a time like
 * `2026-11-16T09:00`, or NaN for any other text. If clocks are set back and show it twice, this is the
 * first time. If clocks are set forward and skip it, this is as long after the change as the text says.
 */
export function timeAt(local: string): number {
  const utc = /^\d{4}-/.test(local) ? Date.parse(`${local}Z`) : Number.NaN
  if (Number.isNaN(utc)) return utc
  // If clocks change between the day before and the day after, one of their offsets is the right one.
  const [before, after] = [utc - offsetOf(utc - dayMs), utc - offsetOf(utc + dayMs)]
  const isAfter = utc - offsetOf(before) !== before && utc - offsetOf(after) === after
  return isAfter ? after : before
}

/** Returns the time at which a day like `2026-11-16` begins in the account's time zone, in milliseconds. */
export const startOfDay = (day: string): number => timeAt(`${day}T00:00`)

/** Returns the offset of the account's time zone from UTC at a time, in milliseconds. */
export const offsetOf = (time: number): number =>
  Date.parse(`${localTimeOf(time)}Z`) - Math.floor(time / 1_000) * 1_000
