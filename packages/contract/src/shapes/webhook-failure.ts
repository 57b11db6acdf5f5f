import { z } from 'zod'
import { webhookFailureId } from '../ids.ts'

export const webhookFailure = z.strictObject({
  id: webhookFailureId,
  integration: z.string(),
  received_at: z.int().meta({ description: 'UNIX seconds' }),
  code: z.string().meta({ description: 'As the service was told' }),
  reason: z.string(),
  query: z.string().meta({ description: 'Of the URL, without secrets' }),
  headers: z
    .record(z.string(), z.string())
    .meta({ description: 'Those that say what the delivery is, without secrets' }),
  body: z.string().meta({ description: 'Without secrets. Empty where it was too large to be kept' }),
  body_bytes: z.int().meta({ description: 'How large the body was' }),
  may_be_replayed: z.boolean(),
})
export type WebhookFailure = z.infer<typeof webhookFailure>
