import type { RawBuilder } from 'kysely'
import type { StreamWithMembership } from '../../../streams/queries.ts'
import type { SearchHints } from '../../search/search-hints.ts'

/** A narrow, compiled to SQL conditions. */
export interface Narrow {
  /** SQL conditions on the rows `m` and `own`. A matching message meets all of them. */
  conditions: RawBuilder<boolean>[]
  /** Whether messages that the reader did not receive can match. */
  includesHistory: boolean
  /**
   * Properties that all matching messages share and that have an index. The most selective index is
   * used.
   */
  indexHints: IndexHints
  /** Texts to search for. The conditions do not include them. */
  searches: Search[]
  /**
   * Whether many pages have this form, so that their statements are planned once for each session. The texts of these
   * statements differ only by the form.
   */
  isCommon?: true
  /** Properties that all matching messages share and that a search can use. */
  search: SearchHints
  /**
   * The stream that a term of the narrow refers to, even a negated term. If it is set,
   * `first_unread` ignores whether streams are muted.
   */
  namedStream?: StreamWithMembership
}

interface Search {
  text: string
  negated: boolean
}

export interface IndexHints {
  message?: number
  stream?: StreamWithMembership
  /** The condition of `stream`, one of the narrow's conditions. */
  streamCondition?: RawBuilder<boolean>
  topic?: string
  sender?: number
  /** The id of a conversation; null if these people have no conversation. */
  conversation?: number | null
  /** The condition of `conversation`, one of the narrow's conditions. */
  conversationCondition?: RawBuilder<boolean>
  own?: 'is_starred' | 'is_mentioned' | 'has_alert_word'
  isPrivate?: true
  isUnread?: true
  isPublic?: true
  isHome?: true
  isFollowed?: true
}
