import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { baseline, loadConfig } from '@oxbow/server'
import { backUpServer, restoreServer } from '@oxbow/server/backup'
import { createTestDatabase, type TestDatabase, testSecret } from '@oxbow/testkit'
import { migrateJobs } from '../../src/platform/jobs/jobs.ts'
import { readSecrets } from '../../src/platform/secrets/secrets.ts'
import { createDatabaseAtBaseline } from '../database-at-baseline.ts'

const directory = mkdtempSync(join(tmpdir(), 'oxbow-replaced-'))
after(() => rmSync(directory, { recursive: true, force: true }))

const options = {
  warn: () => {},
  askPassphrase: () => Promise.reject(new Error('asked')),
}

let backups = 0

/** Makes a backup of a server with one organization that has recorded these migrations. */
async function makeBackup(...names: string[]): Promise<string> {
  await using database = await createDatabaseAtBaseline()
  const config = configFor(database)
  await migrateJobs(database.url)
  await database.query('insert into server (secret_fingerprint) values ($1)', [
    readSecrets(config).fingerprint,
  ])
  await database.query("insert into organization (subdomain, name) values ('', 'Garden')")
  await database.query('delete from schema_migration where name <> all($1)', [names])
  await database.query(
    `insert into schema_migration (name, checksum) select name, 'ab' from unnest($1::text[]) as name
     on conflict do nothing`,
    [names],
  )
  const path = join(directory, `${++backups}.backup`)
  await backUpServer(config, path, { warn: () => {} })
  return path
}

const configFor = ({ url }: TestDatabase) =>
  loadConfig({ database_url: url, data_dir: join(directory, 'data'), secret: testSecret }, {}).config

const listOrganizations = (database: TestDatabase) => database.query('select name from organization')
const listMigrations = (database: TestDatabase) =>
  database.query<{ name: string }>('select name from schema_migration order by name')

for (const names of [[baseline.lastReplaced], [baseline.lastReplaced, baseline.name]])
  test(`a backup with the migrations ${names.join(' and ')} is restored with the baseline`, async () => {
    const path = await makeBackup('0001_first', ...names)
    await using empty = await createTestDatabase({ isEmpty: true })

    await restoreServer(configFor(empty), path, options)

    assert.deepEqual(await listOrganizations(empty), [{ name: 'Garden' }])
    assert.equal((await listMigrations(empty))[0]?.name, baseline.name)
  })

test('a backup from before the baseline is restored into a database that only has the tables', async () => {
  const path = await makeBackup('0001_first', baseline.lastReplaced)
  await using prepared = await createDatabaseAtBaseline()

  await restoreServer(configFor(prepared), path, options)

  assert.deepEqual(await listOrganizations(prepared), [{ name: 'Garden' }])
})

test('a backup older than the replaced migrations is refused with the commit to restore it with', async () => {
  const path = await makeBackup('0001_first', '0056_shorten_rendered_texts')
  await using empty = await createTestDatabase({ isEmpty: true })

  await assert.rejects(restoreServer(configFor(empty), path, options), {
    message: `The backup was made by Oxbow 0.1.0 and is too old for this version: its newest migration is 0056_shorten_rendered_texts.
Install the commit ${baseline.lastCommit} of Oxbow, restore the backup with it into an empty database, and then upgrade to this version.`,
  })
  assert.deepEqual(await empty.query("select from pg_tables where schemaname = 'public'"), [])
})
