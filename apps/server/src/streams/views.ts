import {
  findPostRight,
  type GroupSetting,
  type GroupValue,
  PostPolicy,
  type Stream,
  type StreamRight,
} from '@oxbow/contract'
import type { StreamRow } from '../platform/database/tables.ts'

/** Returns a group value as clients expect it: a single group by its id. */
export function viewGroupValue({ direct_members, direct_subgroups }: GroupValue): GroupSetting {
  const [only, ...others] = direct_subgroups
  const isSingle = only !== undefined && others.length === 0 && direct_members.length === 0
  return (isSingle ? only : { direct_members, direct_subgroups }) as GroupSetting
}

/** Returns the rights that differ from their defaults. Most streams have none. */
function viewRights(stream: StreamRow): { [Right in StreamRight]?: GroupSetting } {
  const given = Object.entries({ ...stream.rights, can_send_message_group: findPostRight(stream) })
  return Object.fromEntries(
    given.flatMap(([right, value]) => (value ? [[right, viewGroupValue(value)]] : [])),
  )
}

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
    ...viewRights(stream),
  }
}

/** Adds the fields that streams lack in events of the release before, which may still be in the log. */
export const withLaterFields = <Viewed extends Stream>(stream: Viewed): Viewed => ({
  ...stream,
  folder_id: stream.folder_id ?? null,
})
