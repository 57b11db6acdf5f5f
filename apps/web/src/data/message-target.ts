import type { WindowMessage } from '@oxbow/sdk/windows'
import type { SendTarget } from './outbox-entry.ts'
import { othersOf } from './people.ts'
import { targetKey } from './target-key.ts'

/** Where an answer to a message goes. */
export const targetOf = ({ stream_id, topic, user_ids }: WindowMessage): SendTarget =>
  stream_id === undefined
    ? { type: 'private', user_ids: othersOf(user_ids ?? []) }
    : { type: 'stream', stream_id, topic }

/** Identifies the conversation of a message. */
export const conversationKey = (message: WindowMessage): string => targetKey(targetOf(message))
