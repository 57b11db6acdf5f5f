export type Moment = {
  seconds: number
  /** The fraction of the second, with up to six digits, because a Date has only three. */
  microseconds: number
  /** Minutes east of UTC, if the text has a zone. Without a zone, the time is UTC. */
  offsetMinutes: number | undefined
}

export type DateParts = {
  year: number
  month: number
  day: number
  hour: number
  minute: number
  second: number
  microseconds: number
  offsetMinutes: number | undefined
}

/** Returns undefined for a day or hour that does not exist, such as 30 February. */
export function toMoment(parts: DateParts): Moment | undefined {
  const { year, month, day, hour, minute, second, microseconds, offsetMinutes } = parts
  if (month < 1 || month > 12 || hour > 23 || minute > 59 || second > 59 || year < 1) return undefined
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  date.setUTCHours(hour, minute - (offsetMinutes ?? 0), second)
  return { seconds: date.getTime() / 1000, microseconds, offsetMinutes }
}

/** Parses `Z`, `+2`, `+02`, `+0200` or `-07:00`. Returns minutes east of UTC. */
export function parseOffset(zone: string): number {
  const match = /^([+-])(\d{1,2}?):?(\d\d)?$/.exec(zone)
  if (!match) return 0
  const minutes = Number(match[2]) * 60 + Number(match[3] ?? '0')
  return match[1] === '-' ? -minutes : minutes
}
