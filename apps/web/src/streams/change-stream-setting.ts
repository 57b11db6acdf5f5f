import type { Subscription } from '@oxbow/contract'
import { awaitOrShowRefusal } from '../client/act.ts'
import { client } from '../client/client.ts'
import { applyOptimistically, type PendingEvent } from '../client/pending.ts'
import { ownEmail } from '../client/store.ts'

/** Settings that each subscriber has for a stream. */
export type StreamSetting = keyof Pick<
  Subscription,
  | 'color'
  | 'is_muted'
  | 'pin_to_top'
  | 'desktop_notifications'
  | 'audible_notifications'
  | 'push_notifications'
  | 'email_notifications'
  | 'wildcard_mentions_notify'
>

/** Changes one of the user's settings for a stream, optimistically. */
export async function changeStreamSetting<Name extends StreamSetting>(
  { stream_id, name }: Pick<Subscription, 'stream_id' | 'name'>,
  property: Name,
  value: Subscription[Name],
): Promise<boolean> {
  // Events carry the opposite of `is_muted`, under its older name.
  const setting: StreamSetting = property
  const changed =
    setting === 'is_muted'
      ? { property: 'in_home_view' as const, value: !value }
      : { property: setting, value }
  const event: PendingEvent = {
    type: 'subscription',
    op: 'update',
    stream_id,
    name,
    email: ownEmail.peek() ?? '',
    ...changed,
  }
  return awaitOrShowRefusal(
    applyOptimistically([event], (options) =>
      client.subscriptions.setProperties({ subscription_data: [{ stream_id, property, value }] }, options),
    ),
  )
}
