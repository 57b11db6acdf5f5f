import { markConversationRead } from './mark-read.ts'

/** Marks all messages of a stream, or of one of its topics, as read, and offers to undo it. */
export const markStreamRead = (stream_id: number, topic?: string): Promise<void> =>
  markConversationRead({ type: 'stream', stream_id, ...(topic !== undefined && { topic }) })
