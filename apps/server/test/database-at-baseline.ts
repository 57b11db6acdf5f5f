import { createTestDatabase, type TestDatabase } from '@oxbow/testkit'
import { baseline } from '../src/platform/database/baseline.ts'
import { listMigrations } from '../src/platform/database/list-migrations.ts'
import { migrate } from '../src/platform/database/migrate.ts'

/** Creates a database with the schema of the baseline, without later migrations. */
export async function createDatabaseAtBaseline(): Promise<TestDatabase> {
  const database = await createTestDatabase({ isEmpty: true })
  await migrate(
    database.url,
    listMigrations().filter(({ name }) => name <= baseline.name),
  )
  return database
}
