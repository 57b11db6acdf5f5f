import { sql } from 'kysely'
import type { App } from '../app.ts'
import { type SealBinding, sealHeaderBytes } from './seal.ts'
import type { Secrets } from './secrets.ts'

/** A column with seals, in a table whose primary key is `organization_id` and `id`. */
export interface SealedColumn<Row = never> {
  readonly table: string
  readonly id: 'id' | 'user_id'
  readonly column: string
  /** The columns that `binding` needs, besides the primary key. */
  readonly boundColumns?: readonly string[]
  readonly binding: (row: Row) => SealBinding
}

/** Declares a column with seals, with the type of its rows. */
export const sealedColumn = <Row>(declaration: SealedColumn<Row>): SealedColumn<Row> => declaration

/** Rows per statement. The number is small, so that row locks cause no noticeable delays. */
const batchSize = 200

export interface Resealed {
  rewritten: number
  /**
   * Seals that cannot be opened, because they are damaged or this node does not have their secret. They stay
   * unchanged.
   */
  unreadable: number
}

/**
 * Rewrites all seals of a column that were made with another secret, or before seals had bindings, in one
 * transaction per batch. If interrupted, the next call continues with the rest. A seal that another
 * transaction replaces meanwhile is not rewritten.
 */
export async function resealColumn(app: App, sealed: SealedColumn<never>): Promise<Resealed> {
  const { table, id, column, boundColumns = [] } = sealed
  const done = { rewritten: 0, unreadable: 0 }
  const columns = sql.join(['organization_id', id, ...boundColumns].map((name) => sql.ref(name)))
  let last = { organization_id: 0, id: 0 }
  for (;;) {
    const { rows } = await sql<{ old: Buffer; organization_id: number } & Record<string, number>>`
      select ${columns}, ${sql.ref(column)} as old from ${sql.table(table)}
      where (organization_id, ${sql.ref(id)}) > (${last.organization_id}, ${last.id})
        and substr(${sql.ref(column)}, 1, ${sealHeaderBytes}) <> ${app.secrets.sealHeader}
      order by organization_id, ${sql.ref(id)} limit ${batchSize}`.execute(app.db)
    const fresh = rows.flatMap((row) => {
      const binding = sealed.binding(row as never)
      const text = openOrSkip(app.secrets, row.old, binding)
      return text === undefined ? [] : [{ row, sealed: app.secrets.seal(text, binding) }]
    })
    if (fresh.length > 0) {
      const { numAffectedRows = 0n } = await sql`
        update ${sql.table(table)} as t set ${sql.ref(column)} = given.fresh
        from unnest(
          ${fresh.map(({ row }) => row.organization_id)}::bigint[], ${fresh.map(({ row }) => row[id])}::bigint[],
          ${fresh.map(({ row }) => row.old)}::bytea[], ${fresh.map((resealed) => resealed.sealed)}::bytea[]
        ) as given (organization_id, id, old, fresh)
        where t.organization_id = given.organization_id and t.${sql.ref(id)} = given.id
          and t.${sql.ref(column)} = given.old`.execute(app.db)
      done.rewritten += Number(numAffectedRows)
    }
    done.unreadable += rows.length - fresh.length
    const end = rows.at(-1)
    if (!end || rows.length < batchSize) return done
    last = { organization_id: end.organization_id, id: Number(end[id]) }
  }
}

/** Opens a seal; returns undefined if that fails. */
export function openOrSkip(secrets: Secrets, sealed: Buffer, binding: SealBinding): string | undefined {
  try {
    return secrets.open(sealed, binding)
  } catch {
    return undefined
  }
}
