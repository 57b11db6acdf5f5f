import type { OrganizationId, StreamId, UserId } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import type { Effect } from '../../events/record.ts'
import { emitSightLost } from '../../identity/accounts/emit-sight.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { StreamRow } from '../../platform/database/tables.ts'
import { canAccess } from '../access.ts'
import { archive } from '../archive-stream.ts'
import { getMemberListAudience } from '../audiences.ts'
import { streamsVacated } from '../events.ts'
import { endSubscriptions } from '../members/change-members.ts'
import { listVacantStreams } from '../members/queries.ts'
import { emitOccupancy } from './emit-occupancy.ts'
import { peersRemoved, subscriptionsRemoved } from './events.ts'
import { listBotsOfOwners, listSubscriptions, type Subscriber, type SubscriptionSettings } from './queries.ts'

/** The streams of the request, with one entry for each pair of user and stream. */
export interface RemoveResult {
  removed: StreamRow[]
  notRemoved: StreamRow[]
}

interface Pair {
  subscriber: Subscriber
  stream: StreamRow
}

/**
 * Unsubscribes users from streams. All unsubscriptions are made by this function, except when a
 * stream is archived. The streams must be locked. If one of them is private, the stream directory
 * must be locked exclusively, because a private stream without subscribers is archived: nobody
 * could join it again.
 */
export async function removeSubscriptions(
  tx: Tx,
  organization_id: OrganizationId,
  streams: readonly StreamRow[],
  subscribers: readonly Subscriber[],
): Promise<RemoveResult> {
  const subscriptions = await listSubscriptions(
    tx,
    organization_id,
    subscribers.map(({ id }) => id),
    streams.map(({ id }) => id),
  )
  const active = new Set(subscriptions.filter(({ is_active }) => is_active).map(keyOf))
  const isSubscribed = ({ subscriber, stream }: Pair) => active.has(`${subscriber.id} ${stream.id}`)
  const pairs = subscribers.flatMap((subscriber) => streams.map((stream) => ({ subscriber, stream })))
  const leaving = pairs.filter(isSubscribed)
  if (leaving.length > 0) await removePairs(tx, organization_id, await withBots(tx, organization_id, leaving))
  return {
    removed: leaving.map(({ stream }) => stream),
    notRemoved: pairs.filter((pair) => !isSubscribed(pair)).map(({ stream }) => stream),
  }
}

/**
 * Adds the bots of users who lose access to a stream by leaving it. Otherwise an owner could use
 * the bot's key to read the messages or to subscribe again.
 */
async function withBots(
  tx: Tx,
  organization_id: OrganizationId,
  leaving: readonly Pair[],
): Promise<readonly Pair[]> {
  const losing = leaving.filter(
    ({ subscriber: { role, bot_type }, stream }) =>
      bot_type === null && !canAccess(stream, { role, membership: 'left' }),
  )
  const bots = await listBotsOfOwners(tx, organization_id, [...new Set(losing.map(getUser))])
  if (bots.length === 0) return leaving
  const streams = [...new Set(losing.map(({ stream }) => stream))]
  const subscriptions = await listSubscriptions(
    tx,
    organization_id,
    bots.map(({ id }) => id),
    getIds(streams),
  )
  const active = new Set(subscriptions.filter(({ is_active }) => is_active).map(keyOf))
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

async function removePairs(tx: Tx, organization_id: OrganizationId, leaving: readonly Pair[]): Promise<void> {
  const at = await endSubscriptions(
    tx,
    organization_id,
    leaving.map(({ subscriber, stream }) => ({ user_id: subscriber.id, stream_id: stream.id })),
  )
  const byStream = Map.groupBy(leaving, ({ stream }) => stream)
  const streams = [...byStream.keys()]
  const effects = [...byStream].map(([stream, pairs]): Effect => {
    return { kind: 'subscriptions', users: pairs.map(getUser), stream: stream.id, subscribed: false, at }
  })
  for (const [index, { users, streams }] of groupByStreamsLeft(leaving).entries()) {
    emit(tx, {
      ...subscriptionsRemoved(organization_id, users, streams),
      ...(index === 0 && { effects }),
    })
  }
  const moves = [...byStream].map(([{ id }, pairs]) => ({
    stream: id,
    users: pairs.map(({ subscriber }) => subscriber),
  }))
  await emitSightLost(tx, organization_id, moves)
  for (const [stream, pairs] of byStream) {
    // Deactivated accounts are not in the list of subscribers, so no event is needed when they
    // leave.
    const active = pairs.filter(({ subscriber }) => subscriber.is_active).map(getUser)
    if (active.length > 0) emit(tx, peersRemoved(stream, active, getMemberListAudience(stream)))
  }

  const vacant = await listVacantStreams(tx, organization_id, getIds(streams))
  const vacated = [...byStream].filter(([{ id, invite_only }]) => !invite_only && vacant.has(id))
  emitOccupancy(tx, organization_id, streamsVacated, vacated)
  for (const stream of streams) if (stream.invite_only && vacant.has(stream.id)) await archive(tx, stream)
}

const keyOf = ({ user_id, stream_id }: SubscriptionSettings) => `${user_id} ${stream_id}`
const getUser = ({ subscriber }: Pair): UserId => subscriber.id
const getIds = (streams: readonly StreamRow[]): StreamId[] => streams.map(({ id }) => id)

/** Groups users who left the same streams, so that few records are needed. */
function groupByStreamsLeft(leaving: readonly Pair[]): { users: UserId[]; streams: StreamRow[] }[] {
  const byUser = Map.groupBy(leaving, getUser)
  const groups = new Map<string, { users: UserId[]; streams: StreamRow[] }>()
  for (const [user, pairs] of byUser) {
    const streams = pairs.map(({ stream }) => stream)
    const key = getIds(streams).join()
    const group = groups.get(key) ?? { users: [], streams }
    group.users.push(user)
    groups.set(key, group)
  }
  return [...groups.values()]
}
