import { z } from 'zod'
import { invitationId, streamId } from '../ids.ts'
import { endpoint } from '../kernel/endpoint.ts'
import { field } from '../kernel/field.ts'
import { json, path, text } from '../kernel/params.ts'
import { maxItems } from '../kernel/schemas.ts'
import { Role } from '../plain/roles.ts'
import { invitation } from './shape.ts'

const inviteAs =
  'The role of users who accept the invitation: 100 owner, 200 administrator, 400 member, 600 guest.'

const streamIds = maxItems(streamId, 500)
const invite_as = json(z.int().default(Role.member), inviteAs)

export const list = endpoint({
  summary: 'List the invitations that can still be accepted.',
  description:
    'Members see the invitations that they sent. Administrators see the invitations of all users, and the invitation links.',
  method: 'GET',
  path: '/api/v1/invites',
  auth: 'user',
  only: ['not guests', 'people'],
  params: {},
  response: { invites: field(z.array(invitation), 'The invitations.') },
  errors: [],
})

export const send = endpoint({
  summary: 'Invite people by their e-mail addresses.',
  description:
    'Each address gets an e-mail with a link that works once and for ten days. If some of the addresses already have an account, ' +
    'the others are invited, and the response is an error that lists the addresses that were not.',
  method: 'POST',
  path: '/api/v1/invites',
  auth: 'user',
  only: ['not guests', 'people'],
  params: {
    invitee_emails: text(
      z.string(),
      'The addresses, separated by commas or line breaks. `Iris Gardener <iris@example.com>` is accepted too.',
    ),
    stream_ids: json(streamIds, 'The ids of the streams that the new users are subscribed to.'),
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
  summary: 'Revoke an invitation that was sent by e-mail.',
  method: 'DELETE',
  path: '/api/v1/invites/{invite_id}',
  auth: 'user',
  only: ['not guests', 'people'],
  params: { invite_id: path(invitationId, 'The id of the invitation.') },
  response: {},
  errors: ['NO_SUCH_INVITATION', 'MUST_BE_OWNER', 'NOT_AN_ADMINISTRATOR'],
})

export const resend = endpoint({
  summary: 'Send the e-mail of an invitation again.',
  description: 'The invitation is then valid for another ten days.',
  method: 'POST',
  path: '/api/v1/invites/{invite_id}/resend',
  auth: 'user',
  only: ['not guests', 'people'],
  params: { invite_id: path(invitationId, 'The id of the invitation.') },
  response: {
    timestamp: field(z.int(), 'When the invitation was sent again, in seconds since 1970-01-01 UTC.'),
  },
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
  summary: 'Create an invitation link that any number of people may use for ten days.',
  description:
    'A person who opens the link enters an e-mail address, and confirms it through an e-mail if the server can send one.',
  method: 'POST',
  path: '/api/v1/invites/multiuse',
  auth: 'user',
  only: ['administrators'],
  // The response contains a secret, so it must not be stored for retried requests.
  idempotent: false,
  params: {
    invite_as,
    stream_ids: json(
      streamIds.default([]),
      'The ids of the streams that the new users are subscribed to. The default streams if empty or absent.',
    ),
  },
  response: { invite_link: field(z.string(), 'The URL of the link.') },
  errors: ['INVITED_ROLE_INVALID', 'MUST_BE_OWNER', 'MAIL_NEEDS_EXTERNAL_URL', 'STREAM_OF_LINK_NOT_FOUND'],
})

export const revokeLink = endpoint({
  summary: 'Revoke an invitation link.',
  method: 'DELETE',
  path: '/api/v1/invites/multiuse/{invite_id}',
  auth: 'user',
  only: ['administrators'],
  params: { invite_id: path(invitationId, 'The id of the link.') },
  response: {},
  errors: ['NO_SUCH_INVITATION', 'MUST_BE_OWNER'],
})
