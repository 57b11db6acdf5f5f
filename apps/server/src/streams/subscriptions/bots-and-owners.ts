import type { Tx } from '../../platform/database/database.ts'
import type { StreamRow, UserRow } from '../../platform/database/tables.ts'
import { deleteMemberships } from '../members/change-members.ts'
import { listAllStreams, listStreams } from '../queries.ts'
import { deleteAttentionOfUser } from '../topic-attention/queries.ts'
import {
  getSubscriber,
  listBotsOfOwners,
  listBotsWithoutOwner,
  listSubscriptions,
  type Subscriber,
} from './queries.ts'
import { removeSubscriptions } from './remove-subscriptions.ts'

/**
 * When an owner loses access to a stream, their bots lose it too, because the owner could read with
 * a bot's key. The functions of this file apply this rule, except for owners who leave a stream:
 * see `removeSubscriptions`.
 */

/**
 * Unsubscribes bots whose owners are not subscribed from a stream that has become private. The
 * stream must be locked, and the stream directory must be locked exclusively.
 */
export async function removeBotsWithoutOwner(tx: Tx, stream: StreamRow): Promise<void> {
  const bots = await listBotsWithoutOwner(tx, stream)
  if (bots.length > 0) await removeSubscriptions(tx, stream.organization_id, [stream], bots)
}

type Account = Pick<UserRow, 'organization_id' | 'id'>

/**
 * Unsubscribes the bots of an owner who has become a guest from public streams that the owner is
 * not subscribed to. The organization's role lock must be held exclusively.
 */
export async function removeBotsOfGuest(tx: Tx, { organization_id, id }: Account): Promise<void> {
  const bots = await listBotsOfOwners(tx, organization_id, [id])
  if (bots.length === 0) return
  const streams = await listStreams(tx, { organization_id, user_id: id })
  const closed = streams.filter(({ invite_only, membership }) => !invite_only && membership !== 'in')
  await removeFrom(tx, organization_id, closed, bots)
}

/**
 * Unsubscribes a bot from private streams that its new owner is not subscribed to, and from all
 * streams with protected history, because the bot may have received more messages there than the
 * new owner. Also deletes the records of the bot's membership, so that the new owner cannot read
 * the messages that the bot received. Returns these streams. The organization's role lock must be
 * held exclusively.
 */
export async function forgetPrivateStreams(
  tx: Tx,
  { organization_id, id }: Account,
  owner: Pick<UserRow, 'id'>,
): Promise<StreamRow[]> {
  const streams = await listAllStreams(tx, { organization_id, user_id: owner.id })
  const hidden = streams.filter(
    ({ invite_only, membership, history_public_to_subscribers }) =>
      invite_only && !(membership === 'in' && history_public_to_subscribers),
  )
  const bot = await getSubscriber(tx, { organization_id, user_id: id })
  await removeFrom(tx, organization_id, hidden, [bot])
  const botKey = { organization_id, user_id: id }
  const ids = hidden.map((stream) => stream.id)
  await deleteMemberships(tx, botKey, ids)
  await deleteAttentionOfUser(tx, botKey, ids)
  return hidden
}

async function removeFrom(
  tx: Tx,
  organization_id: UserRow['organization_id'],
  streams: readonly StreamRow[],
  bots: readonly Subscriber[],
): Promise<void> {
  const subscriptions = await listSubscriptions(
    tx,
    organization_id,
    bots.map(({ id }) => id),
    streams.map(({ id }) => id),
  )
  const active = new Set(subscriptions.filter(({ is_active }) => is_active).map(({ stream_id }) => stream_id))
  const streamsLeft = streams.filter(({ id }) => active.has(id))
  if (streamsLeft.length > 0) await removeSubscriptions(tx, organization_id, streamsLeft, bots)
}
