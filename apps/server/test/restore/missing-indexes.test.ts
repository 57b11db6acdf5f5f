import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { baseline, loadConfig, startNode } from '@oxbow/server'
import { createTestDatabase, LogCapture, patientLimits, request, testSecret } from '@oxbow/testkit'
import pg from 'pg'
import { findIndexProblems } from '../../src/platform/database/check-indexes.ts'
import { connectionOptions, openDatabase } from '../../src/platform/database/database.ts'
import { lockKey } from '../../src/platform/database/locks.ts'

const database = await createTestDatabase()
const { config } = loadConfig({ database_url: database.url, port: 0, secret: testSecret }, {})
const { db, close } = openDatabase(config, () => {})
after(async () => {
  await close()
  await database[Symbol.asyncDispose]()
})

const find = async () => (await findIndexProblems(db)).map(({ name, state }) => `${name} ${state}`)
const repairs = async () => (await findIndexProblems(db)).map(({ repair }) => repair)
const mend = async () => {
  for (const repair of await repairs()) await database.query(repair)
}

test('a migrated database has every index', async () => {
  assert.deepEqual(await find(), [])
})

test('a node names missing and invalid indexes, and is not ready until they exist', async () => {
  await database.query('drop index message_search')
  await database.query('alter table reaction drop constraint reaction_pkey')
  await database.query("update pg_index set indisvalid = false where indexrelid = 'message_topic'::regclass")
  const log = new LogCapture()
  const node = await startNode(config, { ...patientLimits, logTo: log, passwordCost: 'cheap' })
  await using stack = new AsyncDisposableStack()
  stack.defer(() => node.stop())

  const { status, body } = await request(node.url, { path: '/ready' })

  assert.deepEqual(
    [status, body],
    [
      503,
      {
        status: 'not ready',
        reason:
          'Indexes of the database: message_search is missing, message_topic is invalid, reaction_pkey is missing',
      },
    ],
  )
  assert.match(log.text, /CREATE INDEX message_search ON public\.message USING gin/)
  await mend()
  assert.deepEqual(await find(), [])
  assert.equal((await request(node.url, { path: '/ready' })).status, 200)
})

test('indexes that a running migration builds or a newer release dropped are not reported', async () => {
  await database.query('drop index message_sender')
  assert.deepEqual(await find(), ['message_sender missing'])
  await database.query("insert into schema_migration (name, checksum) values ($1, '')", [
    baseline.lastReplaced,
  ])
  assert.deepEqual(await find(), ['message_sender missing'])
  const migrating = new pg.Client(connectionOptions(database.url))
  await migrating.connect()

  await migrating.query('select pg_advisory_lock($1)', [lockKey('migrations')])
  assert.deepEqual(await find(), [])
  await migrating.end()

  await database.query("insert into schema_migration (name, checksum) values ('9999_newer', '')")
  assert.deepEqual(await find(), [])
  await database.query("delete from schema_migration where name = '9999_newer'")
  await mend()
})
