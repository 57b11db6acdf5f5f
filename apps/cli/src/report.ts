import { ApiError } from '@oxbow/contract'
import { ConfigError, OperatorError, SetupError } from '@oxbow/server'

/** What went wrong, in words for whoever typed the command. A stack is only shown for mistakes of ours. */
export function report(error: unknown): void {
  const expected = [ApiError, ConfigError, OperatorError, SetupError].some((kind) => error instanceof kind)
  const text = expected ? (error as Error).message : (error as Error).stack
  process.stderr.write(`${text}\n`)
}

/** On standard error, so that standard output holds only the result. */
export function warn(text: string): void {
  process.stderr.write(`Warning: ${text}\n`)
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value))
}

/** Columns under their headings, as wide as they need to be. */
export function printTable(headings: string[], rows: string[][]): void {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  for (const row of [headings, ...rows]) {
    print(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
  }
}
