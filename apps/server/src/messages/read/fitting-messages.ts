import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../visibility.ts'

/**
 * Maximum size of the messages of one response in bytes, so that the whole response stays below 8 MB. A message
 * at all of its limits has less than half of this, so clients that read page by page always make progress.
 */
export const maxPageBytes = 7_900_000

/** The texts of messages that a response needs: their HTML, their Markdown source, or both for a search. */
export type MessageTexts = 'html' | 'source' | 'both'

/** Bytes that a message takes in a response besides its text, members, edits, reactions and submessages. */
const bytesBesideText = 700
const bytesPerMember = 150

/** With a search, the response has the HTML twice: plain, and with highlights. */
const textBytes: Record<MessageTexts, RawBuilder<unknown>> = {
  html: sql`octet_length(m.rendered_content)`,
  source: sql`octet_length(m.content)`,
  both: sql`octet_length(m.content) + 2 * octet_length(m.rendered_content)`,
}

/** SQL expression for the approximate size of a row `m` of message in a response, without its members and the like. */
export const messageBytes = (texts: MessageTexts): RawBuilder<unknown> =>
  sql`(${sql.lit(bytesBesideText)} + ${textBytes[texts]})`

/**
 * Builds the common table expressions `page`, with the columns `id` and `side` of the given query, and `fitting`, with
 * those of its messages that may be read: from the anchor outwards, up to the first one with which they have about
 * `maxPageBytes`. The texts of the others are not even read, because a page of 5,000 messages can have half a gigabyte.
 */
export function selectFitting(
  { organization_id }: Reader,
  page: RawBuilder<unknown>,
  texts: MessageTexts,
): RawBuilder<unknown> {
  return sql`
    page as materialized (${page}),
    fitting as (
      select id, side from (
        select id, side, sum(bytes) over (order by distance, id) - bytes as nearer_bytes
        from (
          select page.id, page.side,
            case page.side when 'anchor' then 0 else row_number() over (
              partition by page.side order by case page.side when 'before' then -page.id else page.id end) end as distance,
            ${messageBytes(texts)} + ${sql.lit(bytesPerMember)} * coalesce(cardinality(c.members), 0) as bytes
          from page
          join message m on m.organization_id = ${organization_id} and m.id = page.id
          left join conversation c on m.is_private
            and c.organization_id = m.organization_id and c.id = m.recipient_id
        ) as placed
      ) as measured
      where nearer_bytes < ${sql.lit(maxPageBytes)}
    )`
}
