import { type QueryResult, type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'
import { adHocMark, adHocTimeoutMs } from './preparing-client.ts'

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

/**
 * Runs `work` in the transaction `db`, with the time limit of ad hoc statements for each of its
 * statements. What it throws leaves the transaction as it was before.
 */
export async function readLimited<Result>(db: Db, work: () => Promise<Result>): Promise<Result> {
  await sql`savepoint limited`.execute(db)
  await sql`select set_config('statement_timeout', ${String(adHocTimeoutMs)}, true)`.execute(db)
  try {
    return await work()
  } finally {
    // Also undoes the limit. Reads lose nothing by it.
    await sql`rollback to savepoint limited`.execute(db)
  }
}

/** An ad hoc statement reached its time limit. */
export class StatementTooSlow extends Error {}

const isCanceled = (error: unknown): boolean => (error as { code?: string } | null)?.code === '57014'
