/** A period of quiet on some weekdays, by the clocks of the reader's time zone. */
interface QuietPeriod {
  /** Weekdays on which it begins: 0 is Sunday. */
  readonly days: readonly number[]
  /** Minutes after midnight. A period whose end is not after its start ends on the next day. */
  readonly from: number
  readonly to: number
}

export interface QuietHours {
  readonly periods: readonly QuietPeriod[]
  /** Everything is quiet until then, in milliseconds since 1970. */
  readonly pausedUntil?: number | undefined
}

const dayMs = 86_400_000
const minuteMs = 60_000
/** Periods that follow each other without a gap are followed this far. */
const maxPeriods = 20

/**
 * Returns when the quiet that lasts at `at` ends, in milliseconds since 1970; undefined if it is not quiet then.
 *
 * `toInstant` converts a local time of the reader's zone, given as if it were UTC. Times that clocks show twice or
 * never must be taken as standard time. So an hour that a clock change skips or repeats belongs to the period that
 * contains its standard time.
 */
export function findQuietEnd(
  { periods, pausedUntil }: QuietHours,
  at: number,
  toInstant: (local: Date) => Date,
): number | undefined {
  let end = at
  for (let count = 0; count < maxPeriods; count++) {
    const next = Math.max(
      pausedUntil ?? end,
      ...listPeriodsAround(periods, end, toInstant)
        .filter((period) => period.from <= end && end < period.to)
        .map(({ to }) => to),
    )
    if (next <= end) break
    end = next
  }
  return end > at ? end : undefined
}

/** Lists the periods that begin within two days of a time. */
function listPeriodsAround(
  periods: readonly QuietPeriod[],
  at: number,
  toInstant: (local: Date) => Date,
): { from: number; to: number }[] {
  const today = Math.floor(at / dayMs) * dayMs
  return [-2, -1, 0, 1].flatMap((days) => {
    const midnight = today + days * dayMs
    const toTime = (minutes: number) => toInstant(new Date(midnight + minutes * minuteMs)).getTime()
    return periods
      .filter((period) => period.days.includes(new Date(midnight).getUTCDay()))
      .map(({ from, to }) => ({ from: toTime(from), to: toTime(to > from ? to : to + 24 * 60) }))
  })
}
