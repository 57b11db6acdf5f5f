import { type QueryResult, type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'
import { adHocPrefix, limitLikeAdHoc, plannedOncePrefix } from './preparing-client.ts'

/**
 * Runs a query whose text depends on the request, like a search. PostgreSQL plans it for this one use: as a
 * prepared statement, every different text would stay in the memory of each session. Throws
 * `StatementTooSlow` after two seconds.
 */
export const readAdHoc = <Row>(db: Db, statement: RawBuilder<Row>): Promise<QueryResult<Row>> =>
  readLimitedStatement(db, adHocPrefix, statement)

/**
 * Like `readAdHoc`, for a query with one of few texts: each session plans it once, without knowing the values of its
 * parameters. So limits must be part of the text: PostgreSQL assumes that an unknown limit is a tenth of all rows.
 */
export const readPlannedOnce = <Row>(db: Db, statement: RawBuilder<Row>): Promise<QueryResult<Row>> =>
  readLimitedStatement(db, plannedOncePrefix, statement)

async function readLimitedStatement<Row>(
  db: Db,
  prefix: string,
  statement: RawBuilder<Row>,
): Promise<QueryResult<Row>> {
  try {
    return await sql<Row>`${sql.raw(prefix)}${statement}`.execute(db)
  } catch (cause) {
    throw isCanceled(cause) ? new StatementTooSlow('a statement took too long', { cause }) : cause
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
