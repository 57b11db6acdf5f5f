import { z } from 'zod'
import { userId } from '../ids.ts'
import { texts } from '../kernel/common-descriptions.ts'
import { endpoint } from '../kernel/endpoint.ts'
import { field } from '../kernel/field.ts'
import { json, text, textPath } from '../kernel/params.ts'
import { maxItems } from '../kernel/schemas.ts'
import { presenceOfUser, presences, slimPresence } from './shape.ts'

const serverTimestamp = field(z.number(), texts.serverTimestamp)

export const report = endpoint({
  summary: 'Report the presence of the user, and get the presence of others.',
  description:
    'Clients call this about once a minute. A client that receives `presence` events should send `ping_only`: in a large organization the list has several megabytes.',
  method: 'POST',
  path: '/api/v1/users/me/presence',
  auth: 'user',
  only: ['people'],
  idempotent: false,
  params: {
    status: text(z.string(), '`active` or `idle`.'),
    ping_only: json(z.boolean().default(false), 'Whether to leave `presences` out of the response.'),
    new_user_input: json(
      z.boolean().default(false),
      'Whether the user used the client since the last report.',
    ),
    slim_presence: json(
      z.boolean().default(false),
      'Whether `presences` is returned by user id, in a compact form.',
    ),
  },
  response: {
    presences: field(presences.optional(), `${presences.description} Absent if \`ping_only\` is true.`),
    server_timestamp: field(
      serverTimestamp.optional(),
      `${serverTimestamp.description} Absent if \`ping_only\` is true.`,
    ),
  },
  errors: ['PRESENCE_STATUS_INVALID'],
})

export const get = endpoint({
  summary: 'Get the presence of one user.',
  method: 'GET',
  path: '/api/v1/users/{user_id_or_email}/presence',
  auth: 'user',
  params: {
    user_id_or_email: textPath(z.string(), "The user's id, or the user's address as the caller sees it."),
  },
  response: {
    presence: field(
      presenceOfUser,
      'The presence of the user, by the name of the program. `aggregated` is the newest report.',
    ),
  },
  errors: ['NO_SUCH_USER', 'PRESENCE_NOT_OF_BOTS', 'PRESENCE_UNKNOWN'],
})

export const list = endpoint({
  summary: 'Get the presence of all users in the last two weeks.',
  method: 'GET',
  path: '/api/v1/realm/presence',
  auth: 'user',
  params: {},
  response: {
    presences,
    server_timestamp: serverTimestamp,
  },
  errors: [],
})

const maxUsersOfPresence = 500

export const listOf = endpoint({
  summary: 'Get the presence of some users.',
  description: 'Users without a report in the last two weeks, bots, and unknown users are left out.',
  method: 'GET',
  path: '/api/v1/users/presence',
  auth: 'user',
  params: { user_ids: json(maxItems(userId, maxUsersOfPresence), 'The ids of the users, at most 500.') },
  response: {
    presences: field(z.record(z.string(), slimPresence), 'The presence of the users, by user id.'),
    server_timestamp: serverTimestamp,
  },
  errors: [],
})
