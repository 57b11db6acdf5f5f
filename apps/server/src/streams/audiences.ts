import { Role } from '@oxbow/contract'
import type { Audience } from '../events/record.ts'
import type { StreamRow } from '../platform/database/tables.ts'

/**
 * The fields of a stream that determine its audience. The functions of this file express the rules
 * of `access.ts` as audiences of events.
 */
type AudienceStream = Pick<StreamRow, 'id' | 'invite_only'>

const administrators = [Role.owner, Role.administrator] as const
export const notGuests = [Role.owner, Role.administrator, Role.moderator, Role.member] as const

/** Returns the roles of users who see a stream even if they were never subscribed. */
export const getRolesThatSee = ({ invite_only }: Pick<AudienceStream, 'invite_only'>) =>
  invite_only ? administrators : notGuests

/** Returns the audience of all users who may see the stream, as `canSee` decides. */
export function getStreamAudience(stream: AudienceStream): Audience {
  return { roles: getRolesThatSee(stream), stream: stream.id, former: true }
}

/**
 * Returns the audience of all users who may see the list of subscribers, as `canListMembers`
 * decides.
 */
export function getMemberListAudience(stream: AudienceStream): Audience {
  return { roles: getRolesThatSee(stream), stream: stream.id }
}

/** Returns the users who can no longer see a public stream when it becomes private. */
export function getAudienceLosingAccess({ id }: AudienceStream): Audience {
  return { roles: [Role.moderator, Role.member], unless: { stream: id, former: true } }
}

/**
 * Returns the users who gain access to a stream or its list of subscribers when it becomes public.
 */
export function getAudienceGainingAccess({ id }: AudienceStream): Audience {
  return { roles: notGuests, unless: { stream: id } }
}
