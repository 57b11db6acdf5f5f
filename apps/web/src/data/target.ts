/**
 * The destination of a message: a topic of a stream, or people. In views of a whole stream no topic
 * is chosen yet.
 */
export type Target =
  | { type: 'stream'; stream_id: number; topic?: string }
  | { type: 'private'; user_ids: readonly number[] }
