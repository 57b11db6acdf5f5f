import type { Db, Tx } from '../database.ts'

/**
 * A change of so many rows that a migration, for which requests wait, would take too long. Nodes run it in
 * batches beside their other work. Nodes of the previous release may run meanwhile: they must neither need
 * the result nor undo it.
 */
export interface BackgroundMigration<Position = unknown> {
  /** Unique; begins with the number of the migration that it belongs to. */
  readonly name: string
  /** Estimates the number of rows, to show the progress. */
  countRows(db: Db): Promise<number>
  /**
   * Changes the next rows after `position`, which is null at first. The position is saved in the same
   * transaction, so each batch takes effect exactly once, even if its node is killed. A batch should take
   * less than a second.
   */
  runBatch(tx: Tx, position: Position | null): Promise<Batch<Position>>
}

interface Batch<Position> {
  /** Number of rows that the batch examined. */
  rows: number
  /** Where the next batch begins, as a JSON value; null if this was the last one. */
  position: Position | null
}

/** Declares a background migration, with the type of its position. */
export const backgroundMigration = <Position>(
  declaration: BackgroundMigration<Position>,
): BackgroundMigration => declaration as BackgroundMigration
