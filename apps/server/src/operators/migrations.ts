import { sql } from 'kysely'
import { backgroundMigrations } from '../features.ts'
import type { App } from '../platform/app.ts'
import type { Config } from '../platform/config/settings.ts'
import { type BackgroundProgress, listBackgroundProgress } from '../platform/database/background/queries.ts'
import { finishBackgroundMigrations } from '../platform/database/background/run-background.ts'
import { compareSchema, type SchemaComparison } from '../platform/database/compare-schema.ts'
import { type Db, openDatabase } from '../platform/database/database.ts'

export interface MigrationStatus extends SchemaComparison {
  background: BackgroundProgress[]
}

/** Compares the schema with this release and reads the progress of background migrations. Changes nothing. */
export async function readMigrationStatus(config: Config): Promise<MigrationStatus> {
  const comparison = await compareSchema(config.database_url)
  const { db, close } = openDatabase(config, () => {})
  try {
    return { ...comparison, background: await listProgress(db) }
  } finally {
    await close()
  }
}

async function listProgress(db: Db): Promise<BackgroundProgress[]> {
  const { rows } = await sql<{ exists: boolean }>`
    select to_regclass('background_migration') is not null as exists`.execute(db)
  return rows[0]?.exists ? listBackgroundProgress(db) : []
}

/**
 * Runs the background migrations of this release in this process until they are finished. Nodes may
 * run at the same time. Returns the names of the migrations that were not finished before.
 */
export function finishMigrations({ db }: App, onBatch: (progress: BackgroundProgress) => void) {
  return finishBackgroundMigrations(db, backgroundMigrations, async (name) => {
    const progress = (await listBackgroundProgress(db)).find((migration) => migration.name === name)
    if (progress) onBatch(progress)
  })
}
