import { loadConfig } from '../../src/platform/config/load-config.ts'
import { startBackgroundMigrations } from '../../src/platform/database/background/run-background.ts'
import { openDatabase } from '../../src/platform/database/database.ts'
import { makeLog } from '../../src/platform/log.ts'
import { countingMigration } from './counting-migration.ts'

// Runs the migration of the tests in a process that the test can kill.
const { config } = loadConfig({ database_url: process.argv[2] ?? '', log_level: 'silent' }, {})
const { db, close } = openDatabase(config, () => {})
await startBackgroundMigrations({ db, log: makeLog(config) }, [countingMigration]).done
await close()
