import { ApiError } from '@oxbow/contract'
import { emit } from '../events/emit.ts'
import type { Actor } from '../platform/actor.ts'
import type { Tx } from '../platform/database/database.ts'
import { mayAccess, viewerOf } from './access.ts'
import { whoGainsSight, whoLosesSight, whoSees } from './audiences.ts'
import { streamsAppeared, streamsDeleted, streamUpdated } from './events.ts'
import { deleteMutedTopicsOfStrangers } from './muted-topics/queries.ts'
import { listRecentTraffic, type StreamWithMembership, updateStreamRow } from './queries.ts'

interface Asked {
  is_private?: boolean | undefined
  history_public_to_subscribers?: boolean | null | undefined
}

/** As it was before the call, and as the call has made it so far. */
interface Changing {
  before: StreamWithMembership
  stream: StreamWithMembership
}

/** Administrators change what they can read themselves: nobody opens a private stream from outside. */
export async function changePrivacy(
  tx: Tx,
  actor: Actor,
  { before, stream }: Changing,
  { is_private: invite_only = false, history_public_to_subscribers: isShared }: Asked,
): Promise<StreamWithMembership> {
  if (!mayAccess(stream, viewerOf(actor, stream))) throw new ApiError('INVALID_STREAM_ID')
  const history_public_to_subscribers = historyOf(invite_only, isShared)
  await updateStreamRow(tx, stream, { invite_only, history_public_to_subscribers })
  const changed = { ...stream, invite_only, history_public_to_subscribers }
  if (stream.invite_only && !invite_only) await tellWhoGainsSight(tx, changed)
  const change = { property: 'invite_only', value: invite_only, history_public_to_subscribers }
  emit(tx, streamUpdated(stream, change, whoSees(changed)))
  if (!stream.invite_only && invite_only) await tellWhoLosesSight(tx, before)
  return changed
}

/** Everyone may read all of a public stream; in a private one that is chosen, and not so unless it is. */
export function historyOf(invite_only: boolean, isShared: boolean | null | undefined): boolean {
  return !invite_only || (isShared ?? false)
}

async function tellWhoGainsSight(tx: Tx, stream: StreamWithMembership): Promise<void> {
  const traffic = await listRecentTraffic(tx, stream.organization_id, [stream.id])
  emit(tx, streamsAppeared(stream.organization_id, [stream], traffic, whoGainsSight(stream)))
}

/** By the name that they knew. What they muted there goes with it: its name is no longer theirs to know. */
async function tellWhoLosesSight(tx: Tx, stream: StreamWithMembership): Promise<void> {
  await deleteMutedTopicsOfStrangers(tx, stream.organization_id, stream.id)
  emit(tx, streamsDeleted(stream.organization_id, [stream], whoLosesSight(stream)))
}
