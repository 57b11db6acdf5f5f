import { computed, signal } from '@preact/signals'
import { rankPeople } from '../composer/suggest.ts'
import { activePeople, type Person } from '../data/people.ts'
import { type KnownStream, knownStreams, streamsById } from '../data/streams.ts'
import { type Match, NameIndex } from './match.ts'

/** Folding names takes at most this long between two frames. */
const sliceMs = 8

/** Increases with every batch of folded names, so that rows appear as they are found. */
const slices = signal(0)

const people = computed(() => new NameIndex(activePeople.value, ({ full_name }) => full_name))
const streams = computed(() => new NameIndex(knownStreams.value.values(), ({ name }) => name))

/** Folds the names of people and streams between frames. Returns a function that stops it. */
export function prepareNames(): () => void {
  let timer: ReturnType<typeof setTimeout>
  const prepare = () => {
    const index = streams.value.isReady ? people.value : streams.value
    index.prepare(sliceMs)
    slices.value++
    if (!people.value.isReady || !streams.value.isReady) timer = setTimeout(prepare)
  }
  prepare()
  return () => clearTimeout(timer)
}

/** Subscribed streams come first, muted ones after them, then all others. */
function tierOfStream({ stream_id }: KnownStream): number {
  const own = streamsById.value.get(stream_id)
  return own ? (own.is_muted ? 1 : 0) : 2
}

/** Finds streams by name, subscribed ones first. Reads signals. */
export function findStreams(query: string, count: number): Match<KnownStream>[] {
  slices.value
  streams.value.prepare(sliceMs)
  return streams.value.find(query, count, tierOfStream)
}

/** Finds people by name, those with private conversations first. Reads signals. */
export function findPeople(query: string, count: number): Match<Person>[] {
  slices.value
  people.value.prepare(sliceMs)
  return people.value.find(query, count, rankPeople({ type: 'private', user_ids: [] }))
}
