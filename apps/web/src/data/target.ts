/** Where a message goes: to a topic of a stream, or to people. In views of a whole stream the topic is open. */
export type Target =
  | { type: 'stream'; stream_id: number; topic?: string }
  | { type: 'private'; user_ids: readonly number[] }
