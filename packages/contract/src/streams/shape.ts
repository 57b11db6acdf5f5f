import { z } from 'zod'
import { defaultStreamGroupId, streamFolderId, streamId } from '../ids.ts'
import { texts } from '../kernel/common-descriptions.ts'
import { field, object } from '../kernel/field.ts'
import { postPolicies } from '../plain/post-policies.ts'
import type { StreamField } from '../plain/stream-fields.ts'
import type { StreamRight } from '../plain/stream-rights.ts'
import { groupSetting } from '../user-groups/group-value.ts'

const right = (about: string) =>
  field(groupSetting.optional(), `${about} Absent if the stream has the default.`)

const rights = {
  can_send_message_group: right('Who may post, if `stream_post_policy` cannot express it.'),
  can_create_topic_group: right('Who, of those who may post, may start topics. Everyone by default.'),
  can_move_messages_within_channel_group: right(
    'Who may change the topics of messages besides those whom the organization lets. Nobody by default.',
  ),
  can_move_messages_out_of_channel_group: right(
    'Who may move messages to other streams besides moderators and administrators. Nobody by default.',
  ),
  can_resolve_topics_group: right(
    'Who may resolve topics besides those whom the organization lets. Nobody by default.',
  ),
  can_delete_any_message_group: right(
    'Who may delete messages of others besides moderators and administrators. Nobody by default.',
  ),
  can_delete_own_message_group: right(
    'Who may delete their own messages besides those whom the organization lets. Nobody by default.',
  ),
  can_add_subscribers_group: right(
    'Who may subscribe others besides those whom the organization lets. Nobody by default.',
  ),
} satisfies Record<StreamRight, z.ZodType>

export const stream = object({
  stream_id: field(streamId, texts.streamId),
  name: field(z.string(), 'The name of the stream.'),
  description: field(z.string(), 'The description of the stream, in Markdown.'),
  rendered_description: field(z.string(), `The description as ${texts.renderedHtml}`),
  invite_only: field(z.boolean(), 'Whether the stream is private.'),
  is_web_public: field(z.boolean(), 'Whether anyone may read the stream without an account. Always false.'),
  stream_post_policy: field(z.literal([...postPolicies]), texts.postPolicy),
  history_public_to_subscribers: field(
    z.boolean(),
    'Whether new subscribers can read messages that were sent before they subscribed.',
  ),
  first_message_id: field(
    z.int().nullable(),
    'The id of the oldest message in the stream. Null if it has none.',
  ),
  message_retention_days: field(
    z.int().nullable(),
    "The number of days for which messages are kept. Null for the organization's setting, -1 for no limit.",
  ),
  is_announcement_only: field(z.boolean(), 'Deprecated. Whether `stream_post_policy` is 2.'),
  folder_id: field(
    streamFolderId.nullable(),
    'The id of the folder of streams that the stream is in. Null if it is in none.',
  ),
  ...rights,
} satisfies Record<StreamField | StreamRight, z.ZodType>)
export type Stream = z.infer<typeof stream>

export const defaultStreamGroup = object({
  id: field(defaultStreamGroupId, 'The id of the group of default streams.'),
  name: field(z.string(), 'The name of the group of default streams.'),
  description: field(z.string(), 'The description of the group of default streams.'),
  streams: field(z.array(stream), 'The streams in the group.'),
})
export type DefaultStreamGroup = z.infer<typeof defaultStreamGroup>
