import { createTestDatabase, type TestDatabase } from '@oxbow/testkit'
import { baseline } from '../src/platform/database/baseline.ts'
import { listMigrations } from '../src/platform/database/list-migrations.ts'
import { migrate } from '../src/platform/database/migrate.ts'

/** The baseline, without later migrations. */
export const baselineOnly = listMigrations().filter(({ name }) => name <= baseline.name)

/** Creates a database with the schema of the baseline. */
export async function createDatabaseAtBaseline(): Promise<TestDatabase> {
  const database = await createTestDatabase({ isEmpty: true })
  await migrate(database.url, baselineOnly)
  return database
}
