import type { Figure } from '../figures.ts'

export interface Goal {
  label: string
  value: number
  /** The highest acceptable value. */
  limit: number
  /** A value that missed the goal earlier, on an idle machine. It may be exceeded by at most a tenth. */
  measuredBefore?: number
  unit: string
  digits?: number
}

const isReached = ({ value, limit }: Goal): boolean => value <= limit

/** Returns whether the goal is missed, and by over a tenth more than before if it was missed then. */
const isWorse = ({ value, limit, measuredBefore }: Goal): boolean =>
  value > (measuredBefore === undefined ? limit : Math.max(limit, 1.1 * measuredBefore))

/** Formats a figure with its goal and whether the goal is reached. */
export function judge(goal: Goal): Figure {
  const { label, value, limit, measuredBefore, unit, digits = 0 } = goal
  const write = (number: number) => `${number.toFixed(digits)}${unit && ` ${unit}`}`
  const verdict = isReached(goal) ? 'reached' : isWorse(goal) ? 'MISSED' : 'missed as before'
  const before = measuredBefore === undefined ? '' : ` (${write(measuredBefore)} measured before)`
  if (isWorse(goal)) process.exitCode = 1
  return {
    label,
    measured: write(value),
    wanted: `at most ${limit}${unit && ` ${unit}`}${before}: ${verdict}`,
  }
}
