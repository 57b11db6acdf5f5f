import type { Subscription } from '@oxbow/contract'
import { chooseStreamColor } from '@oxbow/contract/plain'
import { awaitOrShowRefusal } from '../client/act.ts'
import { client } from '../client/client.ts'
import { applyOptimistically, type PendingEvent } from '../client/pending.ts'
import { isGuest } from '../client/store.ts'
import { type KnownStream, streamsById } from '../client/streams/streams.ts'
import { offerUndo } from '../client/undo.ts'
import { t } from '../text/t.ts'

/** Subscribes to a stream optimistically. Returns whether the server accepted it. */
export function joinStream(stream: KnownStream): Promise<boolean> {
  const joined = asSubscription(stream)
  const event: PendingEvent = { type: 'subscription', op: 'add', subscriptions: [joined] }
  const { name, color } = joined
  return awaitOrShowRefusal(
    applyOptimistically([event], (options) =>
      client.subscriptions.subscribe({ subscriptions: [{ name, color }] }, options),
    ),
  )
}

/**
 * Returns the subscription that joining a stream creates: with the settings of an earlier
 * subscription, or else the defaults.
 */
function asSubscription(stream: KnownStream): Subscription {
  if ('color' in stream) return stream
  const own = [...streamsById.peek().values()]
  return {
    ...stream,
    color: chooseStreamColor(new Set(own.map(({ color }) => color)), own.length),
    is_muted: false,
    in_home_view: true,
    pin_to_top: false,
    desktop_notifications: null,
    audible_notifications: null,
    push_notifications: null,
    email_notifications: null,
    wildcard_mentions_notify: null,
    email_address: '',
  }
}

/** Whether a person who leaves the stream can return only if someone else adds them. */
export const isFinalToLeave = ({ invite_only }: KnownStream): boolean =>
  invite_only || isGuest.peek() === true

/** Unsubscribes from a stream optimistically, and offers to undo it if the user could rejoin. */
export async function leaveStream(stream: KnownStream): Promise<boolean> {
  const { stream_id, name } = stream
  const event: PendingEvent = {
    type: 'subscription',
    op: 'remove',
    subscriptions: [{ stream_id, name }],
  }
  const isDone = await awaitOrShowRefusal(
    applyOptimistically([event], (options) =>
      client.subscriptions.unsubscribe({ subscriptions: [name] }, options),
    ),
  )
  if (isDone && !isFinalToLeave(stream))
    offerUndo(t('streams.left', { stream: name }), () => void joinStream(stream))
  return isDone
}
