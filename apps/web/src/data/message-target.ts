import type { WindowMessage } from '@oxbow/sdk/windows'
import type { SendTarget } from './outbox-entry.ts'
import { othersOf } from './people.ts'
import { targetKey } from './target-key.ts'

/** Returns the target of a reply to a message. */
export const targetOf = ({ stream_id, topic, user_ids }: WindowMessage): SendTarget =>
  stream_id === undefined
    ? { type: 'private', user_ids: othersOf(user_ids ?? []) }
    : { type: 'stream', stream_id, topic }

/** Returns a key that identifies the conversation of a message. */
export const conversationKey = (message: WindowMessage): string => targetKey(targetOf(message))
