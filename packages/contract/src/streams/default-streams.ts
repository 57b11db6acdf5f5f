import { z } from 'zod'
import type { ErrorName } from '../errors.ts'
import { defaultStreamGroupId, streamId } from '../ids.ts'
import { texts } from '../kernel/common-descriptions.ts'
import { endpoint } from '../kernel/endpoint.ts'
import { field } from '../kernel/field.ts'
import { json, path, quotableText, text } from '../kernel/params.ts'
import { maxCharacters, maxItems } from '../kernel/schemas.ts'
import { maxStreamDescriptionLength } from '../plain/limits.ts'

const names = maxItems(z.string(), 500)
const description = maxCharacters(maxStreamDescriptionLength)
const nameErrors = [
  'DEFAULT_GROUP_NAME_INVALID',
  'DEFAULT_GROUP_NAME_TOO_LONG',
  'DEFAULT_GROUP_NAME_HAS_NUL',
  'DEFAULT_GROUP_EXISTS',
] as const satisfies ErrorName[]

export const add = endpoint({
  summary: 'Add a default stream, which new users are subscribed to.',
  method: 'POST',
  path: '/api/v1/default_streams',
  auth: 'user',
  only: ['administrators'],
  params: { stream_id: json(streamId, texts.streamId) },
  response: {},
  errors: ['INVALID_STREAM_ID'],
})

export const remove = endpoint({
  summary: 'Remove a default stream. Users who are subscribed stay subscribed.',
  method: 'DELETE',
  path: '/api/v1/default_streams',
  auth: 'user',
  only: ['administrators'],
  params: { stream_id: json(streamId, texts.streamId) },
  response: {},
  errors: ['INVALID_STREAM_ID'],
})

export const createGroup = endpoint({
  summary: 'Create a group of default streams that new users can choose.',
  method: 'POST',
  path: '/api/v1/default_stream_groups/create',
  auth: 'user',
  only: ['administrators'],
  params: {
    group_name: text(z.string(), 'The name of the group of default streams.', { allowsNul: true }),
    description: text(description, 'The description of the group of default streams.'),
    stream_names: json(names, 'The names of the streams.'),
  },
  response: { id: field(defaultStreamGroupId, 'The id of the new group.') },
  errors: ['INVALID_STREAM_NAME', 'IS_DEFAULT_STREAM', ...nameErrors],
})

export const updateGroup = endpoint({
  summary: 'Change the name or the description of a group of default streams.',
  method: 'PATCH',
  path: '/api/v1/default_stream_groups/{group_id}',
  auth: 'user',
  only: ['administrators'],
  params: {
    group_id: path(defaultStreamGroupId, 'The id of the group of default streams.'),
    new_group_name: quotableText(z.string().optional(), 'The new name. Unchanged if absent.', {
      allowsNul: true,
    }),
    new_description: quotableText(description.optional(), 'The new description. Unchanged if absent.'),
  },
  response: {},
  errors: [
    'DEFAULT_GROUP_NOTHING_TO_CHANGE',
    'DEFAULT_GROUP_NOT_FOUND',
    'DEFAULT_GROUP_HAS_THAT_NAME',
    ...nameErrors,
  ],
})

export const changeGroupStreams = endpoint({
  summary: 'Add streams to a group of default streams, or remove them.',
  method: 'PATCH',
  path: '/api/v1/default_stream_groups/{group_id}/streams',
  auth: 'user',
  only: ['administrators'],
  params: {
    group_id: path(defaultStreamGroupId, 'The id of the group of default streams.'),
    op: text(z.string(), '`add` adds the streams to the group, `remove` removes them.'),
    stream_names: json(names, 'The names of the streams.'),
  },
  response: {},
  errors: [
    'DEFAULT_GROUP_NOT_FOUND',
    'DEFAULT_GROUP_OP_INVALID',
    'INVALID_STREAM_NAME',
    'IS_DEFAULT_STREAM',
    'STREAM_ALREADY_IN_GROUP',
    'STREAM_NOT_IN_GROUP',
  ],
})

export const removeGroup = endpoint({
  summary: 'Delete a group of default streams. The streams are kept.',
  method: 'DELETE',
  path: '/api/v1/default_stream_groups/{group_id}',
  auth: 'user',
  only: ['administrators'],
  params: { group_id: path(defaultStreamGroupId, 'The id of the group of default streams.') },
  response: {},
  errors: ['DEFAULT_GROUP_NOT_FOUND'],
})
