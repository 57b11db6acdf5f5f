import { Role } from '@oxbow/contract'
import type { Tx } from '../../platform/database/database.ts'
import type { StreamRow, UserRow } from '../../platform/database/tables.ts'
import { deleteMemberships } from '../members/change-members.ts'
import { deleteMutedTopicsOf } from '../muted-topics/queries.ts'
import { listAllStreams, listStreams } from '../queries.ts'
import {
  getSubscriber,
  listBotsOfOwners,
  listBotsWithoutOwner,
  listSubscriptions,
  type Subscriber,
} from './queries.ts'
import { removeSubscriptions } from './remove-subscriptions.ts'

/**
 * The rule of this file: a bot does not keep access to a stream that its owner loses, because the owner reads with the
 * bot's key. `removeSubscriptions` applies it to owners who leave a stream.
 */

/** Call it when a stream has become private: owners who are not in it lose access. The stream and the directory must be held. */
export async function removeBotsWithoutOwner(tx: Tx, stream: StreamRow): Promise<void> {
  const bots = await listBotsWithoutOwner(tx, stream)
  if (bots.length > 0) await removeSubscriptions(tx, stream.organization_id, [stream], bots)
}

type Account = Pick<UserRow, 'organization_id' | 'id'>

/** Call it when an owner has become a guest, who has access to no public stream outside. The roles must be held alone. */
export async function removeBotsOfGuest(tx: Tx, { organization_id, id }: Account): Promise<void> {
  const bots = await listBotsOfOwners(tx, organization_id, [id])
  if (bots.length === 0) return
  const streams = await listStreams(tx, { organization_id, user_id: id })
  const closed = streams.filter(({ invite_only, membership }) => !invite_only && membership !== 'in')
  await removeFrom(tx, organization_id, closed, bots)
}

/**
 * Takes a bot out of the private streams that its new owner is not in, and out of those whose history is protected: the
 * bot may have received more there than the owner did. It also forgets that it was ever in one of them, so that the new
 * owner reads nothing that came to the bot before. Returns the streams that it forgets. The roles must be held alone.
 */
export async function forgetPrivateStreams(
  tx: Tx,
  { organization_id, id }: Account,
  owner: Pick<UserRow, 'id' | 'role'>,
): Promise<StreamRow[]> {
  const streams = await listAllStreams(tx, { organization_id, user_id: owner.id })
  const hidden = streams.filter(
    ({ invite_only, membership, history_public_to_subscribers }) =>
      (invite_only && !(membership === 'in' && history_public_to_subscribers)) ||
      (owner.role === Role.guest && membership !== 'in'),
  )
  const bot = await getSubscriber(tx, { organization_id, user_id: id })
  await removeFrom(tx, organization_id, hidden, [bot])
  const place = { organization_id, user_id: id }
  const ids = hidden.map((stream) => stream.id)
  await deleteMemberships(tx, place, ids)
  await deleteMutedTopicsOf(tx, place, ids)
  return hidden
}

async function removeFrom(
  tx: Tx,
  organization_id: UserRow['organization_id'],
  streams: readonly StreamRow[],
  bots: readonly Subscriber[],
): Promise<void> {
  const known = await listSubscriptions(
    tx,
    organization_id,
    bots.map(({ id }) => id),
    streams.map(({ id }) => id),
  )
  const active = new Set(known.filter(({ is_active }) => is_active).map(({ stream_id }) => stream_id))
  const left = streams.filter(({ id }) => active.has(id))
  if (left.length > 0) await removeSubscriptions(tx, organization_id, left, bots)
}
