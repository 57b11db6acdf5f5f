import type { MessageId, Stream, StreamId } from '@oxbow/contract'
import { withFields } from './shared.ts'
import type { State } from './state.ts'
import { changeLists, changeStream } from './stream-lists.ts'

/** Updates `first_message_id` of a stream if this message is older. */
export function recordFirstMessage(state: State, stream: StreamId, message: MessageId): State {
  return changeLists(state, (list) => changeStream(list, stream, (entry) => withMessage(entry, message)))
}

function withMessage<Entry extends Stream>(entry: Entry, message: MessageId): Entry {
  const { first_message_id } = entry
  return withFields<Stream>(entry, {
    first_message_id: Math.min(first_message_id ?? message, message),
  }) as Entry
}
