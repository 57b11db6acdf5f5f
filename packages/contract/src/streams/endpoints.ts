import { z } from 'zod'
import { streamId, userId } from '../ids.ts'
import { endpoint } from '../kernel/endpoint.ts'
import { json, path, quotableText, text } from '../kernel/params.ts'
import { maxCharacters, oneOfIntegers, stringOrInteger } from '../kernel/schemas.ts'
import { maxStreamDescriptionLength } from '../plain/limits.ts'
import { postPolicies } from '../plain/post-policies.ts'
import { stream } from './shape.ts'

const included = (byDefault: boolean) => json(z.boolean().default(byDefault))

export const list = endpoint({
  summary: 'List the streams that the caller may see.',
  method: 'GET',
  path: '/api/v1/streams',
  auth: 'user',
  params: {
    include_public: included(true),
    include_subscribed: included(true),
    include_all_active: included(false),
    include_default: included(false),
    include_owner_subscribed: included(false),
    include_subscriber_counts: included(false),
  },
  response: {
    streams: z.array(
      stream.extend({ is_default: z.boolean().optional(), subscriber_count: z.int().optional() }),
    ),
  },
  errors: ['NOT_AUTHORIZED_FOR_QUERY'],
})

export const getId = endpoint({
  summary: 'Get the id of a stream by its name.',
  method: 'GET',
  path: '/api/v1/get_stream_id',
  auth: 'user',
  params: { stream: text(z.string()) },
  response: { stream_id: streamId },
  errors: ['INVALID_STREAM_NAME'],
})

export const get = endpoint({
  summary: 'Get one stream.',
  description: 'This endpoint is from a later feature level.',
  method: 'GET',
  path: '/api/v1/streams/{stream_id}',
  auth: 'user',
  params: { stream_id: path(streamId) },
  response: { stream },
  errors: ['INVALID_STREAM_ID'],
})

export const members = endpoint({
  summary: 'List the subscribers of a stream.',
  method: 'GET',
  path: '/api/v1/streams/{stream_id}/members',
  auth: 'user',
  params: { stream_id: path(streamId) },
  response: { subscribers: z.array(userId) },
  errors: ['INVALID_STREAM_ID'],
})

export const topics = endpoint({
  summary: 'List the topics of a stream, the most recent first.',
  method: 'GET',
  path: '/api/v1/users/me/{stream_id}/topics',
  auth: 'user',
  params: { stream_id: path(streamId) },
  response: { topics: z.array(z.strictObject({ name: z.string(), max_id: z.int() })) },
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
    stream_id: path(streamId),
    message_retention_days: json(stringOrInteger().optional()),
    description: quotableText(maxCharacters(maxStreamDescriptionLength).optional()),
    new_name: quotableText(z.string().optional(), { allowsNul: true }),
    is_announcement_only: json(z.boolean().optional()),
    stream_post_policy: json(oneOfIntegers(postPolicies).optional()),
    is_private: json(z.boolean().optional()),
    history_public_to_subscribers: json(z.boolean().nullable().optional()),
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
  ],
})

export const archive = endpoint({
  summary: 'Archive a stream. All users are unsubscribed, and its name can be used again.',
  method: 'DELETE',
  path: '/api/v1/streams/{stream_id}',
  auth: 'user',
  only: ['administrators'],
  params: { stream_id: path(streamId) },
  response: {},
  errors: ['INVALID_STREAM_ID'],
})

export const deleteTopic = endpoint({
  summary: 'Delete all messages of a topic.',
  method: 'POST',
  path: '/api/v1/streams/{stream_id}/delete_topic',
  auth: 'user',
  only: ['administrators'],
  params: { stream_id: path(streamId), topic_name: text(z.string()) },
  response: {},
  errors: ['INVALID_STREAM_ID'],
})
