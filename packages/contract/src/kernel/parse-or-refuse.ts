import type { z } from 'zod'
import { ApiError } from '../api-error.ts'
import { explainIssue } from './explain.ts'

/**
 * Returns the parsed value, or throws an `ApiError` with the protocol's text, which calls the value
 * `name`.
 */
export function parseOrRefuse<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  name: string,
): z.output<Schema> {
  const result = schema.safeParse(value, { reportInput: true })
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new ApiError('BAD_REQUEST', { text: issue ? explainIssue(issue, name) : `Invalid ${name}` })
}
