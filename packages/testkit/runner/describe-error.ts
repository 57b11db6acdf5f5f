import { inspect } from 'node:util'

/**
 * Returns the error with its stack, its causes and its suppressed errors. Node prints a
 * `SuppressedError` without the failure of the test and without the failure of the clean-up.
 */
export function describeError(error: unknown): string {
  const text = inspect(error, { depth: 8 })
  const hidden = listSuppressed(error).flatMap(({ suppressed, error }) => [
    `The failure that was suppressed: ${describeError(suppressed)}`,
    `The failure of the clean-up after it: ${describeError(error)}`,
  ])
  return [text, ...hidden].join('\n')
}

/** Returns the outermost suppressed errors among the error, its causes and the errors it aggregates. */
function listSuppressed(error: unknown): SuppressedError[] {
  if (error instanceof SuppressedError) return [error]
  if (!(error instanceof Error)) return []
  const parts: unknown[] = error instanceof AggregateError ? error.errors : []
  return [error.cause, ...parts].flatMap(listSuppressed)
}
