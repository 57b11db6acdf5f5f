/** Fields of a stream in every list. The schema of a stream has exactly these. */
export const streamFields = [
  'stream_id',
  'name',
  'description',
  'rendered_description',
  'invite_only',
  'is_web_public',
  'stream_post_policy',
  'history_public_to_subscribers',
  'first_message_id',
  'message_retention_days',
  'is_announcement_only',
] as const
export type StreamField = (typeof streamFields)[number]
