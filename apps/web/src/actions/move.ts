import type { WindowMessage } from '@oxbow/sdk/windows'
import { client } from '../data/client.ts'

export interface Move {
  readonly stream_id: number
  readonly topic: string
  readonly scope: 'change_one' | 'change_later' | 'change_all'
  readonly notifiesOldTopic: boolean
  readonly notifiesNewTopic: boolean
}

/**
 * Moves one message, the message and all later ones of its topic, or the whole topic. Throws the
 * server's refusal.
 */
export async function moveMessages(message: WindowMessage, move: Move): Promise<void> {
  const { stream_id, topic, scope, notifiesOldTopic, notifiesNewTopic } = move
  const isOtherStream = stream_id !== message.stream_id
  await client.messages.edit({
    message_id: message.id,
    ...(isOtherStream && { stream_id: stream_id as never }),
    topic: topic.trim(),
    propagate_mode: scope,
    send_notification_to_old_thread: notifiesOldTopic,
    send_notification_to_new_thread: notifiesNewTopic,
  })
}
