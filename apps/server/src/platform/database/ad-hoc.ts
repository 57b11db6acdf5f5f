import { type QueryResult, type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'
import { adHocMark } from './preparing-client.ts'

/**
 * Runs a read whose text depends on what a caller asked for, like a search. It is planned for this
 * one use: prepared by name, every text would stay in the memory of each PostgreSQL session. Throws
 * `StatementTooSlow` after `adHocTimeoutMs`.
 */
export async function readAdHoc<Row>(db: Db, statement: RawBuilder<Row>): Promise<QueryResult<Row>> {
  try {
    return await sql<Row>`${sql.raw(adHocMark)}${statement}`.execute(db)
  } catch (cause) {
    throw isCanceled(cause) ? new StatementTooSlow('an ad hoc statement took too long', { cause }) : cause
  }
}

/** An ad hoc statement reached its time limit. */
export class StatementTooSlow extends Error {}

const isCanceled = (error: unknown): boolean => (error as { code?: string } | null)?.code === '57014'
