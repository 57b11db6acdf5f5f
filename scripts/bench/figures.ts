/** One line of the table at the end. */
export interface Figure {
  what: string
  measured: string
  wanted?: string
}

/** Each share of the values lies at or below what is returned for it. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort()
  const [lower, upper] = [sorted.at((sorted.length - 1) >> 1), sorted.at(sorted.length >> 1)]
  return ((lower ?? Number.NaN) + (upper ?? Number.NaN)) / 2
}

export const say = (text: string) => process.stdout.write(`${text}\n`)

export function sayTable(figures: readonly Figure[]): void {
  const widths = [
    Math.max(...figures.map(({ what }) => what.length)),
    Math.max(...figures.map(({ measured }) => measured.length)),
  ] as const
  for (const { what, measured, wanted = '' } of figures) {
    say(`${what.padEnd(widths[0])}  ${measured.padEnd(widths[1])}  ${wanted}`.trimEnd())
  }
}
