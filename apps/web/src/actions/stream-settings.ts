import type { Event, Subscription } from '@oxbow/contract'
import { client } from '../data/client.ts'
import { applyOptimistically } from '../data/pending.ts'
import { ownEmail } from '../data/store.ts'
import { awaitOrShowRefusal } from './act.ts'

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
  const changed = property === 'is_muted' ? { property: 'in_home_view', value: !value } : { property, value }
  const event = {
    type: 'subscription',
    op: 'update',
    stream_id,
    name,
    email: ownEmail.peek() ?? '',
    ...changed,
  } as unknown as Event
  return awaitOrShowRefusal(
    applyOptimistically([event], (options) =>
      client.subscriptions.setProperties({ subscription_data: [{ stream_id, property, value }] }, options),
    ),
  )
}
