import type { z } from 'zod'
import { ApiError } from '../api-error.ts'
import { explain } from './explain.ts'

/** The value as the schema takes it, or a refusal in the protocol's words; `name` is what the refusal calls it. */
export function refuseUnlessFits<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  name: string,
): z.output<Schema> {
  const result = schema.safeParse(value, { reportInput: true })
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new ApiError('BAD_REQUEST', { text: issue ? explain(issue, name) : `Invalid ${name}` })
}
