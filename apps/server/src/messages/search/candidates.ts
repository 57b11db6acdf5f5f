import type { MessageText } from '@oxbow/search'
import { type RawBuilder, sql } from 'kysely'
import type { Direction } from '../read/index-walk.ts'
import type { Reader } from '../visibility.ts'

/** A message that the database found. It may match; `matchMessage` decides by its text. */
export interface Candidate extends MessageText {
  id: number
}

/** Selects candidates older or newer than the id `from`. */
export type SelectCandidates = (from: number, limit: number) => RawBuilder<Candidate>

export const sortOrder = (to: Direction['to']) => (to === 'older' ? sql`desc` : sql`asc`)

/** Selects the texts of these messages, nearest first. */
export function selectCandidates(
  { organization_id }: Reader,
  ids: RawBuilder<{ id: number }>,
  to: Direction['to'],
  limit: number,
): RawBuilder<Candidate> {
  return sql<Candidate>`
    with hit as materialized (${ids})
    select m.id, m.topic, m.content, m.rendered_content from hit
    join message m on m.organization_id = ${organization_id} and m.id = hit.id
    order by m.id ${sortOrder(to)} limit ${limit}`
}
