import type { StreamId } from '@oxbow/contract'
import type { EventShape } from '../../events/event-shape.ts'
import { listMembersAt } from '../members/queries.ts'
import { withMembers } from '../members/views.ts'
import type { InheritedSettings, PersonalSettings } from './queries.ts'
import { type SubscribedStream, viewPersonalSettings } from './views.ts'

/** What one account is told of the streams that it comes into. */
export interface OwnPart {
  /** The place of the stream in the record, and what differs from a new subscription. */
  own: [place: number, color: string, changed?: Partial<PersonalSettings>][]
  /** What differs from what every account has at first. */
  inherited?: Partial<InheritedSettings>
}

export const newSubscription: Omit<PersonalSettings, 'color'> = {
  is_muted: false,
  pin_to_top: false,
  desktop_notifications: null,
  audible_notifications: null,
  push_notifications: null,
  email_notifications: null,
  wildcard_mentions_notify: null,
}

export const usuallyInherited: InheritedSettings = {
  desktop_notifications: false,
  audible_notifications: false,
  push_notifications: false,
  email_notifications: false,
  wildcard_mentions_notify: true,
}

interface Added {
  op: 'add'
  streams: SubscribedStream[]
}

interface Peers {
  op: 'peer_add' | 'peer_remove'
  stream_id: StreamId
  user_ids: number[]
}

interface Inheriting {
  op: 'update'
  inheriting: { stream_id: StreamId; name: string }[]
}

/** To clients that know null the settings of the streams are what they were. */
function spellOut({ inheriting, ...update }: Inheriting): object[] {
  return inheriting.map((stream) => ({ ...update, ...stream }))
}

const keepsNull = 'null'

export const subscriptionEventShape: EventShape = {
  type: 'subscription',
  variant: ({ notification_settings_null }) => (notification_settings_null ? keepsNull : ''),
  load(db, organization_id, { event, header, outboxId }) {
    if (!header.parts) return undefined
    const { streams } = JSON.parse(event ?? '{}') as Added
    const ids = streams.map(({ stream_id }) => stream_id)
    return listMembersAt(db, organization_id, ids, outboxId)
  },
  render(event, variant) {
    if ('inheriting' in event) return variant === keepsNull ? [] : spellOut(event as unknown as Inheriting)
    if (!('user_ids' in event)) return [event]
    const { user_ids, ...peer } = event as unknown as Peers
    return user_ids.map((user_id) => ({ ...peer, user_id }))
  },
  renderForAccount(event, part, variant, loaded) {
    const { streams } = event as unknown as Added
    const { own, inherited } = part as OwnPart
    const defaults = variant === keepsNull ? undefined : { ...usuallyInherited, ...inherited }
    const subscriptions = own.map(([place, color, changed]) => {
      const stream = streams[place] as SubscribedStream
      const settings = viewPersonalSettings({ ...newSubscription, ...changed, color }, defaults)
      return withMembers({ ...stream, ...settings }, loaded?.get(stream.stream_id))
    })
    return [`{"type":"subscription","op":"add","subscriptions":[${subscriptions.join()}]}`]
  },
}
