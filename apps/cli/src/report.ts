import { ApiError } from '@oxbow/contract'
import { ImportRefusal } from '@oxbow/imports/refusal'
import { ConfigError, OperatorError, SetupError } from '@oxbow/server'

/**
 * Prints an error for the operator. The stack trace is printed only for unexpected errors,
 * which are bugs.
 */
export function report(error: unknown): void {
  const expected = [ApiError, ConfigError, ImportRefusal, OperatorError, SetupError].some(
    (kind) => error instanceof kind,
  )
  const { message, stack = message } = error as Error
  process.stderr.write(`${escapeControls(expected ? message : stack)}\n`)
}

/** Escapes control characters except line breaks and tabs: names in a crafted file could manipulate the terminal. */
const escapeControls = (text: string): string =>
  text.replace(
    /(?![\n\t])\p{Cc}/gu,
    (sign) => `\\x${(sign.codePointAt(0) ?? 0).toString(16).padStart(2, '0')}`,
  )

/** Prints a warning on standard error, so that standard output contains only the result. */
export function warn(text: string): void {
  process.stderr.write(`Warning: ${escapeControls(text)}\n`)
}

export function print(text: string): void {
  process.stdout.write(`${escapeControls(text)}\n`)
}

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`)
}

/** Prints a table. Each column is as wide as its longest cell. */
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
