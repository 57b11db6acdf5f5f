import { type QueryResult, type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'
import { adHocPrefix, limitLikeAdHoc } from './preparing-client.ts'

/**
 * Runs a query whose text depends on the request, like a search. PostgreSQL plans it for this one use: as a
 * prepared statement, every different text would stay in the memory of each session. Throws
 * `StatementTooSlow` after two seconds.
 */
export async function readAdHoc<Row>(db: Db, statement: RawBuilder<Row>): Promise<QueryResult<Row>> {
  try {
    return await sql<Row>`${sql.raw(adHocPrefix)}${statement}`.execute(db)
  } catch (cause) {
    throw isCanceled(cause) ? new StatementTooSlow('an ad hoc statement took too long', { cause }) : cause
  }
}

/**
 * Runs `work` in the transaction `db`, with the time limit of ad hoc statements for each of its statements.
 * If `work` throws, the transaction can still be used. `work` must only read, because its changes are rolled
 * back.
 */
export async function readLimited<Result>(db: Db, work: () => Promise<Result>): Promise<Result> {
  await sql`savepoint limited`.execute(db)
  await sql.raw(limitLikeAdHoc).execute(db)
  try {
    return await work()
  } finally {
    // Also removes the time limit. `work` only reads, so there is nothing else to roll back.
    await sql`rollback to savepoint limited`.execute(db)
  }
}

/** Thrown when an ad hoc statement reaches its time limit. */
export class StatementTooSlow extends Error {}

const isCanceled = (error: unknown): boolean => (error as { code?: string } | null)?.code === '57014'
