import { z } from 'zod'
import { webhookFailureId } from '../ids.ts'
import { field, object } from '../kernel/field.ts'

export const webhookFailure = object({
  id: field(webhookFailureId, 'The id of the refused delivery.'),
  integration: field(z.string(), 'The name of the integration that the delivery was sent to.'),
  received_at: field(z.int(), 'When the delivery arrived, in seconds since 1970-01-01 UTC.'),
  code: field(z.string(), 'The error code in the response to the service.'),
  reason: field(z.string(), 'The error message in the response to the service.'),
  query: field(z.string(), 'The query of the URL, without secrets.'),
  headers: field(
    z.record(z.string(), z.string()),
    'The headers that identify the delivery, without secrets.',
  ),
  body: field(
    z.string(),
    'The body of the request, without secrets. Empty if it was too large to be kept, or `include_bodies` is false.',
  ),
  body_bytes: field(z.int(), 'The size of the body in bytes.'),
  may_be_replayed: field(
    z.boolean(),
    'Whether the caller may replay the delivery: it was stored completely, its signature was not wrong, and the caller owned the bot then and still owns it.',
  ),
})
export type WebhookFailure = z.infer<typeof webhookFailure>
