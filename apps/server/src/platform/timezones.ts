import { BoundedCache } from './bounded-cache.ts'

const currentNames = new Set(Intl.supportedValuesOf('timeZone'))
const lowerCaseNames = new Set([...currentNames].map((name) => name.toLowerCase()))
/** Valid names with three letters. `Intl` accepts others too, which are ambiguous abbreviations. */
const threeLetterNames = /^(CET|EET|EST|GMT|HST|MET|MST|PRC|ROC|ROK|UCT|UTC|WET)$/

/**
 * Returns whether this is a name of the tz database, possibly an older one. Current names must be
 * spelled exactly.
 */
export function isTimezone(name: string): boolean {
  if (currentNames.has(name)) return true
  if (lowerCaseNames.has(name.toLowerCase()) || !/^[A-Z][A-Za-z0-9_+/-]{2,}$/.test(name)) return false
  if (name.length === 3 && !threeLetterNames.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format() !== ''
  } catch {
    return false
  }
}

/** The size is bounded, because older names are accepted in many spellings and a formatter takes 90 KB. */
const formatters = new BoundedCache<string, Intl.DateTimeFormat>(500)

/**
 * Returns the minutes by which a zone is ahead of UTC at a time (negative if behind). The zone must be a
 * valid name.
 */
export function getOffsetMinutes(zone: string, at: Date): number {
  const formatter = formatters.getOrMake(
    zone,
    () => new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' }),
  )
  const name = formatter.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  // The name is `GMT` or like `GMT+02:00`; it has seconds for times before zones were introduced.
  const [, sign, hours = '0', minutes = '0'] = /([+-])(\d\d):(\d\d)/.exec(name) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

const dayMs = 86_400_000

/**
 * Returns the time at which clocks of a zone show `local`, which is given as if it were UTC. If clocks show
 * it twice or never, because they are set back or forward, it is taken as standard time.
 */
export function toInstant(local: Date, zone: string): Date {
  const around = [-dayMs, dayMs].map((distance) =>
    getOffsetMinutes(zone, new Date(local.getTime() + distance)),
  )
  const standard = Math.min(...around)
  const candidates = [standard, Math.max(...around)].map(
    (offset) => [offset, new Date(local.getTime() - offset * 60_000)] as const,
  )
  const found = candidates.find(([offset, at]) => getOffsetMinutes(zone, at) === offset)
  return (found ?? (candidates[0] as (typeof candidates)[0]))[1]
}
