import { sql } from 'kysely'
import { loadConfig } from '../../src/platform/config/load-config.ts'
import type { BackgroundMigration } from '../../src/platform/database/background/background-migration.ts'
import { startBackgroundMigrations } from '../../src/platform/database/background/run-background.ts'
import { openDatabase } from '../../src/platform/database/database.ts'
import { makeLog } from '../../src/platform/observe/log.ts'
import { countingMigration } from './counting-migration.ts'

/** The migration of the tests, so slow that a busy machine can kill its process before the last batch. */
const slowMigration: BackgroundMigration = {
  ...countingMigration,
  async runBatch(tx, position) {
    await sql`select pg_sleep(0.3)`.execute(tx)
    return countingMigration.runBatch(tx, position)
  },
}

// Runs the migration in a process that the test can kill.
const { config } = loadConfig({ database_url: process.argv[2] ?? '', log_level: 'silent' }, {})
const { db, close } = openDatabase(config, () => {})
await startBackgroundMigrations({ db, log: makeLog(config) }, [slowMigration]).done
await close()
