import { activePeople } from '../data/people.ts'
import { ownId, ownName } from '../data/store.ts'
import { knownStreams } from '../data/streams.ts'
import type { Names } from './query.ts'

const isSame = (one: string, other: string): boolean =>
  one.localeCompare(other, undefined, { sensitivity: 'base' }) === 0

/** Finds streams and people by their full typed name; `me` is the reader. */
export const typedNames: Names = {
  findStream(name) {
    const stream = knownStreams.value.values().find((each) => isSame(each.name, name))
    return stream && { stream_id: stream.stream_id, name: stream.name }
  },
  findPerson(name) {
    if (name === 'me') return { user_ids: [ownId.value ?? 0], label: ownName.value ?? '' }
    const person = activePeople.value.find((each) => isSame(each.full_name, name))
    return person && { user_ids: [person.user_id], label: person.full_name }
  },
}
