import type { Figure } from '../figures.ts'

export interface Goal {
  label: string
  value: number
  /** The most that the value may be. */
  limit: number
  unit: string
  digits?: number
}

/** Writes a figure with its goal, and whether it is reached. */
export function judge({ label, value, limit, unit, digits = 0 }: Goal): Figure {
  const write = (number: number) => `${number.toFixed(digits)}${unit && ` ${unit}`}`
  const verdict = value <= limit ? 'reached' : 'MISSED'
  return { label, measured: write(value), wanted: `at most ${limit}${unit && ` ${unit}`}: ${verdict}` }
}
