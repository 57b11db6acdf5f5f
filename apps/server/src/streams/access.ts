import {
  ApiError,
  allowedBy,
  type Decision,
  findPostRight,
  foldName,
  type GroupValue,
  hasRight,
  isAdministrator,
  isModerator,
  PostPolicy,
  Role,
  refusedBy,
  type StreamId,
  type StreamRight,
} from '@oxbow/contract'
import type { Actor } from '../platform/actor.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { lockStreamDirectory, lockStreamsExclusive } from '../platform/database/locks.ts'
import type { StreamRow } from '../platform/database/tables.ts'
import type { Poster, Viewer } from './membership.ts'
import { type Actors, findStreamById, findStreamByName, type StreamWithMembership } from './queries.ts'

/**
 * The fields of a stream that decide who sees it. The functions of this file decide who may do what
 * with a stream; `audiences.ts` expresses the same rules for events.
 */
type VisibleStream = Pick<StreamRow, 'invite_only' | 'archived_at'>

/**
 * Decides whether the viewer sees the stream's name and settings. Former members still see them;
 * nobody sees an archived stream.
 */
export function decideMaySee(stream: VisibleStream, viewer: Viewer): Decision {
  const access = decideAccess(stream, viewer)
  if (access.allowed || stream.archived_at) return access
  if (viewer.membership === 'left') return allowedBy('was_in_stream')
  return isAdministrator(viewer.role) ? allowedBy('administrator') : access
}

/** Decides whether the viewer may join, read or mute the stream. */
export function decideAccess(stream: VisibleStream, { role, membership }: Viewer): Decision {
  if (stream.archived_at) return refusedBy('stream_archived')
  if (membership === 'in') return allowedBy('in_stream')
  if (stream.invite_only) return refusedBy('stream_private')
  return role === Role.guest ? refusedBy('guest_outside_stream') : allowedBy('stream_public')
}

/** Returns whether the viewer may see the list of subscribers. */
export function canListMembers(stream: VisibleStream, viewer: Viewer): boolean {
  if (stream.archived_at) return false
  return canAccess(stream, viewer) || isAdministrator(viewer.role)
}

export const canSee = (stream: VisibleStream, viewer: Viewer): boolean => decideMaySee(stream, viewer).allowed
export const canAccess = (stream: VisibleStream, viewer: Viewer): boolean =>
  decideAccess(stream, viewer).allowed

type PostableStream = VisibleStream & Pick<StreamRow, 'stream_post_policy' | 'rights'>

export function decideMayPost(stream: PostableStream, poster: Poster): Decision {
  if (stream.archived_at) return refusedBy('stream_archived')
  const right = decidePostRight(stream, poster)
  if (right && !right.allowed) return right
  const access = decideAccess(stream, poster)
  return !access.allowed && poster.owner?.membership === 'in' ? allowedBy('bot_owner_in_stream') : access
}

/** Decides by the stream's settings, without access to the stream. Undefined if everyone with access may post. */
function decidePostRight(stream: PostableStream, poster: Poster): Decision | undefined {
  const value = findPostRight(stream)
  if (value) return decideByValue(value, poster)
  const accounts = poster.owner ? [poster, poster.owner] : [poster]
  if (accounts.some(({ role }) => isAdministrator(role))) return undefined
  if (stream.stream_post_policy === PostPolicy.administrators) return refusedBy('administrators_post')
  const isForFullMembers = stream.stream_post_policy === PostPolicy.fullMembers
  const isAnyNew = accounts.some(({ isNew, role }) => isNew && !isModerator(role))
  return isForFullMembers && isAnyNew ? refusedBy('full_members_post') : undefined
}

export const decideByValue = (value: GroupValue, { owner, ...account }: Actors): Decision =>
  hasRight(value, account, owner) ? allowedBy('stream_right') : refusedBy('stream_right_missing')

/** Decides whether the stream gives the right to the account, in addition to what the organization allows. */
export function decideByStream(
  { rights }: Pick<StreamRow, 'rights'>,
  right: StreamRight,
  account: Actors,
): Decision {
  const value = rights[right]
  return value ? decideByValue(value, account) : refusedBy('stream_right_missing')
}

/** Decides whether an account that may post to the stream may start topics there. */
export const decideMayStartTopics = ({ rights }: Pick<StreamRow, 'rights'>, poster: Poster): Decision =>
  rights.can_create_topic_group
    ? decideByValue(rights.can_create_topic_group, poster)
    : allowedBy('stream_right')

/** Returns the error for a user who may not post to the stream; undefined if the user may. */
export function findPostError(
  stream: PostableStream & Pick<StreamRow, 'name'>,
  poster: Poster,
): ApiError | undefined {
  const { allowed, rule } = decideMayPost(stream, poster)
  if (allowed) return undefined
  if (rule === 'administrators_post') return new ApiError('ONLY_ADMINISTRATORS_POST')
  if (rule === 'full_members_post') return new ApiError('NEW_MEMBERS_CANNOT_POST')
  if (rule === 'stream_right_missing') return new ApiError('NOT_ALLOWED_TO_POST')
  return new ApiError('NOT_AUTHORIZED_TO_SEND', { name: stream.name })
}

/**
 * Decides whether the stream can be changed. Callers are administrators, who may change every
 * stream that is not archived.
 */
export const decideMayChange = ({ archived_at }: VisibleStream): Decision =>
  archived_at ? refusedBy('stream_archived') : allowedBy('administrator')

/**
 * Loads a stream that the actor may read. Missing and forbidden streams get the same error, so that
 * probing ids reveals nothing.
 */
export async function accessStream(db: Db, actor: Actor, id: StreamId): Promise<StreamWithMembership> {
  return requireAccess(await findStreamById(db, actor, id), actor)
}

/** Returns the stream. Throws as `accessStream` does. */
export function requireAccess(
  stream: StreamWithMembership | undefined,
  actor: Pick<Actor, 'role'>,
): StreamWithMembership {
  return requireAllowed(stream, (found) => canAccess(found, toViewer(actor, found)))
}

/**
 * Loads a stream whose name and settings the actor may see. Former members and administrators may
 * see them, even if they may not read the stream.
 */
export async function accessStreamToSee(db: Db, actor: Actor, id: StreamId): Promise<StreamWithMembership> {
  return requireAllowed(await findStreamById(db, actor, id), (stream) =>
    canSee(stream, toViewer(actor, stream)),
  )
}

export async function accessStreamByName(db: Db, actor: Actor, name: string): Promise<StreamWithMembership> {
  const stream = await findStreamByName(db, actor, foldName(name))
  if (!stream || !canAccess(stream, toViewer(actor, stream)))
    throw new ApiError('INVALID_STREAM_NAME', { name })
  return stream
}

export async function accessStreamMembers(db: Db, actor: Actor, id: StreamId): Promise<StreamWithMembership> {
  return requireAllowed(await findStreamById(db, actor, id), (stream) =>
    canListMembers(stream, toViewer(actor, stream)),
  )
}

/**
 * Locks the stream and the stream directory exclusively until the transaction ends, and returns the
 * stream.
 */
export async function accessStreamToChange(
  tx: Tx,
  actor: Actor,
  id: StreamId,
): Promise<StreamWithMembership> {
  await lockStreamDirectory(tx, actor.organization_id, 'exclusive')
  const exists = (stream: StreamWithMembership) => decideMayChange(stream).allowed
  requireAllowed(await findStreamById(tx, actor, id), exists)
  await lockStreamsExclusive(tx, [id])
  return requireAllowed(await findStreamById(tx, actor, id), exists)
}

export function toViewer({ role }: Pick<Actor, 'role'>, { membership }: StreamWithMembership): Viewer {
  return { role, membership }
}

function requireAllowed(
  stream: StreamWithMembership | undefined,
  isAllowed: (stream: StreamWithMembership) => boolean,
): StreamWithMembership {
  if (!stream || !isAllowed(stream)) throw new ApiError('INVALID_STREAM_ID')
  return stream
}
