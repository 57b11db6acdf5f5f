/** Fields that every list of streams contains. The schema of a stream has exactly these fields. */
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
  'folder_id',
] as const
export type StreamField = (typeof streamFields)[number]
