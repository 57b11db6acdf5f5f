import { activePeople } from '../client/people/people.ts'
import { findPersonNamed } from '../client/people/people-search.ts'
import { ownId, ownName } from '../client/store.ts'
import { knownStreams } from '../client/streams/streams.ts'
import { foldWords } from '../text/name-index.ts'
import type { Names } from './query.ts'

/**
 * Finds streams and people by their full typed name; `me` is the reader. A name that differs only in
 * case is preferred to one that differs in accents or in the characters between words.
 */
export const typedNames: Names = {
  findStream(name) {
    const streams = [...knownStreams.value.values()]
    const typed = name.toLowerCase()
    const words = foldWords(name)
    const stream =
      streams.find((each) => each.name.toLowerCase() === typed) ??
      streams.find((each) => words !== '' && foldWords(each.name) === words)
    return stream && { stream_id: stream.stream_id, name: stream.name }
  },
  findPerson(name) {
    if (name === 'me')
      return { user_ids: ownId.value === undefined ? [] : [ownId.value], label: ownName.value ?? '' }
    const words = foldWords(name)
    const person =
      findPersonNamed(name) ??
      activePeople.value.find((each) => words !== '' && foldWords(each.full_name) === words)
    return person && { user_ids: [person.user_id], label: person.full_name }
  },
}
