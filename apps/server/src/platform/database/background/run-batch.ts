import type { Db } from '../database.ts'
import { inTransaction } from '../transaction.ts'
import type { BackgroundMigration } from './background-migration.ts'
import { lockBatch, updateProgress, updateTotal } from './queries.ts'

/** `busy`: another session runs a batch of this migration now. */
export type BatchOutcome = 'finished' | 'more' | 'busy'

/** Runs the next batch of a background migration, unless another session is running one. */
export function runBatch(db: Db, migration: BackgroundMigration): Promise<BatchOutcome> {
  const { name } = migration
  return inTransaction(db, async (tx) => {
    const state = await lockBatch(tx, name)
    if (!state) return 'busy'
    if (state.isFinished) return 'finished'
    if (!state.isStarted) await updateTotal(tx, name, await migration.countRows(tx))
    const { rows, position } = await migration.runBatch(tx, state.position)
    await updateProgress(tx, name, rows, position)
    return position === null ? 'finished' : 'more'
  })
}
