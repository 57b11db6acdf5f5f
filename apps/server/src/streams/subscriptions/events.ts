import type { InheritedSetting, OrganizationId, UserId } from '@oxbow/contract'
import type { Audience, Effect, Emission } from '../../events/record.ts'
import type { StreamRow } from '../../platform/database/tables.ts'
import type { SubscriberPart } from './event-shape.ts'
import type { InheritedSettings } from './queries.ts'
import type { SubscribedStream } from './views.ts'

/**
 * Builds one record for all users who were subscribed. It contains the common fields once, and a
 * part for each user. The streams' subscribers, up to a hundred thousand, are added at delivery.
 */
export function subscriptionsAdded(
  organization_id: OrganizationId,
  streams: readonly SubscribedStream[],
  parts: Readonly<Record<number, SubscriberPart>>,
  effects: readonly Effect[],
): Emission {
  return {
    organization_id,
    event: { type: 'subscription', op: 'add', streams },
    to: { users: Object.keys(parts).map(Number) as UserId[] },
    parts,
    effects,
  }
}

export function subscriptionsRemoved(
  organization_id: OrganizationId,
  users: readonly UserId[],
  streams: readonly Pick<StreamRow, 'id' | 'name'>[],
): Emission {
  const subscriptions = streams.map(({ id, name }) => ({ name, stream_id: id }))
  return { organization_id, event: { type: 'subscription', op: 'remove', subscriptions }, to: { users } }
}

/**
 * Builds one record about all new subscribers; queues get one event for each of them. The new
 * subscribers themselves get the complete list in another event.
 */
export function peersAdded(stream: StreamRow, users: readonly UserId[], to: Audience): Emission {
  return peersChanged('peer_add', stream, users, { ...to, except: users })
}

/**
 * Builds one record about all users who left a stream. If several users left together, they get it
 * too, as far as they may still see the list of subscribers.
 */
export function peersRemoved(stream: StreamRow, users: readonly UserId[], to: Audience): Emission {
  return peersChanged('peer_remove', stream, users, users.length === 1 ? { ...to, except: users } : to)
}

function peersChanged(
  op: 'peer_add' | 'peer_remove',
  { organization_id, id }: StreamRow,
  user_ids: readonly UserId[],
  to: Audience,
): Emission {
  return {
    organization_id,
    event: { type: 'subscription', op, stream_id: id, user_ids },
    to,
    eventCount: user_ids.length,
  }
}

export interface ChangedProperty {
  property: string
  /** Null if the setting of the account applies again. */
  value: string | boolean | null
}

export function subscriptionUpdated(
  stream: StreamRow,
  owner: { id: UserId; email: string; inherited: InheritedSettings | undefined },
  { property, value }: ChangedProperty,
): Emission {
  const { organization_id, id, name } = stream
  const { email, inherited } = owner
  const applying = value === null && { inherited_value: inherited?.[property as InheritedSetting] ?? false }
  return {
    organization_id,
    event: { type: 'subscription', op: 'update', stream_id: id, name, email, property, value, ...applying },
    to: { users: [owner.id] },
  }
}

/**
 * Builds one record for all streams that inherit a changed setting of the account. Queues of
 * clients that do not support null settings get one event per stream. Other queues get no event.
 */
export function inheritedChanged(
  owner: { organization_id: OrganizationId; id: UserId; email: string },
  streams: readonly Pick<StreamRow, 'id' | 'name'>[],
  changed: { property: InheritedSetting; value: boolean },
): Emission {
  const { organization_id, id, email } = owner
  const inheriting = streams.map((stream) => ({ stream_id: stream.id, name: stream.name }))
  return {
    organization_id,
    event: { type: 'subscription', op: 'update', inheriting, email, ...changed },
    to: { users: [id] },
    eventCount: inheriting.length,
  }
}
