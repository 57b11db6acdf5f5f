import type { Person } from '../client/people/people.ts'
import { peopleSearch } from '../client/people/people-search.ts'
import { type KnownStream, knownStreams, streamsById } from '../client/streams/streams.ts'
import { rankPeople } from '../composer/suggest.ts'
import type { Match } from '../text/name-index.ts'
import { NameSearch } from '../text/name-search.ts'

const streamSearch = new NameSearch<KnownStream>(
  () => knownStreams.value.values(),
  ({ name }) => name,
)

/** Starts to index the names of people and streams, so that the first typed letter finds them. */
export function prepareNames(): void {
  streamSearch.prepare()
  peopleSearch.prepare()
}

/** Subscribed streams come first, muted ones after them, then all others. */
function tierOfStream({ stream_id }: KnownStream): number {
  const own = streamsById.value.get(stream_id)
  return own ? (own.is_muted ? 1 : 0) : 2
}

/** Finds streams by name, subscribed ones first. Reads signals. */
export const findStreams = (query: string, count: number): Match<KnownStream>[] =>
  streamSearch.find(query, count, tierOfStream)

/** Finds people by name, those with private conversations first. Reads signals. */
export const findPeople = (query: string, count: number): Match<Person>[] =>
  peopleSearch.find(query, count, rankPeople({ type: 'private', user_ids: [] }))
