import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  launchNodeProcess,
  type PostgresServer,
  request,
  startNodeProcess,
  startPgBouncer,
  startPostgresServer,
} from '@oxbow/testkit'
import pg from 'pg'

let postgres: PostgresServer

before(async () => {
  postgres = await startPostgresServer({ database: 'oxbow' })
})
after(() => postgres[Symbol.asyncDispose]())

async function readRefusal(database_url: string): Promise<string> {
  await using node = await launchNodeProcess({ database_url })
  assert.notEqual(await node.exited, 0)
  assert.ok(!node.output().includes('    at '), node.output())
  return node.output()
}

test('a node refuses to start behind a transaction pooler, and names the alternatives', async () => {
  await using pooler = await startPgBouncer(postgres.port, 'transaction')

  const message = await readRefusal(pooler.url('oxbow'))

  assert.match(message, /DATABASE_URL/)
  assert.match(message, /pool/)
  assert.match(message, /session|direct/)
})

test('a node starts behind a session pooler', async () => {
  await using pooler = await startPgBouncer(postgres.port, 'session')
  await using node = await startNodeProcess({ database_url: pooler.url('oxbow') })

  const { status } = await request(node.url, { path: '/ready' })

  assert.equal(status, 200)
})

test('a node refuses a database that is not in UTF8, and explains how to create one', async () => {
  const client = new pg.Client(postgres.url('postgres'))
  await client.connect()
  await client.query(
    "create database ascii encoding 'SQL_ASCII' template template0 lc_collate 'C' lc_ctype 'C'",
  )
  await client.end()

  const message = await readRefusal(postgres.url('ascii'))

  assert.match(message, /SQL_ASCII/)
  assert.match(message, /createdb --encoding=UTF8/)
})

test('a node refuses to start on a standby, and names the alternatives', async () => {
  await using standby = await postgres.startStandby()

  const message = await readRefusal(standby.url('oxbow'))

  assert.match(message, /DATABASE_URL/)
  assert.match(message, /standby/)
  assert.match(message, /primary/)
})
