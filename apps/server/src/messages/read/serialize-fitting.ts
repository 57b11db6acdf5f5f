import type { FetchedMessage } from '@oxbow/contract'
import { mapYielding } from '../../platform/map-yielding.ts'
import type { Viewer } from './create-message-viewer.ts'
import { maxPageBytes } from './fitting-messages.ts'
import type { Side } from './shown-message.ts'

/**
 * The number of messages that a response has even if they are larger than `maxPageBytes`: the anchor and a message
 * beside it, without which a client could not read on.
 */
const minMessages = 2

/** Maximum size of a message, so that `minMessages` of them fit. Only imported messages can have more. */
const maxMessageBytes = maxPageBytes / minMessages

/** A message as it is sent. */
interface SerializedMessage {
  id: number
  side: Side
  json: string
}

/**
 * Serializes messages in their order as long as they have at most `maxPageBytes` together, because the database has
 * only estimated their sizes.
 */
export async function serializeFitting({ messages, view }: Viewer): Promise<SerializedMessage[]> {
  let bytes = 0
  let count = 0
  const serialized = await mapYielding(messages, (message) => {
    if (bytes > maxPageBytes) return []
    const json = serialize(view(message))
    bytes += Buffer.byteLength(json) + 1
    count++
    return bytes <= maxPageBytes || count <= minMessages ? [{ id: message.id, side: message.side, json }] : []
  })
  return serialized.flat()
}

/** Serializes a message, without its edits, reactions and submessages if it is too large with them. */
function serialize(message: FetchedMessage): string {
  const json = JSON.stringify(message)
  if (Buffer.byteLength(json) < maxMessageBytes) return json
  const bare = { ...message, reactions: [], submessages: [] }
  return JSON.stringify(message.edit_history ? { ...bare, edit_history: [] } : bare)
}
