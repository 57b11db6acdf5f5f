import { z } from 'zod'
import { streamFolderId, streamId, userId } from '../ids.ts'
import { texts } from '../kernel/common-descriptions.ts'
import { endpoint } from '../kernel/endpoint.ts'
import { field, object } from '../kernel/field.ts'
import { json, path, quotableText, text } from '../kernel/params.ts'
import { maxCharacters, oneOfIntegers, stringOrInteger } from '../kernel/schemas.ts'
import { maxStreamDescriptionLength, maxStreamNameLength } from '../plain/limits.ts'
import { postPolicies } from '../plain/post-policies.ts'
import type { StreamRight } from '../plain/stream-rights.ts'
import { groupSettingChange } from '../user-groups/group-value.ts'
import { stream } from './shape.ts'

const descriptionText = `The description of the stream, in Markdown, of up to ${maxStreamDescriptionLength} characters.`

const right = (about: string) => json(groupSettingChange.optional(), `${about} Unchanged if absent.`)

const rightParams = {
  can_send_message_group: right('Who may post. Sets `stream_post_policy` to the nearest stricter number.'),
  can_create_topic_group: right('Who, of those who may post, may start topics.'),
  can_move_messages_within_channel_group: right(
    'Who may change the topics of messages, besides those whom the organization lets.',
  ),
  can_move_messages_out_of_channel_group: right(
    'Who may move messages to other streams, besides moderators and administrators.',
  ),
  can_resolve_topics_group: right('Who may resolve topics, besides those whom the organization lets.'),
  can_delete_any_message_group: right(
    'Who may delete messages of others, besides moderators and administrators.',
  ),
  can_delete_own_message_group: right(
    'Who may delete their own messages, besides those whom the organization lets. Its time limit applies.',
  ),
  can_add_subscribers_group: right('Who may subscribe others, besides those whom the organization lets.'),
} satisfies Record<StreamRight, unknown>

const included = (byDefault: boolean, about: string) => json(z.boolean().default(byDefault), about)

export const list = endpoint({
  summary: 'List the streams that the caller may see.',
  method: 'GET',
  path: '/api/v1/streams',
  auth: 'user',
  params: {
    include_public: included(true, 'Whether to include all public streams. Has no effect for guests.'),
    include_subscribed: included(true, 'Whether to include the streams that the caller is subscribed to.'),
    include_all_active: included(
      false,
      'Whether to include all streams, private ones too. Administrators only.',
    ),
    include_default: included(
      false,
      'Whether to include the default streams, and the field `is_default` in each stream.',
    ),
    include_owner_subscribed: included(
      false,
      "For a bot, whether to include the streams that the bot's owner is subscribed to.",
    ),
    include_subscriber_counts: included(
      false,
      'Whether to include the field `subscriber_count` in each stream. This parameter is an extension of this server.',
    ),
  },
  response: {
    streams: field(
      z.array(
        stream.extend({
          is_default: field(
            z.boolean().optional(),
            'Whether new users are subscribed to the stream. Present only if `include_default` is true.',
          ),
          subscriber_count: field(
            z.int().optional(),
            'The number of active subscribers. Present only if `include_subscriber_counts` is true and the caller may list the subscribers.',
          ),
        }),
      ),
      'The streams, each listed once.',
    ),
  },
  errors: ['NOT_AUTHORIZED_FOR_QUERY'],
})

export const getId = endpoint({
  summary: 'Get the id of a stream by its name.',
  method: 'GET',
  path: '/api/v1/get_stream_id',
  auth: 'user',
  params: { stream: text(z.string(), 'The name of the stream.') },
  response: { stream_id: field(streamId, texts.streamId) },
  errors: ['INVALID_STREAM_NAME'],
})

export const get = endpoint({
  summary: 'Get one stream.',
  description: 'This endpoint is from a later feature level.',
  method: 'GET',
  path: '/api/v1/streams/{stream_id}',
  auth: 'user',
  params: { stream_id: path(streamId, texts.streamId) },
  response: { stream: field(stream, 'The requested stream.') },
  errors: ['INVALID_STREAM_ID'],
})

export const members = endpoint({
  summary: 'List the subscribers of a stream.',
  method: 'GET',
  path: '/api/v1/streams/{stream_id}/members',
  auth: 'user',
  params: { stream_id: path(streamId, texts.streamId) },
  response: { subscribers: field(z.array(userId), 'The ids of the subscribers.') },
  errors: ['INVALID_STREAM_ID'],
})

export const topics = endpoint({
  summary: 'List the topics of a stream, the most recent first.',
  method: 'GET',
  path: '/api/v1/users/me/{stream_id}/topics',
  auth: 'user',
  params: { stream_id: path(streamId, texts.streamId) },
  response: {
    topics: field(
      z.array(
        object({
          name: field(z.string(), 'The topic.'),
          max_id: field(z.int(), 'The id of the newest message in the topic.'),
        }),
      ),
      'The topics of the stream that the caller may read, the one with the newest message first.',
    ),
  },
  errors: ['INVALID_STREAM_ID'],
})

export const update = endpoint({
  summary: 'Change a stream: its name, description, privacy or policies.',
  description:
    'Either all changes are made or none. Only subscribers of a private stream can change its privacy.',
  method: 'PATCH',
  path: '/api/v1/streams/{stream_id}',
  auth: 'user',
  only: ['administrators'],
  params: {
    stream_id: path(streamId, texts.streamId),
    message_retention_days: json(
      stringOrInteger().optional(),
      'For how many days messages are kept, `"forever"`, or `"realm_default"` for the setting of the organization. Owners only.',
    ),
    description: quotableText(
      maxCharacters(maxStreamDescriptionLength).optional(),
      `${descriptionText} Unchanged if absent.`,
    ),
    new_name: quotableText(
      z.string().optional(),
      `The new name, of up to ${maxStreamNameLength} characters. Unchanged if absent.`,
      { allowsNul: true },
    ),
    is_announcement_only: json(
      z.boolean().optional(),
      'Deprecated. True sets `stream_post_policy` to 2, false sets it to 1.',
    ),
    stream_post_policy: json(
      oneOfIntegers(postPolicies).optional(),
      `${texts.postPolicy} Unchanged if absent.`,
    ),
    ...rightParams,
    is_private: json(z.boolean().optional(), 'Whether the stream is private. Unchanged if absent.'),
    history_public_to_subscribers: json(
      z.boolean().nullable().optional(),
      `${stream.shape.history_public_to_subscribers.description} Ignored unless \`is_private\` is given.`,
    ),
    folder_id: json(
      streamFolderId.nullable().optional(),
      'The id of the folder of streams to move the stream to. Null takes it out of its folder. Unchanged if absent.',
    ),
  },
  response: {},
  errors: [
    'INVALID_STREAM_ID',
    'MUST_BE_OWNER',
    'PLAN_TOO_SMALL',
    'STREAM_HAS_THAT_NAME',
    'INVALID_STREAM_NAME',
    'STREAM_NAME_TOO_LONG',
    'STREAM_NAME_HAS_NUL',
    'STREAM_NAME_TAKEN',
    'DESCRIPTIONS_TOO_LONG',
    'STREAM_FOLDER_INVALID',
    'INVALID_USER_ID',
    'USER_GROUP_INVALID',
    'RIGHT_OUTDATED',
  ],
})

export const archive = endpoint({
  summary: 'Archive a stream. All users are unsubscribed, and its name can be used again.',
  method: 'DELETE',
  path: '/api/v1/streams/{stream_id}',
  auth: 'user',
  only: ['administrators'],
  params: { stream_id: path(streamId, texts.streamId) },
  response: {},
  errors: ['INVALID_STREAM_ID'],
})

export const deleteTopic = endpoint({
  summary: 'Delete all messages of a topic.',
  method: 'POST',
  path: '/api/v1/streams/{stream_id}/delete_topic',
  auth: 'user',
  only: ['administrators'],
  params: {
    stream_id: path(streamId, texts.streamId),
    topic_name: text(z.string(), 'The topic whose messages are deleted.'),
  },
  response: {},
  errors: ['INVALID_STREAM_ID'],
})
