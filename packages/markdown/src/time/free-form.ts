import { type DateParts, type Moment, momentOf, offsetOf } from './parse-time.ts'

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const monthWord = /^(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*$/
const weekday = /^(mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun)(day|nesday|sday|rsday|urday)?$/
const clock = /^(\d{1,2}):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?(am|pm)?$/
const hourOfHalfDay = /^(\d{1,2})(am|pm)$/
const dayWithSuffix = /^(\d{1,2})(st|nd|rd|th)$/
const numericZone = /^(?:utc|gmt)?([+-]\d\d(?::?\d\d)?)$/
const slashDate = /^(\d{1,2})\/(\d{1,2})\/(\d{2}|\d{4})$/
const packed = /^(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d)?)?$/
const fillers = new Set(['at', 'on', 'of', 'and', 'the', 'z', 'utc', 'gmt', 't'])

type Found = Partial<DateParts> & { halfDay?: 'am' | 'pm' }

/**
 * Reads what people write: `May 28 2020, 8:00 AM`, `28 May 2020 20:00 +0200`, `5/28/2020`, `10:30`.
 * Parts left out are those of today, at midnight. Undefined when any word is not understood.
 */
export function readFreeForm(text: string, now: Date): Moment | undefined {
  const words = text
    .toLowerCase()
    .replace(/\b(am|pm)\b/g, (half) => ` ${half}`)
    .split(/[\s,]+/)
    .filter((word) => word !== '')
  if (words.length === 0 || words.length > 12) return undefined
  const found: Found = {}
  for (const word of words) if (!readWord(word, found)) return undefined
  const today: DateParts = {
    year: now.getUTCFullYear(),
    month: now.getUTCMonth() + 1,
    day: now.getUTCDate(),
    hour: 0,
    minute: 0,
    second: 0,
    microseconds: 0,
    offsetMinutes: 0,
  }
  if (!Object.keys(found).some((part) => part in today && part !== 'offsetMinutes')) return undefined
  const { halfDay, ...parts } = found
  const whole = { ...today, ...parts }
  if (halfDay) {
    if (whole.hour < 1 || whole.hour > 12) return undefined
    whole.hour = (whole.hour % 12) + (halfDay === 'pm' ? 12 : 0)
  }
  return momentOf(found.day === undefined ? { ...whole, day: lastPossibleDay(whole) } : whole)
}

/** Today may be the 31st while the named month has no such day. */
function lastPossibleDay({ year, month, day }: DateParts): number {
  return Math.min(day, new Date(Date.UTC(year, month, 0)).getUTCDate())
}

function readWord(word: string, found: Found): boolean {
  if (fillers.has(word) || weekday.test(word)) return true
  const month = monthWord.exec(word)?.[1]
  if (month) return put(found, { month: months.indexOf(month) + 1 })
  if (word === 'am' || word === 'pm') return found.hour !== undefined && put(found, { halfDay: word })
  return readClock(word, found) || readDay(word, found)
}

function readClock(word: string, found: Found): boolean {
  const time = clock.exec(word)
  if (time) {
    const [, hour, minute, second = '0', fraction = '', half] = time
    const microseconds = Number(fraction.padEnd(6, '0'))
    const parts: Found = { hour: Number(hour), minute: Number(minute), second: Number(second), microseconds }
    return put(found, half === 'am' || half === 'pm' ? { ...parts, halfDay: half } : parts)
  }
  const [, hour, half] = hourOfHalfDay.exec(word) ?? []
  if (half === 'am' || half === 'pm') return put(found, { hour: Number(hour), halfDay: half })
  const zone = found.hour === undefined ? undefined : numericZone.exec(word)?.[1]
  return zone !== undefined && put(found, { offsetMinutes: offsetOf(zone) })
}

function readDay(word: string, found: Found): boolean {
  const suffixed = dayWithSuffix.exec(word)?.[1]
  if (suffixed) return put(found, { day: Number(suffixed) })
  const slashed = slashDate.exec(word)
  if (slashed) {
    const [, month, day, year = ''] = slashed
    return put(found, { month: Number(month), day: Number(day), year: fullYear(year) })
  }
  const digits = packed.exec(word)
  if (digits && word.length !== 4) {
    const [, year, month, day, hour = '0', minute = '0', second = '0'] = digits
    const date = { year: Number(year), month: Number(month), day: Number(day) }
    return put(found, { ...date, hour: Number(hour), minute: Number(minute), second: Number(second) })
  }
  if (!/^\d+$/.test(word)) return false
  if (word.length === 4) return put(found, { year: Number(word) })
  if (word.length > 2 || Number(word) === 0) return false
  if (found.day === undefined && Number(word) <= 31) return put(found, { day: Number(word) })
  return put(found, { year: fullYear(word) })
}

/** Each part may be given once. */
function put(found: Found, parts: Found): boolean {
  for (const name of Object.keys(parts)) if (name in found) return false
  Object.assign(found, parts)
  return true
}

function fullYear(digits: string): number {
  const year = Number(digits)
  if (digits.length > 2) return year
  return year < 70 ? 2000 + year : 1900 + year
}
