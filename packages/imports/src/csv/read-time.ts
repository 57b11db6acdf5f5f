import type { Micros } from '../model/source.ts'

const iso =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?\s*(Z|[+-]\d\d:?\d\d)?$/i

/**
 * Reads a time: ISO 8601, or seconds, milliseconds or microseconds since 1970, told apart by their size. A
 * time without an offset is one of `timeZone`. Returns NaN for others, such as `03/04/2024`, which may be in
 * March or in April.
 */
export function readTime(text: string, timeZone: string): Micros {
  const trimmed = text.trim()
  if (/^\d{1,16}(?:\.\d{1,6})?$/.test(trimmed)) return fromNumber(trimmed)
  const [, year, month, day, hour = '0', minute = '0', second = '0', decimals = '', offset] =
    iso.exec(trimmed) ?? []
  if (year === undefined) return Number.NaN
  const local = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  )
  const utc = offset === undefined ? fromLocal(local, timeZone) : local - readOffset(offset)
  return utc * 1_000 + Number(decimals.padEnd(6, '0').slice(0, 6))
}

function fromNumber(text: string): Micros {
  const [whole = '', decimals = ''] = text.split('.')
  if (whole.length > 14) return Number(whole)
  if (whole.length > 11) return Number(whole) * 1_000
  return Number(whole) * 1_000_000 + Number(decimals.padEnd(6, '0'))
}

function readOffset(offset: string): number {
  if (/z/i.test(offset)) return 0
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(offset) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}

/** Converts a local time, given as if it were UTC. Two steps are enough around a change of the clock. */
function fromLocal(local: number, timeZone: string): number {
  const first = local - offsetAt(local, timeZone)
  return local - offsetAt(first, timeZone)
}

const formats = new Map<string, Intl.DateTimeFormat>()

function offsetAt(utc: number, timeZone: string): number {
  if (timeZone === 'UTC' || Number.isNaN(utc)) return 0
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    formats.set(timeZone, format)
  }
  const part = Object.fromEntries(format.formatToParts(utc).map(({ type, value }) => [type, Number(value)]))
  const shown = Date.UTC(part.year ?? 0, (part.month ?? 1) - 1, part.day, part.hour, part.minute, part.second)
  return shown - Math.floor(utc / 1_000) * 1_000
}
