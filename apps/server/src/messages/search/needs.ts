import { type SearchQuery, senderWord, topicWord } from '@oxbow/search'
import { type RawBuilder, sql } from 'kysely'
import type { About } from '../read/narrow/compile.ts'

/** Of each list, any message that is looked for has at least one word. */
export type Needs = readonly (readonly number[])[]

/** What the index knows of a narrow beside the words. */
export function needsOf(query: SearchQuery, { topic, sender }: About): Needs {
  return [
    ...query.needs,
    ...(topic === undefined ? [] : [[topicWord(topic)]]),
    ...(sender === undefined ? [] : [[senderWord(sender)]]),
  ]
}

/** On a row `m` of message, wherever it came from. What was not looked at yet may hold anything. */
export function mayMatch(needs: Needs): RawBuilder<boolean> {
  const each = needs.map(
    (words) => sql`(m.words && ${words}::integer[] or m.topic_words && ${words}::integer[])`,
  )
  return sql<boolean>`(m.words is null or (${sql.join(each, sql` and `)}))`
}

/** Lists are made as long as one of these: each length is another statement to the database. */
const lengths = [1, 2, 4, 8]

/** By the index: on a row of message that is in a slice of a place. */
export function isIndexed(place: RawBuilder<unknown>, needs: Needs): RawBuilder<boolean> {
  const longest = Math.max(...needs.map(({ length }) => length))
  const length = lengths.find((each) => each >= longest) ?? longest
  const each = needs.map((words) => {
    const same = Array.from({ length }, (_, index) => words[index] ?? words[0] ?? 0)
    const keys = same.map((word) => sql`${place} | ${String(word >>> 0)}::bigint`)
    return sql`search_keys(recipient_id, sent_recipient_id, id, words, topic_words) && array[${sql.join(keys)}]`
  })
  return sql<boolean>`(${sql.join(each, sql` and `)})`
}
