import { markConversationRead } from './mark-read.ts'

/** Marks all messages of a stream as read, or those of one topic, and offers to undo it. */
export const markStreamRead = (stream_id: number, topic?: string): Promise<void> =>
  markConversationRead({ type: 'stream', stream_id, ...(topic !== undefined && { topic }) })
