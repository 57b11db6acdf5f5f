import { userId } from '../ids.ts'
import { endpoint } from '../kernel/endpoint.ts'
import { path } from '../kernel/params.ts'
import { maxMutedUsers } from './shape.ts'

const params = { muted_user_id: path(userId, 'The id of the user.') }
const url = '/api/v1/users/me/muted_users/{muted_user_id}'

export const mute = endpoint({
  summary: 'Mute a user.',
  description: `Messages of the user count as read for this account and do not notify it: those that are unread now, and new ones. The user does not learn of it. An account can mute ${maxMutedUsers} users. This endpoint is from a later feature level.`,
  method: 'POST',
  path: url,
  auth: 'user',
  params,
  response: {},
  errors: ['NO_SUCH_USER', 'CANNOT_MUTE_SELF', 'USER_ALREADY_MUTED', 'TOO_MANY_MUTED_USERS'],
})

export const unmute = endpoint({
  summary: 'Unmute a user.',
  description:
    'Messages that the user sent meanwhile stay read. This endpoint is from a later feature level.',
  method: 'DELETE',
  path: url,
  auth: 'user',
  params,
  response: {},
  errors: ['NO_SUCH_USER', 'USER_NOT_MUTED'],
})
