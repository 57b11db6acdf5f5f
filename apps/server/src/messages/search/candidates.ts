import type { MessageText } from '@oxbow/search'
import { type RawBuilder, sql } from 'kysely'
import { messageBytes } from '../read/fitting-messages.ts'
import type { Direction } from '../read/index-walk.ts'
import type { Reader } from '../visibility.ts'

/** A message that the database found. It may match; `matchMessage` decides by its text. */
export interface Candidate extends MessageText {
  id: number
  /** Its size in a response with highlights, in bytes. */
  size: number
  /** Number of messages from which this batch was cut. */
  hits: number
}

/** Maximum size of the candidates that are read at once, in bytes. */
const maxBatchBytes = 2_000_000

/** Selects candidates older or newer than the id `from`. */
export type SelectCandidates = (from: number, limit: number) => RawBuilder<Candidate>

export const sortOrder = (to: Direction['to']) => (to === 'older' ? sql`desc` : sql`asc`)

/**
 * Selects the texts of these messages, nearest first, up to the first one with which they have
 * `maxBatchBytes`.
 */
export function selectCandidates(
  { organization_id }: Reader,
  ids: RawBuilder<{ id: number }>,
  to: Direction['to'],
  limit: number,
): RawBuilder<Candidate> {
  return sql<Candidate>`
    with hit as materialized (${ids}),
    sized as (
      select m.id, m.topic, m.content, m.rendered_content, size, count(*) over ()::int as hits,
        sum(size) over (order by m.id ${sortOrder(to)}) - size as nearer_bytes
      from (select id from hit order by id ${sortOrder(to)} limit ${limit}) as near
      join message m on m.organization_id = ${organization_id} and m.id = near.id
      cross join lateral (select ${messageBytes('both')} as size) as counted
    )
    select id, topic, content, rendered_content, size::float8 as size, hits from sized
    where nearer_bytes < ${sql.lit(maxBatchBytes)}
    order by id ${sortOrder(to)}`
}
