/** One line of the table that a benchmark prints at the end. */
export interface Figure {
  label: string
  measured: string
  wanted?: string
}

/** Returns the quantile of the values: the value at or below which this share of them (0 to 1) lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort()
  const [lower, upper] = [sorted.at((sorted.length - 1) >> 1), sorted.at(sorted.length >> 1)]
  return ((lower ?? Number.NaN) + (upper ?? Number.NaN)) / 2
}

export const print = (text: string) => process.stdout.write(`${text}\n`)

export function printTable(figures: readonly Figure[]): void {
  const widths = [
    Math.max(...figures.map(({ label }) => label.length)),
    Math.max(...figures.map(({ measured }) => measured.length)),
  ] as const
  for (const { label, measured, wanted = '' } of figures) {
    print(`${label.padEnd(widths[0])}  ${measured.padEnd(widths[1])}  ${wanted}`.trimEnd())
  }
}
