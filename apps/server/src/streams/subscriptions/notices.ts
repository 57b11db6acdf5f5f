import { compareCodePoints, type StreamId, type UserId } from '@oxbow/contract'
import type { OrganizationRow, StreamRow, UserRow } from '../../platform/database/tables.ts'
import {
  buildCreationNotice,
  buildNewStreamsNotice,
  buildSubscriptionNotice,
  type Notice,
} from '../notices.ts'
import type { Subscriber } from './queries.ts'

interface SubscribeResult {
  caller: Pick<UserRow, 'id' | 'full_name'>
  organization: Pick<OrganizationRow, 'notifications_stream_id'>
  /** Users named in the request; empty if the request names none and subscribes the caller. */
  subscribers: readonly Subscriber[]
  added: ReadonlyMap<UserId, StreamRow[]>
  created: readonly StreamRow[]
  isAnnounced: boolean
}

/** Builds the notices about new subscriptions and streams, in the order of sending. */
export function buildNotices(result: SubscribeResult): Notice[] {
  const { caller, organization, created, isAnnounced } = result
  const { notifications_stream_id: news } = organization
  return [
    ...buildUserNotices(result),
    ...(isAnnounced && created.length > 0 && news !== null
      ? [buildNewStreamsNotice(news, caller, created)]
      : []),
    ...created.map(({ id }) => buildCreationNotice(id, caller)),
  ]
}

/**
 * Builds notices for users subscribed by others. New streams are left out, because their first
 * message announces them. Bots get no notices.
 */
function buildUserNotices({ caller, subscribers, added, created }: SubscribeResult): Notice[] {
  const fresh = new Set<StreamId>(created.map(({ id }) => id))
  const groups = new Map<string, { users: UserId[]; streams: StreamRow[] }>()
  for (const { id, bot_type } of subscribers) {
    const streams = (added.get(id) ?? []).filter((stream) => !fresh.has(stream.id))
    if (id === caller.id || bot_type !== null || streams.length === 0) continue
    const key = streams.map((stream) => stream.id).join()
    const group = groups.get(key) ?? { users: [], streams: streams.toSorted(compareNames) }
    group.users.push(id)
    groups.set(key, group)
  }
  return [...groups.values()].map(({ users, streams }) => buildSubscriptionNotice(users, caller, streams))
}

const compareNames = (a: StreamRow, b: StreamRow): number => compareCodePoints(a.name, b.name)
