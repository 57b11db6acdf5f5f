const dayMs = 86_400_000
const recentDays = 28

/**
 * Returns the average messages per week over the last four weeks or the stream's lifetime, rounded
 * to two significant digits, and at least 1 if there were any messages. Returns null if the stream
 * is younger than a week.
 */
export function weeklyTraffic(recentMessages: number, createdAt: Date, now = Date.now()): number | null {
  const ageDays = Math.floor((now - createdAt.getTime()) / dayMs)
  if (ageDays < 7) return null
  const average = Math.floor(ageDays >= recentDays ? recentMessages / 4 : (recentMessages * 7) / ageDays)
  if (average === 0 && recentMessages > 0) return 1
  return roundToTwoDigits(average)
}

/** Rounds to two significant digits; halves are rounded to the even digit. */
function roundToTwoDigits(value: number): number {
  if (value < 100) return value
  const unit = 10 ** (String(value).length - 2)
  const wholeUnits = Math.floor(value / unit)
  const rest = value - wholeUnits * unit
  const roundsUp = rest * 2 > unit || (rest * 2 === unit && wholeUnits % 2 === 1)
  return (wholeUnits + (roundsUp ? 1 : 0)) * unit
}
