import { type MessageText, matchMessage, type SearchQuery } from '@oxbow/search'
import { mapYielding } from '../../platform/map-yielding.ts'
import { refuseAfter } from './search-time.ts'

/**
 * Returns the messages that match a query, and yields to the event loop in between. Throws `NARROW_TOO_SLOW` after
 * `end`.
 */
export async function filterMatches<Message extends MessageText>(
  query: SearchQuery,
  messages: readonly Message[],
  end: number,
): Promise<Message[]> {
  const areMatches = await mapYielding(messages, (message) => {
    refuseAfter(end)
    return matchMessage(query, message) !== undefined
  })
  return messages.filter((_, index) => areMatches[index])
}
