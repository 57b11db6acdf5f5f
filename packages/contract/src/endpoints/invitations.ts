import { z } from 'zod'
import { invitationId, streamId } from '../ids.ts'
import { endpoint } from '../kernel/endpoint.ts'
import { json, path, text } from '../kernel/params.ts'
import { maxItems } from '../kernel/schemas.ts'
import { Role } from '../roles.ts'
import { invitation } from '../shapes/invitation.ts'

const streamIds = maxItems(streamId, 500)
const invite_as = json(z.int().default(Role.member))

export const list = endpoint({
  summary: 'Invitations that can still be accepted.',
  description: "One's own; for administrators those of everyone, and the links that many may use.",
  method: 'GET',
  path: '/api/v1/invites',
  auth: 'user',
  only: ['not guests', 'people'],
  params: {},
  response: { invites: z.array(invitation) },
  errors: [],
})

export const send = endpoint({
  summary: 'Invite people by their e-mail addresses.',
  description:
    'Each gets a letter with a link that works once, for ten days. Where some of the addresses have an account already, ' +
    'the others are invited all the same, and the answer is an error that says so.',
  method: 'POST',
  path: '/api/v1/invites',
  auth: 'user',
  only: ['not guests', 'people'],
  params: {
    invitee_emails: text(z.string()),
    stream_ids: json(streamIds),
    invite_as,
  },
  response: {},
  errors: [
    'MAIL_NEEDS_EXTERNAL_URL',
    'MUST_BE_ADMINISTRATOR',
    'INVITED_ROLE_INVALID',
    'MUST_BE_OWNER',
    'NOT_AN_ADMINISTRATOR',
    'NO_ADDRESS_TO_INVITE',
    'NO_STREAM_TO_JOIN',
    'STREAM_TO_JOIN_NOT_FOUND',
    'ONLY_ADMINISTRATORS_SUBSCRIBE_OTHERS',
    'TOO_NEW_TO_SUBSCRIBE_OTHERS',
    'INVITES_USED_UP',
    'TOO_NEW_TO_INVITE',
    'ADDRESSES_NOT_VALID',
    'NOBODY_INVITED',
    'SOME_NOT_INVITED',
  ],
})

export const revoke = endpoint({
  summary: 'Take back an invitation to an address.',
  method: 'DELETE',
  path: '/api/v1/invites/{invite_id}',
  auth: 'user',
  only: ['not guests', 'people'],
  params: { invite_id: path(invitationId) },
  response: {},
  errors: ['NO_SUCH_INVITATION', 'MUST_BE_OWNER', 'NOT_AN_ADMINISTRATOR'],
})

export const resend = endpoint({
  summary: 'Send the letter of an invitation again.',
  description: 'From then on it can be accepted for another ten days.',
  method: 'POST',
  path: '/api/v1/invites/{invite_id}/resend',
  auth: 'user',
  only: ['not guests', 'people'],
  params: { invite_id: path(invitationId) },
  response: { timestamp: z.int() },
  errors: [
    'NO_SUCH_INVITATION',
    'MUST_BE_OWNER',
    'NOT_AN_ADMINISTRATOR',
    'INVITATION_RESENT_TOO_OFTEN',
    'INVITES_USED_UP',
    'MAIL_NEEDS_EXTERNAL_URL',
  ],
})

export const createLink = endpoint({
  summary: 'Make a link that any number of people may join by, for ten days.',
  description: 'Whoever opens it gives an e-mail address, and confirms it by a letter.',
  method: 'POST',
  path: '/api/v1/invites/multiuse',
  auth: 'user',
  only: ['administrators'],
  // The answer holds a secret, which is not kept.
  idempotent: false,
  params: {
    invite_as,
    stream_ids: json(streamIds.default([])),
  },
  response: { invite_link: z.string() },
  errors: [
    'INVITED_ROLE_INVALID',
    'MUST_BE_OWNER',
    'MAIL_NEEDS_EXTERNAL_URL',
    'MAIL_NOT_CONFIGURED',
    'STREAM_OF_LINK_NOT_FOUND',
  ],
})

export const revokeLink = endpoint({
  summary: 'Take back a link that any number of people may use.',
  method: 'DELETE',
  path: '/api/v1/invites/multiuse/{invite_id}',
  auth: 'user',
  only: ['administrators'],
  params: { invite_id: path(invitationId) },
  response: {},
  errors: ['NO_SUCH_INVITATION', 'MUST_BE_OWNER'],
})
