import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createTestDatabase, eventually, request, startWorld, urlOf } from '@oxbow/testkit'
import pg from 'pg'
import { listMigrations, type Migration } from './list-migrations.ts'
import { ensureDatabase, migrate } from './migrate.ts'
import { dumpSchema } from './test/dump-schema.ts'

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

test('nodes that start concurrently without a database all use the one that is created', async () => {
  const name = `oxbow_test_missing_${process.pid}`
  const url = urlOf(name)
  try {
    await Promise.all(Array.from({ length: 8 }, () => ensureDatabase(url)))
    assert.deepEqual(await migrate(url, []), ['messages/send/send-message.sql'])
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

test('a release that a newer schema no longer supports is refused, and other releases start', async () => {
  await using database = await createTestDatabase()
  const migrations = withExtra('select 1')
  const removal = {
    name: '99991_remove',
    sql: "insert into schema_requirement values ('99991_remove', '9999_extra')",
    checksum: 'removal',
  }
  await migrate(database.url, [...migrations, removal])

  assert.deepEqual(await migrate(database.url, migrations), [])
  await assert.rejects(
    migrate(database.url),
    /This version of Oxbow is too old for the database: a newer version has applied 99991_remove, which only works with versions that have the migration 9999_extra\.\nInstall that version or a newer one/,
  )
})

test('a migration file that was changed after it was applied is refused', async () => {
  await using database = await createTestDatabase()
  await migrate(database.url, withExtra('select 1'))

  await assert.rejects(
    migrate(database.url, withExtra('select 2')),
    /9999_extra was changed after it was applied/,
  )
})

test('a migration that waits for a backup does not block requests, and logs what it waits for', async () => {
  await using database = await createTestDatabase()
  await using backup = await connect(database.url)
  await backup.query(
    "begin; set local application_name = 'pg_dump'; lock table organization in access share mode",
  )
  const messages: string[] = []

  const sql = 'alter table organization add column later text'
  const migrating = migrate(database.url, withExtra(sql), (message) => messages.push(message))
  await using reader = await connect(database.url)
  await reader.query('set statement_timeout = 30000')
  while (messages.length < 2) await reader.query('select from organization')
  await backup.query('commit')

  assert.deepEqual(await migrating, ['9999_extra'])
  assert.match(
    messages[0] ?? '',
    /^The migration 9999_extra needs a table that another transaction uses.* \(pg_dump\), open since/,
  )
})

test('a migration gives way to a transaction that it would deadlock with', async () => {
  await using database = await createTestDatabase()
  await using request = await connect(database.url)
  // The request must not detect the deadlock first if the migration stalls.
  await request.query("set deadlock_timeout = '60s'")
  await request.query('begin; lock table message in row exclusive mode')
  const sql = 'lock table organization; lock table message; create table after_all (n int)'
  const migrating = migrate(database.url, withExtra(sql))
  const isLocked =
    "select from pg_locks where relation = 'organization'::regclass and mode = 'AccessExclusiveLock'"
  await eventually(async () => (await database.query(isLocked)).length > 0)

  await request.query('select from organization')
  await request.query('commit')

  assert.deepEqual(await migrating, ['9999_extra'])
})

async function connect(url: string): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client(url)
  await client.connect()
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}

test('requests succeed while a migration changes tables used by prepared statements', async () => {
  await using world = await startWorld({ ownServer: true })
  const getSettings = () => request(world.nodes.a.url, { path: '/api/v1/server_settings' })
  const register = () => world.owner.events.register({})
  const change = () => world.owner.users.updateSettings({ full_name: `Name ${Math.random()}` })
  for (let i = 0; i < 20; i++) await Promise.all([getSettings(), change(), register()])

  await world.database.query('alter table organization add column later text')
  await world.database.query('alter table user_account add column later text')

  // These requests come first, because a session drops all outdated statements as soon as one of them fails.
  await Promise.all(Array.from({ length: 10 }, register))
  for (let i = 0; i < 20; i++) {
    const [{ status }] = await Promise.all([getSettings(), change(), register()])
    assert.equal(status, 200)
  }
})
