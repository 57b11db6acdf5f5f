import { defaultStreams, neverSubscribed, subscriptions, unsubscribed } from '../data/store.ts'
import { findBest } from '../text/match-name.ts'
import type { Option } from '../ui/Listbox.tsx'

const maxShown = 8

/** Finds streams that invited people can join, by name. Reads signals. */
export function findStreams(query: string, chosen: readonly number[]): Option[] {
  const streams = [
    ...(subscriptions.value ?? []),
    ...(unsubscribed.value ?? []),
    ...(neverSubscribed.value ?? []),
  ].filter(({ stream_id }) => !chosen.includes(stream_id))
  return findBest(streams, query, maxShown, { namesOf: ({ name }) => [name] }).map(({ stream_id, name }) => ({
    id: String(stream_id),
    text: name,
  }))
}

/** Ids of the organization's default streams. Reads a signal. */
export const listDefaultIds = (): number[] => (defaultStreams.value ?? []).map(({ stream_id }) => stream_id)
