import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createTestDatabase, request, startWorld, urlOf } from '@oxbow/testkit'
import { dumpSchema } from '../../../test/dump-schema.ts'
import { ensureDatabase, listMigrations, type Migration, migrate } from './migrate.ts'

const extra = (sql: string): Migration => ({ name: '9999_extra', sql, checksum: sql })
const withExtra = (sql: string): Migration[] => [...listMigrations(), extra(sql)]

test('schema.sql equals the result of all migrations', async () => {
  const committed = readFileSync(join(import.meta.dirname, '..', '..', 'migrations', 'schema.sql'), 'utf8')
  assert.equal(committed, await dumpSchema(), 'Run: npm run schema')
})

test('nodes that start concurrently apply each migration once', async () => {
  await using database = await createTestDatabase()
  const slow = 'create table once (n int); insert into once values (1); select pg_sleep(0.2)'

  const applied = await Promise.all(Array.from({ length: 8 }, () => migrate(database.url, withExtra(slow))))

  assert.deepEqual(applied.flat(), ['9999_extra'])
  assert.deepEqual(await database.query('select n from once'), [{ n: 1 }])
})

test('nodes that start concurrently without a database all find the created one', async () => {
  const name = `oxbow_test_missing_${process.pid}`
  const url = urlOf(name)
  try {
    await Promise.all(Array.from({ length: 8 }, () => ensureDatabase(url)))
    assert.deepEqual(await migrate(url, []), [])
  } finally {
    await using database = await createTestDatabase()
    await database.query(`drop database if exists ${name} with (force)`)
  }
})

test('a failed migration is rolled back with a clear error, and can be retried', async () => {
  await using database = await createTestDatabase()

  await assert.rejects(
    migrate(database.url, withExtra('create table half (n int); select 1/0')),
    /The migration 9999_extra failed and was undone: division by zero/,
  )

  assert.deepEqual(await database.query("select to_regclass('half') as half"), [{ half: null }])
  assert.deepEqual(await migrate(database.url, withExtra('create table half (n int)')), ['9999_extra'])
})

test('an older release starts on a database that a newer one has migrated', async () => {
  await using database = await createTestDatabase()
  await migrate(database.url, withExtra('create table newer (n int)'))

  assert.deepEqual(await migrate(database.url), [])
})

test('a migration file that was changed after it was applied is refused', async () => {
  await using database = await createTestDatabase()
  await migrate(database.url, withExtra('select 1'))

  await assert.rejects(
    migrate(database.url, withExtra('select 2')),
    /9999_extra was changed after it was applied/,
  )
})

test('requests succeed while a migration changes tables used by prepared statements', async () => {
  await using world = await startWorld()
  const ask = () => request(world.nodes.a.url, { path: '/api/v1/server_settings' })
  const change = () => world.owner.users.updateSettings({ full_name: `Name ${Math.random()}` })
  for (let i = 0; i < 20; i++) await Promise.all([ask(), change()])

  await world.database.query('alter table organization add column later text')
  await world.database.query('alter table user_account add column later text')

  for (let i = 0; i < 20; i++) {
    const [{ status }] = await Promise.all([ask(), change()])
    assert.equal(status, 200)
  }
})
