import { ApiError, explain } from '@oxbow/contract'
import type { z } from 'zod'

/** Checks a value by a schema outside of decoding; `name` is what the refusal calls it. */
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
