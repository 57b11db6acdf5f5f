import type { RawBuilder } from 'kysely'
import type { Reader } from '../visibility.ts'

/** Properties that all messages matching a narrow share and that a search can use. */
export interface SearchHints {
  /** Words in the search index that all matching messages have. */
  words?: readonly number[]
  /** Set if so few messages match that the search index is not needed. */
  isSmallSet?: true
  /**
   * The locations that can contain matching messages; absent for all locations that the reader can
   * see.
   */
  locations?: readonly SearchLocation[] | SelectLocations
}

/** A stream or conversation with the range of slices to search. */
export interface SearchLocation {
  id: number
  first: number
  last: number
}

/** Builds a query for rows with the fields of `SearchLocation`. */
export type SelectLocations = (reader: Reader, includesHistory: boolean) => RawBuilder<unknown>
