import type { MessageId, StreamId, UserId } from '@oxbow/contract'
import { flagBits, type WindowMessage } from '@oxbow/sdk/windows'
import type { OutboxEntry } from '../data/outbox.ts'

/**
 * Returns an unsent message in the form of a stored one. The server has not given it an id, so it
 * gets a negative one.
 */
export function echoOf(entry: OutboxEntry, index: number, own: UserId): WindowMessage {
  const { target, html, content, created_at } = entry
  const isPrivate = target.type === 'private'
  const people = isPrivate ? [...new Set([...target.user_ids, own])] : undefined
  return {
    id: (-1 - index) as MessageId,
    sender_id: own,
    timestamp: Math.floor(created_at / 1000),
    stream_id: isPrivate ? undefined : (target.stream_id as StreamId),
    topic: isPrivate ? '' : target.topic,
    topic_links: [],
    user_ids: people?.sort((a, b) => a - b) as UserId[] | undefined,
    content: html,
    is_me_message: content.startsWith('/me ') && html.startsWith('<p>/me '),
    last_edit_timestamp: undefined,
    flags: flagBits.read,
    reactions: [],
    submessages: [],
  }
}
