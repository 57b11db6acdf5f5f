import type { SearchQuery } from '@oxbow/search'
import { type RawBuilder, sql } from 'kysely'
import type { SearchHints } from './search-hints.ts'

/** Each matching message has at least one word of each list. */
export type RequiredWords = readonly (readonly number[])[]

/** Lists the words that the index must find: those of the query, and those of the narrow. */
export function listRequiredWords(query: SearchQuery, { words = [] }: SearchHints): RequiredWords {
  return [...query.needs, ...words.map((word) => [word])]
}

/** Condition on a row `m` of message. A message that is not yet indexed may match anything. */
export function canMatch(needs: RequiredWords): RawBuilder<boolean> {
  const alternatives = needs.map(
    (words) => sql`(m.words && ${words}::integer[] or m.topic_words && ${words}::integer[])`,
  )
  return sql<boolean>`(m.words is null or (${sql.join(alternatives, sql` and `)}))`
}

/**
 * Lists are padded to one of these lengths, because each length makes a different prepared
 * statement.
 */
const paddedLengths = [1, 2, 4, 8]

/** Condition that the search index can answer, on a row of message in a slice of a location. */
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
