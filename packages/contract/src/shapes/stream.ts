import { z } from 'zod'
import { defaultStreamGroupId, streamId } from '../ids.ts'

/** Who may post to a stream. Administrators always may. */
export const PostPolicy = { everyone: 1, administrators: 2, fullMembers: 3 } as const
export type PostPolicy = (typeof PostPolicy)[keyof typeof PostPolicy]
export const postPolicies = [1, 2, 3] as const

export const maxStreamNameLength = 60
export const maxStreamDescriptionLength = 1024

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
})
export type Stream = z.infer<typeof stream>
export const streamFields = Object.keys(stream.shape) as (keyof Stream)[]

export const defaultStreamGroup = z.strictObject({
  id: defaultStreamGroupId,
  name: z.string(),
  description: z.string(),
  streams: z.array(stream),
})
export type DefaultStreamGroup = z.infer<typeof defaultStreamGroup>
