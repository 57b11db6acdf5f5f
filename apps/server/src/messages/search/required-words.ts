import type { SearchQuery } from '@oxbow/search'
import { type RawBuilder, sql } from 'kysely'
import type { SearchHints } from './search-hints.ts'

/** Lists of alternative words. A matching message has at least one word of each list. */
export type RequiredWords = readonly (readonly number[])[]

/** Lists the words that the index must find: the words of the query and of the narrow. */
export function listRequiredWords(query: SearchQuery, { words = [] }: SearchHints): RequiredWords {
  return [...query.needs, ...words.map((word) => [word])]
}

/**
 * SQL condition on a row `m` of message: the message has the required words or is not indexed yet.
 */
export function canMatch(needs: RequiredWords): RawBuilder<boolean> {
  const alternatives = needs.map(
    (words) => sql`(m.words && ${words}::integer[] or m.topic_words && ${words}::integer[])`,
  )
  return sql<boolean>`(m.words is null or (${sql.join(alternatives, sql` and `)}))`
}

/**
 * Lists are padded to one of these lengths, because each length needs its own prepared statement.
 */
const paddedLengths = [1, 2, 4, 8]

/**
 * Builds the condition that a message in this slice of a location has the words, in the form that
 * the search index supports.
 */
export function hasIndexedWords(location: RawBuilder<unknown>, needs: RequiredWords): RawBuilder<boolean> {
  const maxLength = Math.max(...needs.map(({ length }) => length))
  const length = paddedLengths.find((alternatives) => alternatives >= maxLength) ?? maxLength
  const alternatives = needs.map((words) => {
    const padded = Array.from({ length }, (_, index) => words[index] ?? words[0] ?? 0)
    const keys = padded.map((word) => sql`${location} | ${String(word >>> 0)}::bigint`)
    return sql`search_keys(recipient_id, sent_recipient_id, id, words, topic_words) && array[${sql.join(keys)}]`
  })
  return sql<boolean>`(${sql.join(alternatives, sql` and `)})`
}
