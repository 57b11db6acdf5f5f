const day = 86_400_000
const recentDays = 28

/**
 * Messages in a week, on the average of the last four or of the stream's whole life, to two digits. Null while the
 * stream is too young to tell.
 */
export function weeklyTraffic(recentMessages: number, createdAt: Date, now = Date.now()): number | null {
  const age = Math.floor((now - createdAt.getTime()) / day)
  if (age < 7) return null
  const average = Math.floor(age >= recentDays ? recentMessages / 4 : (recentMessages * 7) / age)
  if (average === 0 && recentMessages > 0) return 1
  return toTwoDigits(average)
}

/** Half goes to the even digit. */
function toTwoDigits(value: number): number {
  if (value < 100) return value
  const unit = 10 ** (String(value).length - 2)
  const whole = Math.floor(value / unit)
  const rest = value - whole * unit
  const isUp = rest * 2 > unit || (rest * 2 === unit && whole % 2 === 1)
  return (whole + (isUp ? 1 : 0)) * unit
}
