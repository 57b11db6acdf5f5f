import { z } from 'zod'
import { userId } from '../ids.ts'
import { endpoint } from '../kernel/endpoint.ts'
import { json, text, textPath } from '../kernel/params.ts'
import { maxItems } from '../kernel/schemas.ts'
import { presenceOfUser, presences, slimPresence } from './shape.ts'

const serverTimestamp = z.number()

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
    status: text(z.string()),
    ping_only: json(z.boolean().default(false)),
    new_user_input: json(z.boolean().default(false)),
    slim_presence: json(z.boolean().default(false)),
  },
  response: { presences: presences.optional(), server_timestamp: serverTimestamp.optional() },
  errors: ['PRESENCE_STATUS_INVALID'],
})

export const get = endpoint({
  summary: 'Get the presence of one user.',
  method: 'GET',
  path: '/api/v1/users/{user_id_or_email}/presence',
  auth: 'user',
  params: { user_id_or_email: textPath(z.string()) },
  response: {
    presence: presenceOfUser,
  },
  errors: ['NO_SUCH_USER', 'PRESENCE_NOT_OF_BOTS', 'PRESENCE_UNKNOWN'],
})

export const list = endpoint({
  summary: 'Get the presence of all users in the last two weeks.',
  method: 'GET',
  path: '/api/v1/realm/presence',
  auth: 'user',
  params: {},
  response: { presences, server_timestamp: serverTimestamp },
  errors: [],
})

const maxUsersOfPresence = 500

export const listOf = endpoint({
  summary: 'Get the presence of some users.',
  description: 'Users without a report in the last two weeks, bots, and unknown users are left out.',
  method: 'GET',
  path: '/api/v1/users/presence',
  auth: 'user',
  params: { user_ids: json(maxItems(userId, maxUsersOfPresence)) },
  response: { presences: z.record(z.string(), slimPresence), server_timestamp: serverTimestamp },
  errors: [],
})
