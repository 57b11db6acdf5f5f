import { ApiError } from '@oxbow/contract'
import type { RawBuilder } from 'kysely'
import { inLimitedSnapshot, readAdHoc, StatementTooSlow } from '../../platform/database/ad-hoc.ts'
import { adHocTimeoutMs, type Db } from '../../platform/database/database.ts'

/**
 * Runs a statement built from a narrow. Throws `NARROW_TOO_SLOW` if it exceeds the statement
 * timeout.
 */
export async function readNarrowed<Row>(db: Db, statement: RawBuilder<Row>): Promise<Row[]> {
  try {
    return (await readAdHoc(db, statement)).rows
  } catch (error) {
    throw error instanceof StatementTooSlow ? narrowTooSlow() : error
  }
}

/**
 * Runs several such statements in one snapshot. Throws `NARROW_TOO_SLOW` if one of them exceeds the statement
 * timeout.
 */
export async function inNarrowedSnapshot<Result>(db: Db, work: (db: Db) => Promise<Result>): Promise<Result> {
  try {
    return await inLimitedSnapshot(db, work)
  } catch (error) {
    throw error instanceof StatementTooSlow ? narrowTooSlow() : error
  }
}

export const narrowTooSlow = () => new ApiError('NARROW_TOO_SLOW', { seconds: adHocTimeoutMs / 1_000 })
