import { z } from 'zod'
import { defaultStreamGroupId, streamId } from '../ids.ts'
import { postPolicies } from '../plain/post-policies.ts'
import type { StreamField } from '../plain/stream-fields.ts'

export const stream = z.strictObject({
  stream_id: streamId,
  name: z.string(),
  description: z.string(),
  rendered_description: z.string(),
  invite_only: z.boolean(),
  is_web_public: z.boolean(),
  stream_post_policy: z.literal([...postPolicies]),
  history_public_to_subscribers: z.boolean(),
  first_message_id: z.int().nullable(),
  message_retention_days: z.int().nullable(),
  is_announcement_only: z.boolean(),
} satisfies Record<StreamField, z.ZodType>)
export type Stream = z.infer<typeof stream>

export const defaultStreamGroup = z.strictObject({
  id: defaultStreamGroupId,
  name: z.string(),
  description: z.string(),
  streams: z.array(stream),
})
export type DefaultStreamGroup = z.infer<typeof defaultStreamGroup>
