import { inheritedSettings, type Subscription, type UnsubscribedStream } from '@oxbow/contract'
import type { Config } from '../../platform/config/settings.ts'
import type { StreamRow } from '../../platform/database/tables.ts'
import { streamEmailAddress } from '../email-address.ts'
import { viewStream } from '../views.ts'
import { weeklyTraffic } from '../weekly-traffic.ts'
import type { InheritedSettings, PersonalSettings } from './queries.ts'

/** The fields of a subscription that are the same for all subscribers. */
export type SubscribedStream = UnsubscribedStream & Pick<Subscription, 'email_address'>

export function viewSubscribedStream(
  config: Config,
  stream: StreamRow,
  recentMessages: number,
): SubscribedStream {
  return {
    ...viewUnsubscribedStream(stream, recentMessages),
    email_address: streamEmailAddress(config, stream),
  }
}

export function viewUnsubscribedStream(stream: StreamRow, recentMessages: number): UnsubscribedStream {
  return {
    ...viewStream(stream),
    stream_weekly_traffic: weeklyTraffic(recentMessages, stream.created_at),
  }
}

/**
 * Builds the personal settings of a subscription. With `inherited`, null settings are replaced by
 * the inherited ones, for clients that do not support null.
 */
export function viewPersonalSettings(settings: PersonalSettings, inherited: InheritedSettings | undefined) {
  const { color, is_muted, pin_to_top } = settings
  const chosen = inheritedSettings.map((name) => [name, settings[name] ?? inherited?.[name] ?? null])
  return {
    color,
    is_muted,
    in_home_view: !is_muted,
    pin_to_top,
    ...(Object.fromEntries(chosen) as Pick<Subscription, (typeof inheritedSettings)[number]>),
  }
}
