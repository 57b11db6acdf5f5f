import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClient } from '@oxbow/sdk'
import {
  createTestDatabase,
  eventually,
  LogCapture,
  patientLimits,
  startWorld,
  testSecret,
  urlOf,
} from '@oxbow/testkit'
import { sendToStream } from '@oxbow/testkit/calls/messages'
import pg from 'pg'
import { startNode } from '../../node.ts'
import { loadConfig } from '../config/load-config.ts'
import { applyFunctions, keepFunctions } from './apply-functions.ts'
import { openDatabase } from './database.ts'
import { bindFunction, listFunctionFiles, parseFunctionFile } from './function-files.ts'

const textOf = (result: string) => `
-- What is added.
create type two_numbers as (
  first integer,
  -- A comment, with a comma.
  second bigint
);
create function add_numbers(pair two_numbers, times integer)
returns bigint language sql as $$ select (pair.first + pair.second) * times ${result} $$;
create function double_numbers(pair two_numbers)
returns table (sum bigint) language plpgsql as $$ begin return query select add_numbers(pair, 2); end $$;`

const file = parseFunctionFile('sums.sql', textOf(''))
const changed = parseFunctionFile('sums.sql', textOf('+ 1000'))

type Numbers = { first: number; second: number }
const doubleOf = bindFunction<Numbers, { sum: number }>(file, 'double_numbers')
const doubleOfChanged = bindFunction<Numbers, { sum: number }>(changed, 'double_numbers')
const sumOf = bindFunction<Numbers & { times: number }, { result: number }>(file, 'add_numbers')

/** Opens a session for changes and a pool for calls. */
async function open(url: string) {
  const client = new pg.Client(url)
  await client.connect()
  const database = openDatabase({ database_url: url, database_pool_size: 2 }, () => {})
  const { db } = database
  return {
    client,
    db,
    log: { warn: () => {} } as never,
    async [Symbol.asyncDispose]() {
      await client.end()
      await database.close()
    },
  }
}

const age = (client: pg.Client, version: string, days: number) =>
  client.query('update schema_function set used_at = now() - make_interval(days => $2) where version = $1', [
    version,
    days,
  ])

test('bindFunction matches arguments by name to SQL parameters and composite-type fields', async () => {
  await using database = await createTestDatabase()
  await using opened = await open(database.url)
  await applyFunctions(opened.client, [file])

  assert.deepEqual(await doubleOf(opened.db, { second: 4, first: 3 }), { sum: 14 })
  assert.deepEqual(await sumOf(opened.db, { times: 3, second: 4, first: 3 }), { result: 21 })
  await assert.rejects(
    doubleOf(opened.db, { first: 3 } as Numbers),
    /double_numbers of sums.sql is called without second/,
  )
  await assert.rejects(
    doubleOf(opened.db, { first: 3, second: 4, third: 5 } as Numbers),
    /double_numbers of sums.sql has no argument third/,
  )
})

test('a changed file creates new functions, and the functions of the previous release still work', async () => {
  await using database = await createTestDatabase()
  await using opened = await open(database.url)
  await applyFunctions(opened.client, [file])
  await doubleOf(opened.db, { first: 3, second: 4 })

  assert.deepEqual(await applyFunctions(opened.client, [changed]), ['sums.sql'])

  assert.deepEqual(await doubleOf(opened.db, { first: 3, second: 4 }), { sum: 14 })
  assert.deepEqual(await doubleOfChanged(opened.db, { first: 3, second: 4 }), { sum: 1014 })
})

test('functions that no node has used for a week are dropped, and an older node that is started again creates its functions again', async () => {
  await using database = await createTestDatabase()
  await using opened = await open(database.url)
  const { client, db } = opened
  const numbers = { first: 3, second: 4 }
  await applyFunctions(client, [file])
  await age(client, file.version, 6)
  await applyFunctions(client, [changed])
  assert.deepEqual(await doubleOf(db, numbers), { sum: 14 })

  await age(client, file.version, 8)
  await applyFunctions(client, [changed])
  await assert.rejects(doubleOf(db, numbers), /does not exist/)
  const remainingTypes = "select from pg_type where typname like 'two_numbers_%'"
  assert.equal((await client.query(remainingTypes)).rowCount, 1)

  assert.deepEqual(await applyFunctions(client, [file]), ['sums.sql'])
  assert.deepEqual(await doubleOf(db, numbers), { sum: 14 })
})

test('functions that a running node reports as used are not dropped', async () => {
  await using database = await createTestDatabase()
  await using opened = await open(database.url)
  const [firstFile] = listFunctionFiles()
  await age(opened.client, firstFile?.version ?? '', 8)

  const keeper = keepFunctions(opened, 10)
  await eventually(async () => {
    const { rowCount } = await opened.client.query(
      "select from schema_function where used_at > now() - interval '1 day'",
    )
    return rowCount === 1
  })
  await keeper.stop()
})

test('an incomplete set of functions, as after a failed restore, is replaced', async () => {
  await using database = await createTestDatabase()
  await using opened = await open(database.url)
  await applyFunctions(opened.client, [file])
  await opened.client.query(`drop function double_numbers_${file.version}`)

  assert.deepEqual(await applyFunctions(opened.client, [file]), ['sums.sql'])
  assert.deepEqual(await doubleOf(opened.db, { first: 1, second: 1 }), { sum: 4 })
})

test('a node whose role may not create anything can use a database that the owner has migrated', async () => {
  await using world = await startWorld({ ownServer: true })
  const garden = await world.stream('garden', { members: [world.owner] })
  const role = `oxbow_test_role_${process.pid}`
  const name = new URL(world.database.url).pathname.slice(1)
  const url = new URL(urlOf(name))
  url.username = role
  url.password = 'roses'
  const { config } = loadConfig(
    { database_url: url.href, secret: testSecret, port: 0, host: '127.0.0.1', metrics_listen: 'off' },
    {},
  )
  const start = () => startNode(config, { ...patientLimits, logTo: new LogCapture(), passwordCost: 'cheap' })
  await world.database.query(`create role ${role} login password 'roses'`)
  try {
    await world.database.query(`
      revoke create on schema public from public;
      grant usage on schema public, graphile_worker to ${role};
      grant all on all tables in schema public, graphile_worker to ${role};
      grant all on all sequences in schema public, graphile_worker to ${role}`)
    const node = await start()
    await sendToStream(createClient({ url: node.url, credentials: world.owner }), garden, 'roses')
    await node.stop()

    const [firstFile] = listFunctionFiles()
    await world.database.query(`drop function send_message_${firstFile?.version}`)
    await assert.rejects(
      start(),
      /The SQL functions of messages\/send\/send-message.sql could not be created: .*\n.*run "oxbow migrate"/,
    )
  } finally {
    await world.database.query(`drop owned by ${role}`)
    await world.database.query(`drop role ${role}`)
  }
})
