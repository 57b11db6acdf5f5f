import { keyOf, type Result, readResults } from './results.ts'

/** Smaller relative changes are treated as noise. */
const noise = 0.05

export interface Change {
  key: string
  before: number
  after: number
  unit: string
  /** Relative change; positive if the value increased. */
  change: number
  verdict: 'better' | 'worse' | 'same'
}

/** Compares results that both runs have. Results that got worse come first, the largest change first. */
export function compareResults(before: readonly Result[], after: readonly Result[]): Change[] {
  const earlier = new Map(before.map((result) => [keyOf(result), result]))
  return after
    .flatMap((result): Change[] => {
      const key = keyOf(result)
      const { value } = earlier.get(key) ?? {}
      if (value === undefined || value === 0) return []
      const change = result.value / value - 1
      const isBetter = result.better === 'less' ? change < 0 : change > 0
      const verdict = Math.abs(change) < noise ? 'same' : isBetter ? 'better' : 'worse'
      return [{ key, before: value, after: result.value, unit: result.unit, change, verdict }]
    })
    .sort((a, b) => rankOf(a) - rankOf(b))
}

/** Compares two files and returns the lines to print. */
export function compareFiles(before: string, after: string): string[] {
  const [old, fresh] = [readResults(before), readResults(after)]
  const changes = compareResults(old.results, fresh.results)
  if (changes.length === 0) return ['The files have no results in common.']
  const machines =
    old.machine === fresh.machine ? [] : [`Different machines: ${old.machine}; ${fresh.machine}`]
  return [...machines, ...changes.map(describe)]
}

const rankOf = ({ verdict, change }: Change): number =>
  ({ worse: 0, better: 1_000, same: 2_000 })[verdict] - Math.min(Math.abs(change), 900)

function describe({ verdict, key, before, after, unit, change }: Change): string {
  const percent = `${change < 0 ? '−' : '+'}${Math.abs(change * 100).toFixed(0)} %`
  return `${verdict.padEnd(6)}  ${percent.padStart(7)}  ${key}: ${short(before)} → ${short(after)} ${unit}`
}

const short = (value: number): string => String(Number(value.toPrecision(3)))
