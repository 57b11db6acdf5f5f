import { z } from 'zod'
import type { ErrorName } from '../errors.ts'
import { streamId, userId } from '../ids.ts'
import { endpoint } from '../kernel/endpoint.ts'
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
import { maxStreamDescriptionLength, maxTopicLength } from '../plain/limits.ts'
import { postPolicies } from '../plain/post-policies.ts'
import { subscription } from './shape.ts'

/**
 * Each stream is locked until the request is done, and PostgreSQL has a limited number of locks.
 */
const maxStreamsPerRequest = 1_000

const streamsToSubscribe = maxItems(
  z.strictObject({
    name: z.string(),
    color: color().optional(),
    description: withoutNul(maxCharacters(maxStreamDescriptionLength)).optional(),
  }),
  maxStreamsPerRequest,
)
const names = maxItems(z.string(), maxStreamsPerRequest)
const accounts = z.union([z.array(userId), z.array(z.string())])

const creation = {
  authorization_errors_fatal: json(z.boolean().default(true)),
  announce: json(z.boolean().default(false)),
  invite_only: json(z.boolean().default(false)),
  stream_post_policy: json(oneOfIntegers(postPolicies).default(1)),
  history_public_to_subscribers: json(z.boolean().nullable().default(null)),
  message_retention_days: json(stringOrInteger().default('realm_default')),
}

const subscribed = {
  subscribed: z.record(z.string(), z.array(z.string())),
  already_subscribed: z.record(z.string(), z.array(z.string())),
  unauthorized: z.array(z.string()).optional(),
}

const removed = {
  removed: z.array(z.string()),
  not_removed: z.array(z.string()),
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
  params: { include_subscribers: json(z.boolean().default(false)) },
  response: { subscriptions: z.array(subscription) },
  errors: [],
})

export const subscribe = endpoint({
  summary: 'Subscribe the caller or other users to streams. Streams that do not exist are created.',
  method: 'POST',
  path: '/api/v1/users/me/subscriptions',
  auth: 'user',
  only: ['not guests'],
  params: {
    subscriptions: json(streamsToSubscribe, { allowsNul: true }),
    principals: json(accounts.default([])),
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
    add: json(streamsToSubscribe.default([]), { allowsNul: true }),
    delete: json(names.default([]), { allowsNul: true }),
    principals: json(accounts.nullable().default([])),
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
    subscriptions: json(names, { allowsNul: true }),
    principals: json(accounts.nullable().default([])),
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
const changedProperty = z.object({ stream_id: streamId, property: z.string(), value: propertyValue })
const changedProperties = z.array(
  z.strictObject({ stream_id: streamId, property: z.string(), value: propertyValue }),
)

export const setProperties = endpoint({
  summary: "Change the caller's settings for streams: colour, muting, pinning, notifications.",
  description: 'Either all changes are made or none.',
  method: 'POST',
  path: '/api/v1/users/me/subscriptions/properties',
  auth: 'user',
  params: { subscription_data: json(maxItems(changedProperty, 1_000)) },
  response: { subscription_data: changedProperties },
  errors: propertyErrors,
})

export const setProperty = endpoint({
  summary: "Deprecated. Change one of the caller's settings for a stream.",
  method: 'PATCH',
  path: '/api/v1/users/me/subscriptions/{stream_id}',
  auth: 'user',
  params: { stream_id: path(streamId), property: text(z.string()), value: text(z.string()) },
  response: { subscription_data: changedProperties },
  errors: propertyErrors,
})

export const status = endpoint({
  summary: 'Get whether a user is subscribed to a stream.',
  method: 'GET',
  path: '/api/v1/users/{user_id}/subscriptions/{stream_id}',
  auth: 'user',
  params: { user_id: path(userId), stream_id: path(streamId) },
  response: { is_subscribed: z.boolean() },
  errors: ['NO_SUCH_USER', 'USER_IS_DEACTIVATED', 'INVALID_STREAM_ID'],
})

export const muteTopic = endpoint({
  summary: 'Mute or unmute a topic of a stream.',
  method: 'PATCH',
  path: '/api/v1/users/me/subscriptions/muted_topics',
  auth: 'user',
  params: {
    stream: text(z.string().optional()),
    stream_id: json(streamId.optional()),
    topic: text(maxCharacters(maxTopicLength)),
    op: text(oneOfStrings(['add', 'remove'])),
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
