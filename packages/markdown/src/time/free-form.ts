import { type DateParts, type Moment, parseOffset, toMoment } from './moment.ts'
import { getZoneOffset } from './zones.ts'

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const monthWord = /^(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?$/
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const weekdayWord = /^(mon|tue|wed|thu|fri|sat|sun)(?:day|s|sday|nesday|r|rs|rsday|urday)?$/
const halfDayAfterHour = /(\d) ?([ap])\.?m\b\.?/g
const clock = /^(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?([ap]m)?(z|[+-]\d\d(?::?\d\d)?)?$/
const hourOfHalfDay = /^(\d{1,2})([ap]m)$/
const dayWithSuffix = /^(\d{1,2})(?:st|nd|rd|th)$/
const numericZone = /^(?:utc|gmt)?([+-]\d{1,2}(?::?\d\d)?)$/
const yearFirst = /^(\d{4})([/.-])(\d{1,2})\2(\d{1,2})(?:t(.+))?$/
const yearLast = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{2}|\d{4})$/
const packed = /^(\d{4})(\d\d)(\d\d)(?:t(\d\d)(\d\d)?(\d\d)?(z)?|(\d\d)(\d\d)(\d\d)?)?$/
const fillers = new Set(['at', 'on', 'of', 'and', 'the', 't'])

type Found = Partial<DateParts> & { halfDay?: 'am' | 'pm'; weekday?: number }

/**
 * Parses times as people write them: `May 28 2020, 8:00 AM`, `28 May 2020 20:00 +0200`,
 * `5/28/2020`, `10:30 EST`, `Friday`. Missing parts of the date are those of today, and a missing
 * time is midnight. Returns undefined if a word is unknown.
 */
export function readFreeForm(text: string, now: Date): Moment | undefined {
  const words = text
    .split(/[\s,]+/)
    .filter((word) => word !== '')
    .join(' ')
  const found: Found = {}
  const normalizedText = words
    .replace(/[AP]\.?M\b/g, (half) => half.toLowerCase())
    .replace(halfDayAfterHour, '$1$2m')
  const textParts = normalizedText.split(' ')
  if (normalizedText === '' || textParts.length > 12) return undefined
  for (const word of textParts) if (!readWord(word, found)) return undefined
  const today: DateParts = {
    year: now.getUTCFullYear(),
    month: now.getUTCMonth() + 1,
    day: now.getUTCDate(),
    hour: 0,
    minute: 0,
    second: 0,
    microseconds: 0,
    offsetMinutes: undefined,
  }
  const { halfDay, weekday, offsetMinutes, ...parts } = found
  if (weekday === undefined && Object.keys(parts).length === 0) return undefined
  const dateParts = { ...today, ...parts, offsetMinutes }
  if (halfDay) {
    if (dateParts.hour < 1 || dateParts.hour > 12) return undefined
    dateParts.hour = (dateParts.hour % 12) + (halfDay === 'pm' ? 12 : 0)
  }
  if (found.day !== undefined) return toMoment(dateParts)
  return toMoment(moveToWeekday({ ...dateParts, day: lastPossibleDay(dateParts) }, weekday))
}

/** Returns the day, or the last day of the month if today is the 31st and the month is shorter. */
function lastPossibleDay({ year, month, day }: DateParts): number {
  return Math.min(day, new Date(Date.UTC(year, month, 0)).getUTCDate())
}

/** Moves a date to the given weekday: the same day or the next such day. */
function moveToWeekday(parts: DateParts, weekday: number | undefined): DateParts {
  if (weekday === undefined) return parts
  const date = new Date(Date.UTC(parts.year, parts.month - 1, parts.day))
  date.setUTCDate(parts.day + ((weekday - date.getUTCDay() + 7) % 7))
  return { ...parts, year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

function readWord(written: string, found: Found): boolean {
  const word = written.toLowerCase()
  if (fillers.has(word)) return true
  const month = monthWord.exec(word)?.[1]
  if (month) return setParts(found, { month: months.indexOf(month) + 1 })
  const weekday = weekdayWord.exec(word)?.[1]
  if (weekday) return setParts(found, { weekday: weekdays.indexOf(weekday) })
  return readClock(word, found) || readZone(written, word, found) || readDay(word, found)
}

function readClock(word: string, found: Found): boolean {
  const time = clock.exec(word)
  if (time) {
    const [, hour, minute, second = '0', fraction = '', half, zone] = time
    const parts: Found = { hour: Number(hour), minute: Number(minute), second: Number(second) }
    parts.microseconds = Number(fraction.slice(0, 6).padEnd(6, '0'))
    if (half === 'am' || half === 'pm') parts.halfDay = half
    if (zone !== undefined) parts.offsetMinutes = parseOffset(zone)
    return setParts(found, parts)
  }
  const [, hour, half] = hourOfHalfDay.exec(word) ?? []
  return (half === 'am' || half === 'pm') && setParts(found, { hour: Number(hour), halfDay: half })
}

/** Reads a zone after the time. Names must be in capitals, so that ordinary words do not match. */
function readZone(written: string, word: string, found: Found): boolean {
  const zone = found.hour === undefined ? undefined : numericZone.exec(word)?.[1]
  if (zone !== undefined) return setParts(found, { offsetMinutes: parseOffset(zone) })
  const isUtc = word === 'utc' || word === 'gmt' || word === 'z'
  const offsetMinutes = isUtc ? 0 : found.hour === undefined ? undefined : getZoneOffset(written)
  return offsetMinutes !== undefined && setParts(found, { offsetMinutes })
}

function readDay(word: string, found: Found): boolean {
  const suffixed = dayWithSuffix.exec(word)?.[1]
  if (suffixed) return setParts(found, { day: Number(suffixed) })
  const ordered = yearFirst.exec(word)
  if (ordered) {
    const [, year, , month, day, time] = ordered
    const date = { year: Number(year), month: Number(month), day: Number(day) }
    return setParts(found, date) && (time === undefined || readClock(time, found))
  }
  const reversed = yearLast.exec(word)
  if (reversed) {
    const [, first, , second, year = ''] = reversed
    // The month comes first, unless the first number is too large for a month.
    const [month, day] = Number(first) > 12 ? [second, first] : [first, second]
    return setParts(found, { month: Number(month), day: Number(day), year: fullYear(year) })
  }
  const digits = packed.exec(word)
  if (digits && word.length !== 4) {
    const [, year, month, day] = digits
    const date = { year: Number(year), month: Number(month), day: Number(day) }
    const [hour, minute, second] = [digits[4] ?? digits[8], digits[5] ?? digits[9], digits[6] ?? digits[10]]
    if (hour === undefined) return setParts(found, date)
    return setParts(found, {
      ...date,
      hour: Number(hour),
      minute: Number(minute ?? 0),
      second: Number(second ?? 0),
      ...(digits[7] !== undefined && { offsetMinutes: 0 }),
    })
  }
  if (!/^'?\d+$/.test(word)) return false
  if (word.startsWith("'")) return word.length === 3 && setParts(found, { year: fullYear(word.slice(1)) })
  if (word.length === 4) return setParts(found, { year: Number(word) })
  if (word.length > 2 || Number(word) === 0) return false
  if (found.day === undefined && Number(word) <= 31) return setParts(found, { day: Number(word) })
  return setParts(found, { year: fullYear(word) })
}

/** Sets parts of the time. Returns false if one of them was already set. */
function setParts(found: Found, parts: Found): boolean {
  for (const name of Object.keys(parts)) if (name in found) return false
  Object.assign(found, parts)
  return true
}

function fullYear(digits: string): number {
  const year = Number(digits)
  if (digits.length > 2) return year
  return year < 70 ? 2000 + year : 1900 + year
}
