import { PostPolicy, type Stream } from '@oxbow/contract'
import type { StreamRow } from '../platform/database/tables.ts'

export function viewStream(stream: StreamRow): Stream {
  return {
    stream_id: stream.id,
    name: stream.name,
    description: stream.description,
    rendered_description: stream.rendered_description,
    invite_only: stream.invite_only,
    is_web_public: false,
    stream_post_policy: stream.stream_post_policy,
    history_public_to_subscribers: stream.history_public_to_subscribers,
    first_message_id: stream.first_message_id,
    message_retention_days: stream.message_retention_days,
    is_announcement_only: stream.stream_post_policy === PostPolicy.administrators,
    folder_id: stream.folder_id,
  }
}

/** Adds the fields that streams lack in events of the release before, which may still be in the log. */
export const withLaterFields = <Viewed extends Stream>(stream: Viewed): Viewed => ({
  ...stream,
  folder_id: stream.folder_id ?? null,
})
