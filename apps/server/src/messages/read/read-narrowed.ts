import { ApiError } from '@oxbow/contract'
import type { RawBuilder } from 'kysely'
import { readAdHoc, readPlannedOnce, StatementTooSlow } from '../../platform/database/ad-hoc.ts'
import type { Db } from '../../platform/database/database.ts'
import { defaultAdHocTimeoutMs } from '../../platform/database/preparing-client.ts'

/**
 * Runs a statement built from a narrow. Throws `NARROW_TOO_SLOW` if it exceeds the statement
 * timeout. A statement of a common narrow is planned once for each session, because planning takes
 * longer than reading a page.
 */
export async function readNarrowed<Row>(
  db: Db,
  statement: RawBuilder<Row>,
  isCommon = false,
): Promise<Row[]> {
  const read = isCommon ? readPlannedOnce : readAdHoc
  try {
    return (await read(db, statement)).rows
  } catch (error) {
    throw error instanceof StatementTooSlow ? narrowTooSlow() : error
  }
}

export const narrowTooSlow = (seconds = defaultAdHocTimeoutMs / 1_000) =>
  new ApiError('NARROW_TOO_SLOW', { seconds })
