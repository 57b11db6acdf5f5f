import type { OrganizationId, StreamId, UserId } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import type { Effect } from '../../events/record.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { StreamRow } from '../../platform/database/tables.ts'
import { mayAccess } from '../access.ts'
import { archive } from '../archive-stream.ts'
import { whoSeesMembers } from '../audiences.ts'
import { streamsVacated } from '../events.ts'
import { endSubscriptions } from '../members/change-members.ts'
import { listVacantStreams } from '../members/queries.ts'
import { peersRemoved, subscriptionsRemoved } from './events.ts'
import { type KnownSubscription, listBotsOfOwners, listSubscriptions, type Subscriber } from './queries.ts'
import { tellOccupancy } from './tell-occupancy.ts'

/** One for each person and stream, in the order given. */
export interface Removed {
  removed: StreamRow[]
  notRemoved: StreamRow[]
}

interface Pair {
  subscriber: Subscriber
  stream: StreamRow
}

/**
 * The one way out of a stream, but for its end. The streams must be held, and the directory of streams with them
 * where one of them is private: nobody finds the way back into a private stream that is empty, so it is archived.
 */
export async function removeSubscriptions(
  tx: Tx,
  organization_id: OrganizationId,
  streams: readonly StreamRow[],
  subscribers: readonly Subscriber[],
): Promise<Removed> {
  const known = await listSubscriptions(
    tx,
    organization_id,
    subscribers.map(({ id }) => id),
    streams.map(({ id }) => id),
  )
  const active = new Set(known.filter(({ is_active }) => is_active).map(keyOf))
  const isIn = ({ subscriber, stream }: Pair) => active.has(`${subscriber.id} ${stream.id}`)
  const pairs = subscribers.flatMap((subscriber) => streams.map((stream) => ({ subscriber, stream })))
  const leaving = pairs.filter(isIn)
  if (leaving.length > 0) await remove(tx, organization_id, await withBots(tx, organization_id, leaving))
  return {
    removed: leaving.map(({ stream }) => stream),
    notRemoved: pairs.filter((pair) => !isIn(pair)).map(({ stream }) => stream),
  }
}

/**
 * Adds the bots of those who lose access by leaving: a bot would show its owner what they may no longer read, and could
 * subscribe them again.
 */
async function withBots(
  tx: Tx,
  organization_id: OrganizationId,
  leaving: readonly Pair[],
): Promise<readonly Pair[]> {
  const losing = leaving.filter(
    ({ subscriber: { role, bot_type }, stream }) =>
      bot_type === null && !mayAccess(stream, { role, membership: 'left' }),
  )
  const bots = await listBotsOfOwners(tx, organization_id, [...new Set(losing.map(userOf))])
  if (bots.length === 0) return leaving
  const streams = [...new Set(losing.map(({ stream }) => stream))]
  const known = await listSubscriptions(
    tx,
    organization_id,
    bots.map(({ id }) => id),
    ids(streams),
  )
  const active = new Set(known.filter(({ is_active }) => is_active).map(keyOf))
  const named = new Set(leaving.map(({ subscriber, stream }) => `${subscriber.id} ${stream.id}`))
  const byOwner = Map.groupBy(bots, ({ bot_owner_id }) => bot_owner_id)
  const following = losing.flatMap(({ subscriber, stream }) =>
    (byOwner.get(subscriber.id) ?? []).map((bot) => ({ subscriber: bot, stream })),
  )
  return [
    ...leaving,
    ...following.filter(({ subscriber, stream }) => {
      const key = `${subscriber.id} ${stream.id}`
      return active.has(key) && !named.has(key)
    }),
  ]
}

async function remove(tx: Tx, organization_id: OrganizationId, leaving: readonly Pair[]): Promise<void> {
  const at = await endSubscriptions(
    tx,
    organization_id,
    leaving.map(({ subscriber, stream }) => ({ user_id: subscriber.id, stream_id: stream.id })),
  )
  const byStream = Map.groupBy(leaving, ({ stream }) => stream)
  const streams = [...byStream.keys()]
  const effects = [...byStream].map(([stream, pairs]): Effect => {
    return { kind: 'subscriptions', users: pairs.map(userOf), stream: stream.id, subscribed: false, at }
  })
  for (const [index, { users, left }] of whoLeftWhat(leaving).entries()) {
    emit(tx, {
      ...subscriptionsRemoved(organization_id, users, left),
      ...(index === 0 && { effects }),
    })
  }
  for (const [stream, pairs] of byStream) {
    // Deactivated accounts are in nobody's list.
    const active = pairs.filter(({ subscriber }) => subscriber.is_active).map(userOf)
    if (active.length > 0) emit(tx, peersRemoved(stream, active, whoSeesMembers(stream)))
  }

  const vacant = await listVacantStreams(tx, organization_id, ids(streams))
  const vacated = [...byStream].filter(([{ id, invite_only }]) => !invite_only && vacant.has(id))
  tellOccupancy(tx, organization_id, streamsVacated, vacated)
  for (const stream of streams) if (stream.invite_only && vacant.has(stream.id)) await archive(tx, stream)
}

const keyOf = ({ user_id, stream_id }: KnownSubscription) => `${user_id} ${stream_id}`
const userOf = ({ subscriber }: Pair): UserId => subscriber.id
const ids = (streams: readonly StreamRow[]): StreamId[] => streams.map(({ id }) => id)

/** Most leave the same streams, so few records do for all of them. */
function whoLeftWhat(leaving: readonly Pair[]): { users: UserId[]; left: StreamRow[] }[] {
  const byUser = Map.groupBy(leaving, userOf)
  const groups = new Map<string, { users: UserId[]; left: StreamRow[] }>()
  for (const [user, pairs] of byUser) {
    const left = pairs.map(({ stream }) => stream)
    const key = ids(left).join()
    const group = groups.get(key) ?? { users: [], left }
    group.users.push(user)
    groups.set(key, group)
  }
  return [...groups.values()]
}
