import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadConfig, migrateDatabase } from '@oxbow/server'
import pg from 'pg'
import { startPostgres } from './start-postgres.ts'

const skip =
  process.platform === 'linux' && process.arch === 'x64' ? false : 'its PostgreSQL is not installed'

test('the PostgreSQL of `oxbow try` can create another database, in which a backup is restored', {
  skip,
}, async () => {
  const directory = mkdtempSync(join(tmpdir(), 'oxbow-try-'))
  // For root, PostgreSQL runs under another account.
  chmodSync(directory, 0o755)
  const postgres = await startPostgres(directory)
  try {
    const other = postgres.url.replace('@/oxbow?', '@/oxbow_copy?')
    await migrateDatabase(loadConfig({ database_url: other, data_dir: join(directory, 'data') }, {}).config)
    const client = new pg.Client(other)
    await client.connect()
    const { rows } = await client.query(
      'select current_database() as name, datcollate, pg_encoding_to_char(encoding) as encoding from pg_database where datname = current_database()',
    )
    await client.end()
    assert.deepEqual(rows, [{ name: 'oxbow_copy', datcollate: 'C.UTF-8', encoding: 'UTF8' }])
  } finally {
    await postgres.stop()
    rmSync(directory, { recursive: true, force: true })
  }
})
