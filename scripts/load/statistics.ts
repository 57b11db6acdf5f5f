import { quantile } from '../bench/figures.ts'

export interface Times {
  count: number
  median: number
  p99: number
  p999: number
  max: number
}

/** Summarizes times in milliseconds. */
export function summarize(values: readonly number[]): Times {
  const at = (share: number) => round(values.length === 0 ? 0 : quantile(values, share))
  return { count: values.length, median: at(0.5), p99: at(0.99), p999: at(0.999), max: at(1) }
}

export const round = (value: number, digits = 1): number => Number(value.toFixed(digits))
