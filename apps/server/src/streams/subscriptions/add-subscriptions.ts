import {
  inheritedSettings,
  isAdministrator,
  type OrganizationId,
  type StreamId,
  type UserId,
} from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import type { Effect } from '../../events/record.ts'
import type { Config } from '../../platform/config/settings.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { StreamRow } from '../../platform/database/tables.ts'
import { whoSeesMembers } from '../audiences.ts'
import { streamsCreated, streamsOccupied } from '../events.ts'
import { beginSubscriptions, type Joining } from '../members/change-members.ts'
import { listVacantStreams } from '../members/queries.ts'
import { listRecentTraffic } from '../queries.ts'
import { noteColor, takeColor, type UsedColors } from './colors.ts'
import { newSubscription, type OwnPart, usuallyInherited } from './event-shape.ts'
import { peersAdded, subscriptionsAdded } from './events.ts'
import {
  holdInheritedSettings,
  type InheritedSettings,
  type KnownSubscription,
  listSubscriptions,
  listUsedColors,
  personalColumns,
  type Subscriber,
} from './queries.ts'
import { tellOccupancy } from './tell-occupancy.ts'
import { viewSubscribedStream } from './views.ts'

/** Everyone who is to be in all of these streams. */
export interface Addition {
  organization_id: OrganizationId
  streams: readonly StreamRow[]
  subscribers: readonly Subscriber[]
  /** Colours that were asked for, by the name of the stream. */
  colors?: ReadonlyMap<string, string>
}

/** By user: the streams that they are newly in, and those that they were in. */
export interface Added {
  added: ReadonlyMap<UserId, StreamRow[]>
  already: ReadonlyMap<UserId, StreamRow[]>
}

interface New {
  subscriber: Subscriber
  stream: StreamRow
  /** From when they were in it before. */
  before: KnownSubscription | undefined
}

/**
 * The one way into a stream. The streams must be held, and the roles. However many people and streams there are, the
 * number of statements is the same, and so, but for one for each stream, is that of records.
 */
export async function addSubscriptions(config: Config, tx: Tx, addition: Addition): Promise<Added> {
  const { organization_id, streams, subscribers } = addition
  const streamIds = streams.map(({ id }) => id)
  const userIds = subscribers.map(({ id }) => id)
  const known = new Map<string, KnownSubscription>()
  for (const row of await listSubscriptions(tx, organization_id, userIds, streamIds))
    known.set(`${row.user_id} ${row.stream_id}`, row)

  const pairs = subscribers.flatMap((subscriber) =>
    streams.map((stream) => ({ subscriber, stream, before: known.get(`${subscriber.id} ${stream.id}`) })),
  )
  const fresh = pairs.filter(({ before }) => !before?.is_active)
  const already = pairs.filter(({ before }) => before?.is_active)
  if (fresh.length > 0) await add(config, tx, addition, fresh)
  return { added: byUser(fresh), already: byUser(already) }
}

function byUser(pairs: readonly New[]): Map<UserId, StreamRow[]> {
  const groups = Map.groupBy(pairs, ({ subscriber }) => subscriber.id)
  return new Map([...groups].map(([id, group]) => [id, group.map(({ stream }) => stream)]))
}

async function add(config: Config, tx: Tx, addition: Addition, fresh: readonly New[]): Promise<void> {
  const { organization_id } = addition
  const vacant = await listVacantStreams(tx, organization_id, publicIds(fresh))
  const users = [...new Set(fresh.map(userOf))]
  const inherited = await holdInheritedSettings(tx, organization_id, users)
  const joining = await chooseColors(tx, addition, fresh)
  const at = await beginSubscriptions(tx, organization_id, joining)
  const byStream = Map.groupBy(fresh, ({ stream }) => stream)
  const streams = [...byStream.keys()]
  const traffic = await listRecentTraffic(
    tx,
    organization_id,
    streams.map(({ id }) => id),
  )

  const occupied = [...byStream].filter(([stream]) => vacant.has(stream.id))
  tellOccupancy(tx, organization_id, streamsOccupied, occupied)
  for (const [stream, group] of byStream) {
    // Administrators see private streams anyway.
    const users = group.filter(({ subscriber }) => !isAdministrator(subscriber.role)).map(userOf)
    if (stream.invite_only && users.length > 0) emit(tx, streamsCreated(organization_id, [stream], { users }))
  }
  const shown = streams.map((stream) => viewSubscribedStream(config, stream, traffic.get(stream.id) ?? 0))
  const effects = [...byStream].map(([stream, group]): Effect => {
    return { kind: 'subscriptions', users: group.map(userOf), stream: stream.id, subscribed: true, at }
  })
  emit(tx, subscriptionsAdded(organization_id, shown, partsOf(fresh, joining, streams, inherited), effects))
  for (const [stream, group] of byStream)
    emit(tx, peersAdded(stream, group.map(userOf), whoSeesMembers(stream)))
}

const userOf = ({ subscriber }: New): UserId => subscriber.id

function publicIds(fresh: readonly New[]): StreamId[] {
  const open = fresh.filter(({ stream }) => !stream.invite_only)
  return [...new Set(open.map(({ stream }) => stream.id))]
}

/** Who was in a stream before gets the old colour back, with everything else that they had set. */
async function chooseColors(tx: Tx, addition: Addition, fresh: readonly New[]): Promise<Joining[]> {
  const users = [...new Set(fresh.map(userOf))]
  const used = await listUsedColors(tx, addition.organization_id, users)
  const usedBy = (user: UserId): UsedColors => {
    const colors = used.get(user) ?? { colors: new Set(), streams: 0 }
    used.set(user, colors)
    return colors
  }
  for (const { subscriber, before } of fresh) if (before) noteColor(usedBy(subscriber.id), before.color)
  return fresh.map(({ subscriber, stream, before }) => {
    const { id } = subscriber
    return { user_id: id, stream_id: stream.id, color: before?.color ?? chooseColor(stream, usedBy(id)) }
  })

  function chooseColor(stream: StreamRow, taken: UsedColors): string {
    const wanted = addition.colors?.get(stream.name)
    if (wanted === undefined) return takeColor(taken)
    noteColor(taken, wanted)
    return wanted
  }
}

function partsOf(
  fresh: readonly New[],
  joining: readonly Joining[],
  streams: readonly StreamRow[],
  inheritedBy: ReadonlyMap<UserId, InheritedSettings>,
): Record<number, OwnPart> {
  const places = new Map(streams.map((stream, place) => [stream, place]))
  const parts: Record<number, OwnPart> = {}
  for (const [index, { subscriber, stream, before }] of fresh.entries()) {
    const applying = inheritedBy.get(subscriber.id) ?? subscriber
    const inherited = differences(applying, usuallyInherited, inheritedSettings)
    const part = parts[subscriber.id] ?? { own: [], ...(inherited && { inherited }) }
    parts[subscriber.id] = part
    const changed = before && differences(before, newSubscription, restored)
    const place = places.get(stream) ?? 0
    const color = joining[index]?.color ?? ''
    part.own.push(changed ? [place, color, changed] : [place, color])
  }
  return parts
}

const restored = personalColumns.filter((name) => name !== 'color')

/** Undefined where there are none. */
function differences<Values extends object, Name extends keyof Values>(
  values: Values,
  usual: Pick<Values, Name>,
  names: readonly Name[],
): Partial<Pick<Values, Name>> | undefined {
  const different = names.filter((name) => values[name] !== usual[name])
  if (different.length === 0) return undefined
  return Object.fromEntries(different.map((name) => [name, values[name]])) as Partial<Pick<Values, Name>>
}
