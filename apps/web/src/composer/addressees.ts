import type { StreamId, UserId } from '@oxbow/contract'
import type { Target } from '../client/conversations/target.ts'
import { peopleSearch } from '../client/people/people-search.ts'
import { ownId } from '../client/store.ts'
import { kindOf, streamsById } from '../client/streams/streams.ts'
import { firstLine } from '../message-text/first-line.ts'
import { findBest } from '../text/match-name.ts'
import { t } from '../text/t.ts'
import { rankPeople, type Suggestion } from './suggest.ts'

/** A stream or a person that a new message can be sent to. */
export type Addressee = AddresseeStream | AddresseePerson

interface AddresseeStream extends Suggestion {
  readonly type: 'stream'
  readonly id: StreamId
}

interface AddresseePerson extends Suggestion {
  readonly type: 'person'
  readonly id: UserId
}

const maxShown = 8

/** Lists matching streams and people. Those of the kind `first` are listed first. Reads signals. */
export function listAddressees(
  query: string,
  first: 'stream' | 'private',
  chosen: readonly Addressee[],
): Addressee[] {
  const taken = new Set(chosen.map(({ key }) => key))
  const streams = chosen.length > 0 ? [] : listStreams(query)
  const people = listPeople(query)
  return [...(first === 'stream' ? streams : people), ...(first === 'stream' ? people : streams)]
    .filter(({ key }) => !taken.has(key))
    .slice(0, maxShown)
}

function listStreams(query: string): AddresseeStream[] {
  return findBest(streamsById.value.values(), query, maxShown, {
    namesOf: ({ name }) => [name],
    tierOf: ({ is_muted }) => (is_muted ? 1 : 0),
  }).map((stream) => ({
    key: `stream ${stream.stream_id}`,
    type: 'stream',
    id: stream.stream_id,
    title: stream.name,
    detail: firstLine(stream.rendered_description) || undefined,
    insert: '',
    picture: { kind: 'stream', shape: kindOf(stream), color: stream.color },
  }))
}

/** Lists matching active people, best match first, without the excluded ones. Reads signals. */
export function listPeople(query: string, isExcluded?: (user_id: UserId) => boolean): AddresseePerson[] {
  const tierOf = rankPeople({ type: 'private', user_ids: [] })
  return peopleSearch
    .find(query, maxShown, (person) => (isExcluded?.(person.user_id) ? undefined : tierOf(person)))
    .map(({ item: { user_id, full_name, avatar_url, is_bot } }) => ({
      key: `person ${user_id}`,
      type: 'person',
      id: user_id,
      title: full_name,
      detail: user_id === ownId.value ? t('typeahead.you') : is_bot ? t('typeahead.bot') : undefined,
      insert: '',
      picture: { kind: 'person', user_id, url: avatar_url },
    }))
}

/** Returns the target of the chosen addressees; undefined if none is chosen. */
export function targetFor(chosen: readonly Addressee[]): Target | undefined {
  const [first] = chosen
  if (!first) return undefined
  return first.type === 'stream'
    ? { type: 'stream', stream_id: first.id }
    : { type: 'private', user_ids: chosen.flatMap((each) => (each.type === 'person' ? [each.id] : [])) }
}
