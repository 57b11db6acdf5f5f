import type { RawBuilder } from 'kysely'
import type { StreamWithMembership } from '../../../streams/queries.ts'
import type { SearchHints } from '../../search/search-hints.ts'

/** A compiled narrow. */
export interface Narrow {
  /** Conditions on `m` and `own`, all of which a matching message meets. */
  conditions: RawBuilder<boolean>[]
  /** Whether messages that the reader did not receive can match. */
  includesHistory: boolean
  /** Properties of all matching messages that have an index; the walk uses the most selective. */
  about: IndexHints
  /** Texts to search for, which the conditions do not cover. */
  searches: Search[]
  /** Properties of all matching messages that a search uses. */
  search: SearchHints
  /**
   * The stream that the narrow names, even if negated: first_unread then ignores the muting of
   * streams.
   */
  namedStream?: StreamWithMembership
}

export interface Search {
  text: string
  negated: boolean
}

export interface IndexHints {
  message?: number
  stream?: StreamWithMembership
  topic?: string
  sender?: number
  /** The id of a conversation; null where these people have none. */
  conversation?: number | null
  own?: 'is_starred' | 'is_mentioned' | 'has_alert_word'
  isPrivate?: true
  isUnread?: true
  isPublic?: true
  isHome?: true
}
