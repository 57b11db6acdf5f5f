import type { StreamId } from '@oxbow/contract'
import { markConversationRead } from '../client/messages/mark-read.ts'

/** Marks all messages of a stream, or of one of its topics, as read, and offers to undo it. */
export const markStreamRead = (stream_id: StreamId, topic?: string): Promise<void> =>
  markConversationRead({ type: 'stream', stream_id, ...(topic !== undefined && { topic }) })
