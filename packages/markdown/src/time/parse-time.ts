import { readFreeForm } from './free-form.ts'
import { type Moment, parseOffset, toMoment } from './moment.ts'

const unixSeconds = /^-?\d{1,13}(?:\.\d{1,6})?$/
const isoTime =
  /^(\d{4})-(\d\d)(?:-(\d\d))?(?:[T ](\d\d):?(\d\d)(?::?(\d\d)(?:[.,](\d{1,9}))?)?)?\s*(Z|[+-]\d\d(?::?\d\d)?)?$/i
const lastSecond = Date.UTC(9999, 11, 31, 23, 59, 59) / 1000
const firstSecond = -62135596800

/**
 * Parses ISO 8601, a free-form date or Unix seconds, tried in this order. Without a zone, the time
 * is UTC.
 */
export function parseTime(written: string, now: Date): Moment | undefined {
  const text = written.trim()
  if (text.length > 100) return undefined
  const moment = readIso(text) ?? readFreeForm(text, now) ?? readUnix(text)
  if (!moment || moment.seconds < firstSecond || moment.seconds > lastSecond) return undefined
  return moment
}

export function formatTime({ seconds, microseconds }: Moment): string {
  const dateTime = new Date(seconds * 1000).toISOString().slice(0, -'.000Z'.length)
  return microseconds === 0 ? `${dateTime}Z` : `${dateTime}.${String(microseconds).padStart(6, '0')}Z`
}

function readIso(text: string): Moment | undefined {
  const match = isoTime.exec(text)
  if (!match) return undefined
  const [, year, month, day = '1', hour = '0', minute = '0', second = '0', fraction = '', zone] = match
  return toMoment({
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
    microseconds: Number(fraction.slice(0, 6).padEnd(6, '0')),
    offsetMinutes: zone === undefined ? undefined : parseOffset(zone),
  })
}

function readUnix(text: string): Moment | undefined {
  if (!unixSeconds.test(text)) return undefined
  const [integerPart = '', fraction = ''] = text.split('.')
  return { seconds: Number(integerPart), microseconds: Number(fraction.padEnd(6, '0')), offsetMinutes: 0 }
}
