import { z } from 'zod'
import type { ErrorName } from '../errors.ts'
import { streamId, userId } from '../ids.ts'
import { texts } from '../kernel/common-descriptions.ts'
import { endpoint } from '../kernel/endpoint.ts'
import { field, lenientObject, object } from '../kernel/field.ts'
import { json, path, text } from '../kernel/params.ts'
import {
  color,
  maxCharacters,
  maxItems,
  oneOfIntegers,
  oneOfStrings,
  stringOrInteger,
  withoutNul,
} from '../kernel/schemas.ts'
import { maxStreamDescriptionLength, maxStreamNameLength, maxTopicLength } from '../plain/limits.ts'
import { postPolicies } from '../plain/post-policies.ts'
import { resolvedMark } from '../plain/resolved-topics.ts'
import { subscription } from './shape.ts'

const aboutStreamsToSubscribe =
  'The streams to subscribe to, by name. A stream that does not exist is created with the given description.'
const principals = (what: string) =>
  `The users to ${what}, as ids or as addresses. The caller if empty or absent.`
const property =
  'The setting: `color`, `is_muted`, `in_home_view`, `pin_to_top`, or one of the notification settings.'
const value =
  'The new value: a colour like `#c2c2c2` for `color`, otherwise a boolean. For a notification setting, null removes the override, so that the setting of the account for all streams applies again. Null is an extension of this server.'

/**
 * Each stream is locked until the request is done, and PostgreSQL has a limited number of locks.
 */
const maxStreamsPerRequest = 1_000

const streamsToSubscribe = maxItems(
  object({
    name: field(z.string(), `The name of the stream, of up to ${maxStreamNameLength} characters.`),
    color: field(
      color().optional(),
      "The stream's colour for the subscribed users, like `#c2c2c2`. Chosen by the server if absent.",
    ),
    description: field(
      withoutNul(maxCharacters(maxStreamDescriptionLength)).optional(),
      `The description of the stream, in Markdown, of up to ${maxStreamDescriptionLength} characters. Used only if the stream is created.`,
    ),
  }),
  maxStreamsPerRequest,
)
const names = maxItems(z.string(), maxStreamsPerRequest)
const accounts = z.union([z.array(userId), z.array(z.string())])

const creation = {
  authorization_errors_fatal: json(
    z.boolean().default(true),
    'Whether the request fails if the caller may not access one of the streams. If false, such streams are listed in `unauthorized`.',
  ),
  announce: json(
    z.boolean().default(false),
    'Whether new streams are announced in the stream that the organization chose for announcements.',
  ),
  invite_only: json(z.boolean().default(false), 'Whether streams created by this request are private.'),
  stream_post_policy: json(
    oneOfIntegers(postPolicies).default(1),
    `For streams created by this request. ${texts.postPolicy}`,
  ),
  history_public_to_subscribers: json(
    z.boolean().nullable().default(null),
    `For private streams created by this request. ${subscription.shape.history_public_to_subscribers.description} Null is the same as false.`,
  ),
  message_retention_days: json(
    stringOrInteger().default('realm_default'),
    'For streams created by this request: for how many days messages are kept, `"forever"`, or `"realm_default"`.',
  ),
}

const subscribed = {
  subscribed: field(
    z.record(z.string(), z.array(z.string())),
    'The names of the streams that users were subscribed to by this request, by address of the user.',
  ),
  already_subscribed: field(
    z.record(z.string(), z.array(z.string())),
    'The names of the streams that users were subscribed to before, by address of the user.',
  ),
  unauthorized: field(
    z.array(z.string()).optional(),
    'The names of the streams that the caller may not access. Present only if `authorization_errors_fatal` is false.',
  ),
}

const removed = {
  removed: field(z.array(z.string()), 'The names of the streams that users were unsubscribed from.'),
  not_removed: field(z.array(z.string()), 'The names of the streams that the users were not subscribed to.'),
}

const nameErrors = ['INVALID_STREAM_NAME', 'STREAM_NAME_TOO_LONG', 'STREAM_NAME_HAS_NUL'] as const

const subscribeErrors = [
  ...nameErrors,
  'CANNOT_CREATE_STREAMS',
  'TOO_MANY_STREAMS',
  'TOO_MANY_NEW_STREAMS',
  'DESCRIPTIONS_TOO_LONG',
  'CANNOT_CHOOSE_RETENTION',
  'PLAN_TOO_SMALL',
  'STREAM_NOT_ACCESSIBLE',
  'ONLY_ADMINISTRATORS_SUBSCRIBE_OTHERS',
  'TOO_NEW_TO_SUBSCRIBE_OTHERS',
  'PRINCIPAL_NOT_FOUND',
  'TOO_MANY_SUBSCRIPTIONS',
] as const satisfies ErrorName[]

const unsubscribeErrors = [
  ...nameErrors,
  'NEEDS_ADMINISTRATIVE_RIGHTS',
  'STREAM_DOES_NOT_EXIST',
  'PRINCIPAL_NOT_FOUND',
  'TOO_MANY_SUBSCRIPTIONS',
] as const satisfies ErrorName[]

export const list = endpoint({
  summary: "List the caller's subscriptions with their settings.",
  method: 'GET',
  path: '/api/v1/users/me/subscriptions',
  auth: 'user',
  params: {
    include_subscribers: json(
      z.boolean().default(false),
      'Whether to include the ids of the subscribers of each stream.',
    ),
  },
  response: {
    subscriptions: field(
      z.array(subscription),
      'The streams that the caller is subscribed to, with their settings.',
    ),
  },
  errors: [],
})

export const subscribe = endpoint({
  summary: 'Subscribe the caller or other users to streams. Streams that do not exist are created.',
  method: 'POST',
  path: '/api/v1/users/me/subscriptions',
  auth: 'user',
  only: ['not guests'],
  params: {
    subscriptions: json(streamsToSubscribe, aboutStreamsToSubscribe, { allowsNul: true }),
    principals: json(accounts.default([]), principals('subscribe')),
    ...creation,
  },
  response: subscribed,
  errors: subscribeErrors,
})

export const change = endpoint({
  summary: 'Subscribe to some streams and unsubscribe from others.',
  method: 'PATCH',
  path: '/api/v1/users/me/subscriptions',
  auth: 'user',
  only: ['not guests'],
  params: {
    add: json(streamsToSubscribe.default([]), aboutStreamsToSubscribe, { allowsNul: true }),
    delete: json(names.default([]), 'The names of the streams to unsubscribe from.', { allowsNul: true }),
    principals: json(accounts.nullable().default([]), principals('subscribe and unsubscribe')),
    ...creation,
  },
  response: { ...subscribed, ...removed },
  errors: [...new Set([...subscribeErrors, ...unsubscribeErrors, 'NOTHING_TO_ADD_OR_DELETE' as const])],
})

export const unsubscribe = endpoint({
  summary: 'Unsubscribe from streams. Administrators may also unsubscribe other users.',
  description: 'A private stream without subscribers is archived.',
  method: 'DELETE',
  path: '/api/v1/users/me/subscriptions',
  auth: 'user',
  params: {
    subscriptions: json(names, 'The names of the streams.', { allowsNul: true }),
    principals: json(accounts.nullable().default([]), principals('unsubscribe')),
  },
  response: removed,
  errors: unsubscribeErrors,
})

const propertyErrors = [
  'UNKNOWN_SUBSCRIPTION_PROPERTY',
  'INVALID_STREAM_ID',
  'NOT_SUBSCRIBED',
] as const satisfies ErrorName[]
const propertyValue = z.union([z.string(), z.boolean(), z.null()])
const changedProperty = lenientObject({
  stream_id: field(streamId, texts.streamId),
  property: field(z.string(), property),
  value: field(propertyValue, value),
})
const changedProperties = z.array(
  object({
    stream_id: field(streamId, texts.streamId),
    property: field(z.string(), property),
    value: field(propertyValue, value),
  }),
)

export const setProperties = endpoint({
  summary: "Change the caller's settings for streams: colour, muting, pinning, notifications.",
  description: 'Either all changes are made or none.',
  method: 'POST',
  path: '/api/v1/users/me/subscriptions/properties',
  auth: 'user',
  params: {
    subscription_data: json(maxItems(changedProperty, 1_000), 'The settings to change, each for one stream.'),
  },
  response: { subscription_data: field(changedProperties, 'The settings from the request.') },
  errors: propertyErrors,
})

export const setProperty = endpoint({
  summary: "Deprecated. Change one of the caller's settings for a stream.",
  method: 'PATCH',
  path: '/api/v1/users/me/subscriptions/{stream_id}',
  auth: 'user',
  params: {
    stream_id: path(streamId, texts.streamId),
    property: text(z.string(), property),
    value: text(z.string(), 'The new value.'),
  },
  response: { subscription_data: field(changedProperties, 'The setting from the request.') },
  errors: propertyErrors,
})

export const status = endpoint({
  summary: 'Get whether a user is subscribed to a stream.',
  method: 'GET',
  path: '/api/v1/users/{user_id}/subscriptions/{stream_id}',
  auth: 'user',
  params: { user_id: path(userId, texts.userId), stream_id: path(streamId, texts.streamId) },
  response: { is_subscribed: field(z.boolean(), 'Whether the user is subscribed to the stream.') },
  errors: ['NO_SUCH_USER', 'USER_IS_DEACTIVATED', 'INVALID_STREAM_ID'],
})

export const muteTopic = endpoint({
  summary: 'Mute or unmute a topic of a stream.',
  method: 'PATCH',
  path: '/api/v1/users/me/subscriptions/muted_topics',
  auth: 'user',
  params: {
    stream: text(
      z.string().optional(),
      'The name of the stream. Exactly one of `stream` and `stream_id` is required.',
    ),
    stream_id: json(
      streamId.optional(),
      'The id of the stream. Exactly one of `stream` and `stream_id` is required.',
    ),
    topic: text(
      maxCharacters(maxTopicLength + resolvedMark.length),
      `The topic, of up to ${maxTopicLength} characters.`,
    ),
    op: text(oneOfStrings(['add', 'remove']), '`add` mutes the topic, `remove` unmutes it.'),
  },
  response: {},
  errors: [
    'STREAM_NOT_NAMED',
    'STREAM_NAMED_TWICE',
    'INVALID_STREAM_NAME',
    'INVALID_STREAM_ID',
    'TOPIC_ALREADY_MUTED',
    'TOPIC_NOT_MUTED',
    'TOO_MANY_MUTED_TOPICS',
  ],
})

export const setAttention = endpoint({
  summary: 'Mute, unmute or follow a topic of a stream.',
  description:
    'The account needs access to the stream, except for the policy 0. Setting the same policy again changes nothing.',
  method: 'POST',
  path: '/api/v1/user_topics',
  auth: 'user',
  params: {
    stream_id: json(streamId, 'The id of the stream.'),
    topic: text(
      maxCharacters(maxTopicLength + resolvedMark.length),
      `The topic, of up to ${maxTopicLength} characters.`,
    ),
    visibility_policy: json(
      oneOfIntegers([0, 1, 2, 3]),
      '0 as the stream says, 1 muted, 2 not muted although the stream is, 3 followed.',
    ),
  },
  response: {},
  errors: ['INVALID_STREAM_ID', 'TOO_MANY_MUTED_TOPICS', 'TOO_MANY_TOPICS_ATTENDED'],
})
