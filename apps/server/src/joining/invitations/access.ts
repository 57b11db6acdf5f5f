import {
  ApiError,
  type InvitationId,
  isAdministrator,
  Role,
  rolesOfGeneration27,
  type StreamId,
} from '@oxbow/contract'
import { decideMayInvite, decideMaySubscribeOthers } from '../../organization/permissions.ts'
import type { Actor } from '../../platform/actor.ts'
import type { Db } from '../../platform/database/database.ts'
import type { InvitationRow, OrganizationRow, StreamRow, UserRow } from '../../platform/database/tables.ts'
import { canAccess, toViewer } from '../../streams/access.ts'
import { listDefaultStreams } from '../../streams/defaults/queries.ts'
import { listStreamsById } from '../../streams/queries.ts'
import { requireSubscribeOthersPermission } from '../../streams/subscriptions/check-subscribe.ts'
import { findInvitation, getDateJoined } from './queries.ts'

/** Returns the role to invite with. Throws if it is above the role of the inviter. */
export function accessRole(actor: Actor, roleNumber: number): Role {
  const role = rolesOfGeneration27.find((role) => role === roleNumber)
  if (role === undefined) throw new ApiError('INVITED_ROLE_INVALID')
  refuseUnlessOwner(actor, role)
  if (role === Role.administrator && !isAdministrator(actor.role)) throw new ApiError('NOT_AN_ADMINISTRATOR')
  return role
}

/** Missing and inaccessible streams cause the same error, so that probing ids reveals nothing. */
export async function accessStreamsToJoin(
  db: Db,
  organization: OrganizationRow,
  actor: Actor,
  ids: readonly StreamId[],
  error: 'STREAM_TO_JOIN_NOT_FOUND' | 'STREAM_OF_LINK_NOT_FOUND',
): Promise<StreamId[]> {
  const streams = await listStreamsById(db, actor, ids)
  const open = streams.filter((stream) => canAccess(stream, toViewer(actor, stream)))
  const openStreamIds = new Set(open.map(({ id }) => id))
  for (const id of ids) if (!openStreamIds.has(id)) throw new ApiError(error, { id })
  const caller = { role: actor.role, date_joined: await getDateJoined(db, actor) }
  const begun = await listInitialStreams(db, organization, caller, open)
  if (begun.length < open.length) requireSubscribeOthersPermission(organization, caller)
  return [...openStreamIds]
}

/** Why an account may not invite others. */
export type InviteRefusal = 'guest' | 'administrators only' | 'too new'

/** Returns why a person may not invite others, or undefined. Guests never may. */
export function findInviteRefusal(
  organization: OrganizationRow,
  account: Pick<UserRow, 'role' | 'date_joined'>,
): InviteRefusal | undefined {
  if (account.role === Role.guest) return 'guest'
  const { allowed, rule } = decideMayInvite(organization, account)
  if (allowed) return undefined
  return rule === 'too_new_to_invite' ? 'too new' : 'administrators only'
}

/**
 * Filters streams to those that the inviter may subscribe new users to: all streams if the
 * organization lets the inviter subscribe others; otherwise only the default streams, to which new
 * users are subscribed anyway.
 */
export async function listInitialStreams<Stream extends Pick<StreamRow, 'id'>>(
  db: Db,
  organization: OrganizationRow,
  inviter: Pick<UserRow, 'role' | 'date_joined'>,
  streams: readonly Stream[],
): Promise<readonly Stream[]> {
  if (decideMaySubscribeOthers(organization, inviter).allowed) return streams
  const defaults = new Set((await listDefaultStreams(db, organization.id)).map(({ id }) => id))
  return streams.filter(({ id }) => defaults.has(id))
}

/**
 * Returns an invitation by e-mail. Users can access only invitations that they sent; administrators
 * can access all.
 */
export async function accessInvitation(db: Db, actor: Actor, id: InvitationId): Promise<InvitationRow> {
  const invitation = await findInvitation(db, actor.organization_id, id)
  if (!invitation || invitation.email === null) throw new ApiError('NO_SUCH_INVITATION')
  if (invitation.invited_by === actor.user_id) return invitation
  refuseUnlessOwner(actor, invitation.role)
  if (!isAdministrator(actor.role)) throw new ApiError('NOT_AN_ADMINISTRATOR')
  return invitation
}

/** Returns an invitation link. Only administrators can call the endpoint. */
export async function accessLink(db: Db, actor: Actor, id: InvitationId): Promise<InvitationRow> {
  const link = await findInvitation(db, actor.organization_id, id)
  if (link?.email !== null) throw new ApiError('NO_SUCH_INVITATION')
  refuseUnlessOwner(actor, link.role)
  return link
}

function refuseUnlessOwner({ role }: Actor, invitedAs: Role): void {
  if (invitedAs === Role.owner && role !== Role.owner) throw new ApiError('MUST_BE_OWNER')
}
