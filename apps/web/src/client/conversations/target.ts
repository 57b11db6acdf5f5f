import type { StreamId, UserId } from '@oxbow/contract'
import { foldTopic } from '@oxbow/contract/plain'
import type { WindowMessage } from '@oxbow/sdk/windows'
import { ownId } from '../store.ts'

/**
 * The destination of a message: a topic of a stream, or people. In views of a whole stream no topic
 * is chosen yet.
 */
export type Target =
  | { type: 'stream'; stream_id: StreamId; topic?: string }
  | { type: 'private'; user_ids: readonly UserId[] }

/** A target with its topic. */
export type SendTarget =
  | { type: 'stream'; stream_id: StreamId; topic: string }
  | { type: 'private'; user_ids: readonly UserId[] }

/**
 * Returns a key for a target: `stream/12/topic/roses`, `stream/12/new` while no topic is chosen,
 * `pm/7,9`. Topics that differ only in case have the same key, as on the server.
 */
export function targetKey(target: Target): string {
  if (target.type === 'private') return `pm/${target.user_ids.toSorted((a, b) => a - b).join(',')}`
  const { stream_id, topic } = target
  return topic === undefined ? `stream/${stream_id}/new` : `stream/${stream_id}/topic/${foldTopic(topic)}`
}

/** Returns the target of a reply to a message. */
export const targetOf = ({ stream_id, topic, user_ids }: WindowMessage): SendTarget =>
  stream_id === undefined
    ? { type: 'private', user_ids: othersOf(user_ids ?? []) }
    : { type: 'stream', stream_id, topic }

/** Returns a key that identifies the conversation of a message. */
export const conversationKey = (message: WindowMessage): string => targetKey(targetOf(message))

/** Returns the other people of a private conversation; in a conversation with oneself, the user. */
export function othersOf(user_ids: readonly UserId[]): readonly UserId[] {
  const others = user_ids.filter((user_id) => user_id !== ownId.value)
  return others.length > 0 ? others : ownId.value === undefined ? [] : [ownId.value]
}
