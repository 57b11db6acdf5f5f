import { z } from 'zod'
import { webhookFailureId } from '../ids.ts'

export const webhookFailure = z.strictObject({
  id: webhookFailureId,
  integration: z.string(),
  received_at: z.int(),
  code: z.string(),
  reason: z.string(),
  query: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
  body_bytes: z.int(),
  may_be_replayed: z.boolean(),
})
export type WebhookFailure = z.infer<typeof webhookFailure>
