import {
  inheritedSettings,
  isAdministrator,
  type OrganizationId,
  type StreamId,
  type UserId,
} from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import type { Effect } from '../../events/record.ts'
import { emitSightGained } from '../../identity/accounts/emit-sight.ts'
import type { Config } from '../../platform/config/settings.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { StreamRow } from '../../platform/database/tables.ts'
import { getMemberListAudience } from '../audiences.ts'
import { streamsCreated, streamsOccupied } from '../events.ts'
import { beginSubscriptions, type Joining } from '../members/change-members.ts'
import { listVacantStreams } from '../members/queries.ts'
import { listRecentTraffic } from '../queries.ts'
import { noteColor, takeColor, type UsedColors } from './colors.ts'
import { emitOccupancy } from './emit-occupancy.ts'
import { defaultInheritedSettings, defaultPersonalSettings, type SubscriberPart } from './event-shape.ts'
import { peersAdded, subscriptionsAdded } from './events.ts'
import {
  type InheritedSettings,
  listSubscriptions,
  listUsedColors,
  lockInheritedSettingsShared,
  personalColumns,
  type Subscriber,
  type SubscriptionSettings,
} from './queries.ts'
import { viewSubscribedStream } from './views.ts'

/** Users to subscribe to all of these streams. */
export interface AddRequest {
  organization_id: OrganizationId
  streams: readonly StreamRow[]
  subscribers: readonly Subscriber[]
  /** Requested colours by stream name. */
  colors?: ReadonlyMap<string, string>
}

/**
 * For each user, the streams that the request subscribed them to and the streams that they were
 * already subscribed to.
 */
export interface AddResult {
  added: ReadonlyMap<UserId, StreamRow[]>
  already: ReadonlyMap<UserId, StreamRow[]>
}

interface PendingSubscription {
  subscriber: Subscriber
  stream: StreamRow
  /** The settings of a former subscription. */
  before: SubscriptionSettings | undefined
}

/**
 * Subscribes users to streams. All subscriptions are made by this function. The streams and the
 * organization's roles must be locked. The number of statements is constant, and the number of
 * records grows only with the number of streams, not of users.
 */
export async function addSubscriptions(config: Config, tx: Tx, addition: AddRequest): Promise<AddResult> {
  const { organization_id, streams, subscribers } = addition
  const streamIds = streams.map(({ id }) => id)
  const userIds = subscribers.map(({ id }) => id)
  const settingsByKey = new Map<string, SubscriptionSettings>()
  for (const row of await listSubscriptions(tx, organization_id, userIds, streamIds))
    settingsByKey.set(`${row.user_id} ${row.stream_id}`, row)

  const pairs = subscribers.flatMap((subscriber) =>
    streams.map((stream) => ({
      subscriber,
      stream,
      before: settingsByKey.get(`${subscriber.id} ${stream.id}`),
    })),
  )
  const pending = pairs.filter(({ before }) => !before?.is_active)
  const already = pairs.filter(({ before }) => before?.is_active)
  if (pending.length > 0) await addPending(config, tx, addition, pending)
  return { added: groupByUser(pending), already: groupByUser(already) }
}

function groupByUser(pairs: readonly PendingSubscription[]): Map<UserId, StreamRow[]> {
  const groups = Map.groupBy(pairs, ({ subscriber }) => subscriber.id)
  return new Map([...groups].map(([id, group]) => [id, group.map(({ stream }) => stream)]))
}

async function addPending(
  config: Config,
  tx: Tx,
  addition: AddRequest,
  pending: readonly PendingSubscription[],
): Promise<void> {
  const { organization_id } = addition
  const vacant = await listVacantStreams(tx, organization_id, listPublicIds(pending))
  const users = [...new Set(pending.map(getUser))]
  const inherited = await lockInheritedSettingsShared(tx, organization_id, users)
  const joining = await chooseColors(tx, addition, pending)
  const at = await beginSubscriptions(tx, organization_id, joining)
  const byStream = Map.groupBy(pending, ({ stream }) => stream)
  const streams = [...byStream.keys()]
  const traffic = await listRecentTraffic(
    tx,
    organization_id,
    streams.map(({ id }) => id),
  )

  const occupied = [...byStream].filter(([stream]) => vacant.has(stream.id))
  emitOccupancy(tx, organization_id, streamsOccupied, occupied)
  for (const [stream, group] of byStream) {
    // Administrators see private streams already, so they need no event about them.
    const users = group.filter(({ subscriber }) => !isAdministrator(subscriber.role)).map(getUser)
    if (stream.invite_only && users.length > 0) emit(tx, streamsCreated(organization_id, [stream], { users }))
  }
  const subscribedStreams = streams.map((stream) =>
    viewSubscribedStream(config, stream, traffic.get(stream.id) ?? 0),
  )
  const effects = [...byStream].map(([stream, group]): Effect => {
    return { kind: 'subscriptions', users: group.map(getUser), stream: stream.id, subscribed: true, at }
  })
  emit(
    tx,
    subscriptionsAdded(
      organization_id,
      subscribedStreams,
      buildParts(pending, joining, streams, inherited),
      effects,
    ),
  )
  for (const [stream, group] of byStream)
    emit(tx, peersAdded(stream, group.map(getUser), getMemberListAudience(stream)))
  const moves = [...byStream].map(([{ id }, group]) => ({
    stream: id,
    users: group.map(({ subscriber }) => subscriber),
  }))
  await emitSightGained(tx, organization_id, moves)
}

const getUser = ({ subscriber }: PendingSubscription): UserId => subscriber.id

function listPublicIds(pending: readonly PendingSubscription[]): StreamId[] {
  const open = pending.filter(({ stream }) => !stream.invite_only)
  return [...new Set(open.map(({ stream }) => stream.id))]
}

/**
 * Chooses a colour for each subscription. Former subscribers get their old colour and other
 * settings back.
 */
async function chooseColors(
  tx: Tx,
  addition: AddRequest,
  pending: readonly PendingSubscription[],
): Promise<Joining[]> {
  const users = [...new Set(pending.map(getUser))]
  const used = await listUsedColors(tx, addition.organization_id, users)
  const usedBy = (user: UserId): UsedColors => {
    const colors = used.get(user) ?? { colors: new Set(), streams: 0 }
    used.set(user, colors)
    return colors
  }
  for (const { subscriber, before } of pending) if (before) noteColor(usedBy(subscriber.id), before.color)
  return pending.map(({ subscriber, stream, before }) => {
    const { id } = subscriber
    return { user_id: id, stream_id: stream.id, color: before?.color ?? chooseColor(stream, usedBy(id)) }
  })

  function chooseColor(stream: StreamRow, usedColors: UsedColors): string {
    const requestedColor = addition.colors?.get(stream.name)
    if (requestedColor === undefined) return takeColor(usedColors)
    noteColor(usedColors, requestedColor)
    return requestedColor
  }
}

function buildParts(
  pending: readonly PendingSubscription[],
  joining: readonly Joining[],
  streams: readonly StreamRow[],
  inheritedBy: ReadonlyMap<UserId, InheritedSettings>,
): Record<number, SubscriberPart> {
  const indexes = new Map(streams.map((stream, index) => [stream, index]))
  const parts: Record<number, SubscriberPart> = {}
  for (const [index, { subscriber, stream, before }] of pending.entries()) {
    const applying = inheritedBy.get(subscriber.id) ?? subscriber
    const inherited = pickDifferences(applying, defaultInheritedSettings, inheritedSettings)
    const part = parts[subscriber.id] ?? { own: [], ...(inherited && { inherited }) }
    parts[subscriber.id] = part
    const changed = before && pickDifferences(before, defaultPersonalSettings, restoredSettings)
    const streamIndex = indexes.get(stream) ?? 0
    const color = joining[index]?.color ?? ''
    part.own.push(changed ? [streamIndex, color, changed] : [streamIndex, color])
  }
  return parts
}

const restoredSettings = personalColumns.filter((name) => name !== 'color')

/** Returns the values that differ from `usual`, or undefined if all are equal. */
function pickDifferences<Values extends object, Name extends keyof Values>(
  values: Values,
  usual: Pick<Values, Name>,
  names: readonly Name[],
): Partial<Pick<Values, Name>> | undefined {
  const different = names.filter((name) => values[name] !== usual[name])
  if (different.length === 0) return undefined
  return Object.fromEntries(different.map((name) => [name, values[name]])) as Partial<Pick<Values, Name>>
}
