import { ApiError, isAdministrator, PostPolicy, Role, type StreamId } from '@oxbow/contract'
import type { Actor } from '../platform/actor.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { holdStreamDirectory, holdStreams } from '../platform/database/locks.ts'
import type { StreamRow } from '../platform/database/tables.ts'
import type { Poster, Viewer } from './membership.ts'
import { foldName } from './names.ts'
import { findStreamById, findStreamByName, type StreamWithMembership } from './queries.ts'

/** These functions decide who may do what with a stream; `audiences.ts` says the same for events. */
type Seen = Pick<StreamRow, 'invite_only' | 'archived_at'>

/** Its name and settings. Who left it keeps seeing them; nobody sees an archived stream. */
export function maySee(stream: Seen, viewer: Viewer): boolean {
  if (stream.archived_at) return false
  return mayAccess(stream, viewer) || viewer.membership === 'left' || isAdministrator(viewer.role)
}

/** Joining, reading, muting: whatever needs more than knowing that it is there. */
export function mayAccess(stream: Seen, { role, membership }: Viewer): boolean {
  if (stream.archived_at) return false
  return membership === 'in' || (!stream.invite_only && role !== Role.guest)
}

/** Who is in it. */
export function mayListMembers(stream: Seen, viewer: Viewer): boolean {
  if (stream.archived_at) return false
  return mayAccess(stream, viewer) || isAdministrator(viewer.role)
}

/** Why someone may not post, or undefined. */
export function findPostObjection(
  stream: Seen & Pick<StreamRow, 'stream_post_policy' | 'name'>,
  poster: Poster,
): ApiError | undefined {
  const accounts = poster.owner ? [poster, poster.owner] : [poster]
  const denied = () => new ApiError('NOT_AUTHORIZED_TO_SEND', { name: stream.name })
  if (stream.archived_at) return denied()
  if (!accounts.some(({ role }) => isAdministrator(role))) {
    if (stream.stream_post_policy === PostPolicy.administrators)
      return new ApiError('ONLY_ADMINISTRATORS_POST')
    if (stream.stream_post_policy === PostPolicy.fullMembers && accounts.some(({ isNew }) => isNew))
      return new ApiError('NEW_MEMBERS_CANNOT_POST')
  }
  const mayReach = mayAccess(stream, poster) || poster.owner?.membership === 'in'
  return mayReach ? undefined : denied()
}

/** Missing and forbidden answer alike, so that probing teaches nothing. */
export async function accessStream(db: Db, actor: Actor, id: StreamId): Promise<StreamWithMembership> {
  return byId(await findStreamById(db, actor, id), (stream) => mayAccess(stream, viewerOf(actor, stream)))
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

/** Administrators change any stream that exists. It is held until the transaction ends, with all names and settings. */
export async function accessStreamToChange(
  tx: Tx,
  actor: Actor,
  id: StreamId,
): Promise<StreamWithMembership> {
  await holdStreamDirectory(tx, actor.organization_id, 'alone')
  const exists = ({ archived_at }: StreamWithMembership) => !archived_at
  byId(await findStreamById(tx, actor, id), exists)
  await holdStreams(tx, [id])
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
