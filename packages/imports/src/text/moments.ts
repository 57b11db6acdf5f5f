import type { Micros } from '../model/source.ts'

const microsPerSecond = 1_000_000
const microsPerHour = 3_600 * microsPerSecond
/** Chat systems are younger than this. */
const earliest: Micros = Date.UTC(2000, 0, 1) * 1_000

/** Returns whether a time can be the one of a message: from 2000 to the given limit. */
export const isPlausible = (at: Micros, latest: Micros): boolean =>
  Number.isSafeInteger(at) && at >= earliest && at <= latest

/** Writes a time as exports have it: ISO 8601 in UTC with six decimals. */
export function writeTime(at: Micros): string {
  const seconds = Math.floor(at / microsPerSecond)
  const rest = String(at - seconds * microsPerSecond).padStart(6, '0')
  return `${new Date(seconds * 1_000).toISOString().slice(0, 19)}.${rest}+00:00`
}

/** Parses seconds with up to six decimals exactly, such as `1700000000.123456`. Returns NaN for other texts. */
export function parseSeconds(text: string): Micros {
  const [, seconds, decimals = ''] = /^(\d{1,11})(?:\.(\d{1,6})\d*)?$/.exec(text) ?? []
  return seconds === undefined
    ? Number.NaN
    : Number(seconds) * microsPerSecond + Number(decimals.padEnd(6, '0'))
}

/** Shows times of one time zone. Results are cached by the hour, because a zone changes only at full hours or quarters. */
export class LocalTime {
  readonly #date: Intl.DateTimeFormat
  readonly #clock: Intl.DateTimeFormat
  readonly #days = new Map<number, string>()

  constructor(timeZone: string) {
    this.#date = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    })
    this.#clock = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    })
  }

  /** Returns the day as `2024-05-22`. */
  day(at: Micros): string {
    const quarter = Math.floor(at / (microsPerHour / 4))
    let day = this.#days.get(quarter)
    if (day === undefined) {
      if (this.#days.size > 10_000) this.#days.clear()
      day = this.#date.format(at / 1_000)
      this.#days.set(quarter, day)
    }
    return day
  }

  /** Returns the month as `2024-05`. */
  month = (at: Micros): string => this.day(at).slice(0, 7)

  /** Returns the time of day as `14:03:27`. */
  clock = (at: Micros): string => this.#clock.format(at / 1_000)
}

/** Returns whether this is the name of a time zone. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
