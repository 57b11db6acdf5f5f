import {
  ApiError,
  type api,
  color,
  inheritedSettings,
  type ParamsOf,
  parseOrRefuse,
  type ResponseOf,
  type StreamId,
  type UserId,
} from '@oxbow/contract'
import { z } from 'zod'
import { emit } from '../../events/emit.ts'
import { displayEmail } from '../../identity/accounts/public-account.ts'
import { writeAs } from '../../identity/write-as.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import { lockStreamsShared } from '../../platform/database/locks.ts'
import { requireAccess } from '../access.ts'
import { listStreamsById, type StreamWithMembership } from '../queries.ts'
import { subscriptionUpdated } from './events.ts'
import {
  getSubscriber,
  type InheritedSettings,
  lockInheritedSettingsShared,
  updateSubscription,
} from './queries.ts'

type SetProperties = typeof api.subscriptions.setProperties
type Change = ParamsOf<SetProperties>['subscription_data'][number]

interface Property {
  schema: z.ZodType
  /**
   * The column if its name differs from the property's. The column then stores the opposite value.
   */
  column?: 'is_muted'
  /**
   * The name in events if it differs from the property's. The event then has the opposite value.
   */
  eventName?: 'in_home_view'
}

const flag: Property = { schema: z.boolean() }
const inheritable: Property = { schema: z.boolean().nullable() }

const properties: Record<string, Property> = {
  color: { schema: color() },
  pin_to_top: flag,
  // Two names of one setting: it is stored as `is_muted` and sent in events as `in_home_view`.
  is_muted: { ...flag, eventName: 'in_home_view' },
  in_home_view: { ...flag, column: 'is_muted' },
  ...Object.fromEntries(inheritedSettings.map((name) => [name, inheritable])),
}

export async function setProperties(
  app: App,
  actor: Actor,
  { subscription_data }: ParamsOf<SetProperties>,
): Promise<ResponseOf<SetProperties>> {
  return writeAs(app, actor, async (tx) => {
    const streams = await lockStreamsOfChanges(tx, actor, subscription_data)
    // The settings are locked before any change, so that a concurrent change of the account's
    // settings sees which streams inherit them.
    const inherited = await lockInheritedSettingsShared(tx, actor.organization_id, [actor.user_id])
    const email = displayEmail(app.config, await getSubscriber(tx, actor))
    const owner = { id: actor.user_id, email, inherited: inherited.get(actor.user_id) }
    for (const change of subscription_data)
      await setProperty(tx, actor, owner, streams.get(change.stream_id), change)
    const accepted = subscription_data.map(({ stream_id, property, value }) => ({
      stream_id,
      property,
      value,
    }))
    return { subscription_data: accepted }
  })
}

/**
 * The older endpoint, which sets one property. Its value is a string, so it can only set a colour.
 */
export async function setOneProperty(
  app: App,
  actor: Actor,
  params: ParamsOf<typeof api.subscriptions.setProperty>,
): Promise<ResponseOf<SetProperties>> {
  return setProperties(app, actor, { subscription_data: [params] })
}

/**
 * Takes shared locks on the streams, and returns them as they are then, so that events contain their
 * current names. A fixed order avoids deadlocks.
 */
async function lockStreamsOfChanges(
  tx: Tx,
  actor: Actor,
  changes: readonly Change[],
): Promise<Map<StreamId, StreamWithMembership>> {
  const found = await listStreamsById(tx, actor, [...new Set(changes.map(({ stream_id }) => stream_id))])
  const ids = found.map(({ id }) => id)
  await lockStreamsShared(tx, ids)
  return new Map((await listStreamsById(tx, actor, ids)).map((stream) => [stream.id, stream]))
}

interface Owner {
  id: UserId
  email: string
  /** Settings of the account, which apply to streams whose own setting is null. */
  inherited: InheritedSettings | undefined
}

async function setProperty(
  tx: Tx,
  actor: Actor,
  owner: Owner,
  found: StreamWithMembership | undefined,
  change: Change,
): Promise<void> {
  const { stream_id, property: name, value } = change
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined
  if (!property) throw new ApiError('UNKNOWN_SUBSCRIPTION_PROPERTY', { property: name })
  const stream = requireAccess(found, actor)
  if (stream.membership !== 'in') throw new ApiError('NOT_SUBSCRIBED', { id: stream_id })
  parseOrRefuse(property.schema, value, name)
  const { column = name, eventName = name } = property
  await updateSubscription(tx, actor, stream_id, { [column]: column === name ? value : !value })
  const changed = { property: eventName, value: eventName === name ? value : !value }
  emit(tx, subscriptionUpdated(stream, owner, changed))
}
