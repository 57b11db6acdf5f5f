import {
  ApiError,
  allOf,
  allowedBy,
  type Decision,
  isAdministrator,
  isModerator,
  type PermissionRule,
  refusedBy,
} from '@oxbow/contract'
import { canSee, decideMayPost } from '../../streams/access.ts'
import type { Actors, StreamWithMembership } from '../../streams/queries.ts'
import type { LockedStreams } from '../lock-streams.ts'
import type { GivesRight } from '../rights.ts'
import type { Edit } from './check-edit.ts'

/**
 * Returns the stream that the message moves to, or undefined if it stays in its stream. Throws if
 * the move is not allowed.
 */
export function checkMove(
  mover: Mover,
  { stream_id, content }: Edit,
  from: StreamWithMembership | undefined,
  streams: LockedStreams,
): StreamWithMembership | undefined {
  if (stream_id === undefined) return undefined
  const to = streams.get(stream_id)
  const { allowed, rule } = decideMayMove(mover, from, to)
  if (rule === 'must_be_moderator') throw new ApiError('CANNOT_MOVE_MESSAGE')
  if (content !== undefined) throw new ApiError('CONTENT_EDITED_WITH_MOVE')
  if (rule === 'streams_not_public') throw new ApiError('STREAMS_MUST_BE_PUBLIC')
  if (isAboutPosting(rule)) throw new ApiError('CANNOT_MOVE_MESSAGE')
  if (!allowed || !to) throw new ApiError('INVALID_STREAM_ID')
  return to.id === from?.id ? undefined : to
}

/**
 * Decides whether a message may move. `from` is undefined for private messages, and `to` is
 * undefined if the target stream does not exist.
 */
export function decideMayMove(
  mover: Mover,
  from: MoveStream | undefined,
  to: MoveStream | undefined,
): Decision {
  const decision = decideByMover(mover)
  if (!decision.allowed) return decision
  if (!to) return refusedBy('stream_unknown')
  if (to.archived_at) return refusedBy('stream_archived')
  if (!canSee(to, { role: mover.role, membership: to.membership })) return refusedBy('stream_unknown')
  const isOpen = from && !from.invite_only && !to.invite_only
  if (!isOpen) return refusedBy('streams_not_public')
  return isAdministrator(mover.role) ? decision : allOf(decidePosting(mover, to), decision)
}

const isAboutPosting = (rule: PermissionRule): boolean =>
  rule === 'administrators_post' || rule === 'full_members_post' || rule === 'stream_right_missing'

function decideByMover({ role, gives }: Mover): Decision {
  if (isAdministrator(role)) return allowedBy('administrator')
  if (isModerator(role)) return allowedBy('moderator')
  const isGiven = gives('can_move_messages_out_of_channel_group')
  return isGiven ? allowedBy('stream_right') : refusedBy('must_be_moderator')
}

/** Decides whether the mover may write to the stream that the message moves to. */
const decidePosting = ({ gives, owner, ...mover }: Mover, to: MoveStream): Decision =>
  decideMayPost(to, {
    ...mover,
    membership: to.membership,
    ...(owner && { owner: { ...owner, membership: 'never' } }),
  })

type MoveStream = Pick<
  StreamWithMembership,
  'invite_only' | 'archived_at' | 'stream_post_policy' | 'rights' | 'membership'
>

/** The account that moves a message, and its rights to the message. */
export interface Mover extends Actors {
  gives: GivesRight
}
