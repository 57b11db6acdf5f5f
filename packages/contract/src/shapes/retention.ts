import type { z } from 'zod'
import { json, type Param } from '../kernel/params.ts'

/** How long messages are kept: a number of days, or one of two words. */
export function retention<Schema extends z.ZodType>(schema: Schema, description: string): Param<Schema> {
  return json(schema, {
    description: `${description}: days, "forever", or "realm_default" for what the organization has`,
  })
}
