import {
  ApiError,
  allowedBy,
  type Decision,
  isAdministrator,
  PostPolicy,
  Role,
  refusedBy,
  type StreamId,
} from '@oxbow/contract'
import type { Actor } from '../platform/actor.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { lockStreamDirectory, lockStreamsExclusive } from '../platform/database/locks.ts'
import type { StreamRow } from '../platform/database/tables.ts'
import type { Poster, Viewer } from './membership.ts'
import { foldName } from './names.ts'
import { findStreamById, findStreamByName, type StreamWithMembership } from './queries.ts'

/** These functions decide who may do what with a stream; `audiences.ts` says the same for events. */
type Seen = Pick<StreamRow, 'invite_only' | 'archived_at'>

/** Its name and settings. Who left it keeps seeing them; nobody sees an archived stream. */
export function decideSight(stream: Seen, viewer: Viewer): Decision {
  const access = decideAccess(stream, viewer)
  if (access.allowed || stream.archived_at) return access
  if (viewer.membership === 'left') return allowedBy('was_in_stream')
  return isAdministrator(viewer.role) ? allowedBy('administrator') : access
}

/** Joining, reading, muting: whatever needs more than knowing that it is there. */
export function decideAccess(stream: Seen, { role, membership }: Viewer): Decision {
  if (stream.archived_at) return refusedBy('stream_archived')
  if (membership === 'in') return allowedBy('in_stream')
  if (stream.invite_only) return refusedBy('stream_private')
  return role === Role.guest ? refusedBy('guest_outside_stream') : allowedBy('stream_public')
}

/** What was said before they came; `messages/visibility.ts` says the same of each message. */
export function decideHistory(
  stream: Seen & Pick<StreamRow, 'history_public_to_subscribers'>,
  viewer: Viewer,
): Decision {
  const access = decideAccess(stream, viewer)
  if (!access.allowed || stream.history_public_to_subscribers) return access
  return refusedBy('history_protected')
}

/** Who is in it. */
export function mayListMembers(stream: Seen, viewer: Viewer): boolean {
  if (stream.archived_at) return false
  return mayAccess(stream, viewer) || isAdministrator(viewer.role)
}

export const maySee = (stream: Seen, viewer: Viewer): boolean => decideSight(stream, viewer).allowed
export const mayAccess = (stream: Seen, viewer: Viewer): boolean => decideAccess(stream, viewer).allowed

type PostedTo = Seen & Pick<StreamRow, 'stream_post_policy'>

export function decideToPost(stream: PostedTo, poster: Poster): Decision {
  const accounts = poster.owner ? [poster, poster.owner] : [poster]
  if (stream.archived_at) return refusedBy('stream_archived')
  if (!accounts.some(({ role }) => isAdministrator(role))) {
    if (stream.stream_post_policy === PostPolicy.administrators) return refusedBy('administrators_post')
    if (stream.stream_post_policy === PostPolicy.fullMembers && accounts.some(({ isNew }) => isNew))
      return refusedBy('full_members_post')
  }
  const access = decideAccess(stream, poster)
  return !access.allowed && poster.owner?.membership === 'in' ? allowedBy('bot_owner_in_stream') : access
}

/** Why someone may not post, or undefined. */
export function findPostObjection(
  stream: PostedTo & Pick<StreamRow, 'name'>,
  poster: Poster,
): ApiError | undefined {
  const { allowed, rule } = decideToPost(stream, poster)
  if (allowed) return undefined
  if (rule === 'administrators_post') return new ApiError('ONLY_ADMINISTRATORS_POST')
  if (rule === 'full_members_post') return new ApiError('NEW_MEMBERS_CANNOT_POST')
  return new ApiError('NOT_AUTHORIZED_TO_SEND', { name: stream.name })
}

/** Administrators change any stream that exists. */
export const decideToChange = ({ archived_at }: Seen): Decision =>
  archived_at ? refusedBy('stream_archived') : allowedBy('administrator')

/** Missing and forbidden answer alike, so that probing teaches nothing. */
export async function accessStream(db: Db, actor: Actor, id: StreamId): Promise<StreamWithMembership> {
  return byId(await findStreamById(db, actor, id), (stream) => mayAccess(stream, viewerOf(actor, stream)))
}

/** For its name and settings alone, which former members and administrators also see. */
export async function accessStreamToSee(db: Db, actor: Actor, id: StreamId): Promise<StreamWithMembership> {
  return byId(await findStreamById(db, actor, id), (stream) => maySee(stream, viewerOf(actor, stream)))
}

export async function accessStreamByName(db: Db, actor: Actor, name: string): Promise<StreamWithMembership> {
  const stream = await findStreamByName(db, actor, foldName(name))
  if (!stream || !mayAccess(stream, viewerOf(actor, stream)))
    throw new ApiError('INVALID_STREAM_NAME', { name })
  return stream
}

export async function accessStreamMembers(db: Db, actor: Actor, id: StreamId): Promise<StreamWithMembership> {
  return byId(await findStreamById(db, actor, id), (stream) =>
    mayListMembers(stream, viewerOf(actor, stream)),
  )
}

/** It is held until the transaction ends, with all names and settings. */
export async function accessStreamToChange(
  tx: Tx,
  actor: Actor,
  id: StreamId,
): Promise<StreamWithMembership> {
  await lockStreamDirectory(tx, actor.organization_id, 'exclusive')
  const exists = (stream: StreamWithMembership) => decideToChange(stream).allowed
  byId(await findStreamById(tx, actor, id), exists)
  await lockStreamsExclusive(tx, [id])
  return byId(await findStreamById(tx, actor, id), exists)
}

export function viewerOf({ role }: Pick<Actor, 'role'>, { membership }: StreamWithMembership): Viewer {
  return { role, membership }
}

function byId(
  stream: StreamWithMembership | undefined,
  isAllowed: (stream: StreamWithMembership) => boolean,
): StreamWithMembership {
  if (!stream || !isAllowed(stream)) throw new ApiError('INVALID_STREAM_ID')
  return stream
}
