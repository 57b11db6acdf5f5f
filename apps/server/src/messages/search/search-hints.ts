import type { RawBuilder } from 'kysely'
import type { Reader } from '../visibility.ts'

/** Properties of all messages that match a narrow, as far as a search can use them. */
export interface SearchHints {
  /** Words of the search index that every matching message has. */
  words?: readonly number[]
  /** Few messages match, so that they are read without the search index. */
  isSmallSet?: true
  /** The only locations with matching messages; absent where all that the reader sees may have some. */
  locations?: readonly SearchLocation[] | SelectLocations
}

/** A stream or conversation, with the range of time slices to search. */
export interface SearchLocation {
  id: number
  first: number
  last: number
}

/** Selects rows with the fields of `SearchLocation`. */
export type SelectLocations = (reader: Reader, includesHistory: boolean) => RawBuilder<unknown>
