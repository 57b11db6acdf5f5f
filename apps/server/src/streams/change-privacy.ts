import { ApiError } from '@oxbow/contract'
import { emit } from '../events/emit.ts'
import type { Actor } from '../platform/actor.ts'
import type { Tx } from '../platform/database/database.ts'
import { canAccess, toViewer } from './access.ts'
import { getAudienceGainingAccess, getAudienceLosingAccess, getStreamAudience } from './audiences.ts'
import { streamsAppeared, streamsDeleted, streamUpdated } from './events.ts'
import { listRecentTraffic, type StreamWithMembership, updateStreamRow } from './queries.ts'
import { deleteAttentionOfNonMembers } from './topic-attention/queries.ts'

interface PrivacyParams {
  is_private?: boolean | undefined
  history_public_to_subscribers?: boolean | null | undefined
}

/**
 * The stream as it was before the request, and with the changes that the request has made so far.
 */
interface StreamChange {
  before: StreamWithMembership
  stream: StreamWithMembership
}

/**
 * Changes whether a stream is private. The actor must be able to read the stream, so that only
 * subscribers can make a private stream public.
 */
export async function changePrivacy(
  tx: Tx,
  actor: Actor,
  { before, stream }: StreamChange,
  { is_private: invite_only = false, history_public_to_subscribers: isShared }: PrivacyParams,
): Promise<StreamWithMembership> {
  if (!canAccess(stream, toViewer(actor, stream))) throw new ApiError('INVALID_STREAM_ID')
  const history_public_to_subscribers = isHistoryShared(invite_only, isShared)
  await updateStreamRow(tx, stream, { invite_only, history_public_to_subscribers })
  const changed = { ...stream, invite_only, history_public_to_subscribers }
  if (stream.invite_only && !invite_only) await emitStreamAppeared(tx, changed)
  const change = { property: 'invite_only', value: invite_only, history_public_to_subscribers }
  emit(tx, streamUpdated(stream, change, getStreamAudience(changed)))
  if (!stream.invite_only && invite_only) await emitStreamDisappeared(tx, before)
  return changed
}

/**
 * Returns whether new subscribers may read older messages: always in public streams, and in private
 * streams only if `history_public_to_subscribers` is set.
 */
export function isHistoryShared(invite_only: boolean, isShared: boolean | null | undefined): boolean {
  return !invite_only || (isShared ?? false)
}

async function emitStreamAppeared(tx: Tx, stream: StreamWithMembership): Promise<void> {
  const traffic = await listRecentTraffic(tx, stream.organization_id, [stream.id])
  emit(tx, streamsAppeared(stream.organization_id, [stream], traffic, getAudienceGainingAccess(stream)))
}

/**
 * Emits a deletion event, with the stream's old name, to users who can no longer see it. Also
 * deletes their attention to topics of the stream.
 */
async function emitStreamDisappeared(tx: Tx, stream: StreamWithMembership): Promise<void> {
  await deleteAttentionOfNonMembers(tx, stream.organization_id, stream.id)
  emit(tx, streamsDeleted(stream.organization_id, [stream], getAudienceLosingAccess(stream)))
}
