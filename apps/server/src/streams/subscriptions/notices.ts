import { compareCodePoints, type StreamId, type UserId } from '@oxbow/contract'
import type { OrganizationRow, StreamRow, UserRow } from '../../platform/database/tables.ts'
import { type Notice, noticeOfCreation, noticeOfNewStreams, noticeOfSubscription } from '../notices.ts'
import type { Subscriber } from './queries.ts'

interface Subscribed {
  caller: Pick<UserRow, 'id' | 'full_name'>
  organization: Pick<OrganizationRow, 'notifications_stream_id'>
  /** Whom the call named; nobody where the caller subscribed themselves. */
  subscribers: readonly Subscriber[]
  added: ReadonlyMap<UserId, StreamRow[]>
  created: readonly StreamRow[]
  isAnnounced: boolean
}

/** What is to be said after people were subscribed, in order. */
export function noticesOf(given: Subscribed): Notice[] {
  const { caller, organization, created, isAnnounced } = given
  const { notifications_stream_id: news } = organization
  return [
    ...noticesToPeople(given),
    ...(isAnnounced && created.length > 0 && news !== null
      ? [noticeOfNewStreams(news, caller, created)]
      : []),
    ...created.map(({ id }) => noticeOfCreation(id, caller)),
  ]
}

/** Of streams that are new, everyone in them hears there. Bots need no word. */
function noticesToPeople({ caller, subscribers, added, created }: Subscribed): Notice[] {
  const fresh = new Set<StreamId>(created.map(({ id }) => id))
  const groups = new Map<string, { users: UserId[]; streams: StreamRow[] }>()
  for (const { id, bot_type } of subscribers) {
    const streams = (added.get(id) ?? []).filter((stream) => !fresh.has(stream.id))
    if (id === caller.id || bot_type !== null || streams.length === 0) continue
    const key = streams.map((stream) => stream.id).join()
    const group = groups.get(key) ?? { users: [], streams: streams.toSorted(byName) }
    group.users.push(id)
    groups.set(key, group)
  }
  return [...groups.values()].map(({ users, streams }) => noticeOfSubscription(users, caller, streams))
}

const byName = (a: StreamRow, b: StreamRow): number => compareCodePoints(a.name, b.name)
