import { z } from 'zod'
import { sessionId, userId } from '../ids.ts'
import { texts } from '../kernel/common-descriptions.ts'
import { endpoint } from '../kernel/endpoint.ts'
import { field } from '../kernel/field.ts'
import { json, path, text } from '../kernel/params.ts'
import { fetchApiKey } from './authentication.ts'
import { session } from './shape.ts'

export const create = endpoint({
  summary: 'Sign in with a password, for browsers.',
  description:
    'The response sets the cookie of the new session, which authenticates later requests in place of an API key. The request must come from a page of the organization itself: with `Sec-Fetch-Site: same-origin`, or with an `Origin` that is the URL of the organization. If the request has the cookie of another session, that session ends.',
  method: 'POST',
  path: '/api/v1/sessions',
  auth: 'nobody',
  startsSession: true,
  params: {
    username: text(z.string(), 'The e-mail address of the account.'),
    password: text(z.string(), 'The password of the account.'),
    is_trusted: json(
      z.boolean().default(false),
      'Whether to stay signed in on this device. The session then ends 30 days after its last use, or after a year. Otherwise it ends after 24 hours, or when the browser is closed.',
    ),
  },
  response: { user_id: field(userId, texts.userId) },
  errors: fetchApiKey.errors,
})

export const list = endpoint({
  summary: "List the caller's sessions, the most recently used first.",
  method: 'GET',
  path: '/api/v1/sessions',
  auth: 'user',
  only: ['people'],
  params: {},
  response: { sessions: field(z.array(session), 'The sessions, the most recently used first.') },
  errors: [],
})

export const end = endpoint({
  summary: "End one of the caller's sessions.",
  method: 'DELETE',
  path: '/api/v1/sessions/{session_id}',
  auth: 'user',
  only: ['people'],
  params: { session_id: path(sessionId, 'The id of the session.') },
  response: {},
  errors: ['NO_SUCH_SESSION'],
})

export const endOthers = endpoint({
  summary: "End all of the caller's sessions except the one that makes the request.",
  method: 'DELETE',
  path: '/api/v1/sessions',
  auth: 'user',
  only: ['people'],
  params: {},
  response: {},
  errors: [],
})

export const endCurrent = endpoint({
  summary: 'Sign out: end the session that makes the request.',
  description:
    'The response removes the cookie and instructs the browser to delete the data that it stored for the site.',
  method: 'DELETE',
  path: '/api/v1/sessions/current',
  auth: 'user',
  only: ['people'],
  idempotent: false,
  params: {},
  response: {},
  errors: ['NO_CURRENT_SESSION'],
})

export const endOfUser = endpoint({
  summary: "End all sessions of a user. Only owners can end an owner's sessions.",
  method: 'DELETE',
  path: '/api/v1/users/{user_id}/sessions',
  auth: 'user',
  only: ['administrators'],
  params: { user_id: path(userId, texts.userId) },
  response: {},
  errors: ['NO_SUCH_USER', 'MUST_BE_OWNER'],
})
