import type { StreamId } from '@oxbow/contract'
import type { EventShape } from '../../events/event-shape.ts'
import { listMembersAt } from '../members/queries.ts'
import { withMembers } from '../members/views.ts'
import { withLaterFields } from '../views.ts'
import type { InheritedSettings, PersonalSettings } from './queries.ts'
import { type SubscribedStream, viewPersonalSettings } from './views.ts'

/** The part of the event for one account that was subscribed. */
export interface SubscriberPart {
  /**
   * For each stream: its index in the record, its colour, and the settings that differ from the
   * defaults.
   */
  own: [index: number, color: string, changed?: Partial<PersonalSettings>][]
  /** Notification settings of the account that differ from the defaults. */
  inherited?: Partial<InheritedSettings>
}

export const defaultPersonalSettings: Omit<PersonalSettings, 'color'> = {
  is_muted: false,
  pin_to_top: false,
  desktop_notifications: null,
  audible_notifications: null,
  push_notifications: null,
  email_notifications: null,
  wildcard_mentions_notify: null,
}

export const defaultInheritedSettings: InheritedSettings = {
  desktop_notifications: false,
  audible_notifications: false,
  push_notifications: false,
  email_notifications: false,
  wildcard_mentions_notify: true,
}

type AddedStreams = {
  op: 'add'
  streams: SubscribedStream[]
}

type PeerChange = {
  op: 'peer_add' | 'peer_remove'
  stream_id: StreamId
  user_ids: number[]
}

type InheritedUpdate = {
  op: 'update'
  inheriting: { stream_id: StreamId; name: string }[]
}

/** A setting of a stream was reset to null, so that the account's value applies. */
type SettingReset = {
  op: 'update'
  value: null
  inherited_value: boolean
}

type OtherChange = { op: 'update' | 'remove' }

/** The `subscription` events that actions emit. */
type SubscriptionEvent = AddedStreams | PeerChange | InheritedUpdate | SettingReset | OtherChange

/** Returns one event per stream, for clients that do not support null settings. */
function expandInheritedUpdate({ inheriting, ...update }: InheritedUpdate): object[] {
  return inheriting.map((stream) => ({ ...update, ...stream }))
}

const nullVariant = 'null'

export const subscriptionEventShape: EventShape<SubscriptionEvent> = {
  type: 'subscription',
  variant: ({ notification_settings_null }) => (notification_settings_null ? nullVariant : ''),
  load(db, organization_id, { event, header, outboxId }) {
    if (!header.parts) return undefined
    const { streams } = JSON.parse(event ?? '{}') as AddedStreams
    const ids = streams.map(({ stream_id }) => stream_id)
    return listMembersAt(db, organization_id, ids, outboxId)
  },
  render(event, variant) {
    if ('inheriting' in event) return variant === nullVariant ? [] : expandInheritedUpdate(event)
    if ('inherited_value' in event) {
      const { inherited_value, ...update } = event
      return [variant === nullVariant ? update : { ...update, value: inherited_value }]
    }
    if (!('user_ids' in event)) return [event]
    const { user_ids, ...peer } = event
    return user_ids.map((user_id) => ({ ...peer, user_id }))
  },
  renderForAccount(event, part, variant, loaded) {
    if (!('streams' in event)) throw new Error('only added subscriptions have a part for each account')
    const { streams } = event
    const { own, inherited } = part as SubscriberPart
    const defaults = variant === nullVariant ? undefined : { ...defaultInheritedSettings, ...inherited }
    const subscriptions = own.map(([index, color, changed]) => {
      const stream = withLaterFields(streams[index] as SubscribedStream)
      const settings = viewPersonalSettings({ ...defaultPersonalSettings, ...changed, color }, defaults)
      return withMembers({ ...stream, ...settings }, loaded?.get(stream.stream_id))
    })
    return [`{"type":"subscription","op":"add","subscriptions":[${subscriptions.join()}]}`]
  },
}
