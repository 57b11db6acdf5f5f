import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createClient } from '@oxbow/sdk'
import { createOrganization, loadConfig, openApp, startNode } from '@oxbow/server'
import { createTestDatabase, eventually, LogCapture, patientLimits, testSecret, urlOf } from '@oxbow/testkit'
import { sql } from 'kysely'
import pg from 'pg'
import { connectionOptions } from '../src/platform/database/database.ts'

const original = await createTestDatabase()
const copied = `${new URL(original.url).pathname.slice(1)}_copy`
const administrator = new pg.Client(connectionOptions(urlOf('postgres')))
await administrator.connect()
after(async () => {
  await administrator.query(`drop database if exists ${copied} with (force)`)
  await administrator.end()
  await original[Symbol.asyncDispose]()
})

const optionsFor = { ...patientLimits, logTo: new LogCapture(), passwordCost: 'cheap' } as const
const configOf = (database_url: string) =>
  loadConfig({ database_url, port: 0, secret: testSecret, rate_limit_per_minute: 0 }, {}).config

const startOn = async (url: string) => {
  const node = await startNode(configOf(url), optionsFor)
  return { node, [Symbol.asyncDispose]: () => node.stop() }
}

/** Returns the log id that a starting node reads before any other query. */
async function logIdOf(url: string): Promise<string> {
  const { app, close } = await openApp(configOf(url), optionsFor)
  await app.events.log.start()
  const id = await app.events.log.id()
  await app.events.log.stop()
  await close()
  return id
}

test('a copy of the database starts without queues and with an empty log whose ids are far ahead, and the original is unaffected', async () => {
  const owner = { email: 'owner@garden.example', full_name: 'Olive Owner' }
  const before = await (async () => {
    await using started = await startOn(original.url)
    const { url, app } = started.node
    const account = await createOrganization(app, { name: 'The Garden', subdomain: '', owner })
    const { events, users } = createClient({ url, credentials: account })
    const { queue_id, last_event_id } = await events.register({
      event_types: ['realm_user'],
      fetch_event_types: [],
    })
    await users.update({ user_id: account.user_id, full_name: 'Olive Gardener' })
    await events.poll({ queue_id, last_event_id })
    return { account, queue_id, last_event_id }
  })()
  const { account, queue_id, last_event_id } = before
  // PostgreSQL copies a database only while no session is connected to it.
  const copy = `create database ${copied} template ${new URL(original.url).pathname.slice(1)}`
  await eventually(() =>
    administrator.query(copy).then(
      () => true,
      () => false,
    ),
  )

  assert.notEqual(await logIdOf(urlOf(copied)), await logIdOf(original.url))
  await using here = await startOn(original.url)
  await using there = await startOn(urlOf(copied))
  const [originalClient, copyClient] = [here, there].map(({ node }) =>
    createClient({ url: node.url, credentials: account }),
  )

  const received = await originalClient?.events.poll({ queue_id, last_event_id })
  assert.deepEqual(
    received?.events.map(({ type }) => type),
    ['realm_user'],
  )
  const listRemaining = () =>
    there.node.app.db
      .selectFrom('event_queue')
      .select('id')
      .unionAll((eb) => eb.selectFrom('outbox').select((e) => e.cast<string>('id', 'text').as('id')))
      .execute()
  await eventually(async () => (await listRemaining()).length === 0)
  const batches = await sql`select last_seq from event_batch`.execute(there.node.app.db)
  assert.deepEqual(batches.rows, [])
  await assert.rejects(async () => copyClient?.events.poll({ queue_id, last_event_id }), {
    message: `Bad event queue id: ${queue_id}`,
  })
  const opened = await copyClient?.events.register({ fetch_event_types: [] })
  assert.ok((opened?.last_event_id ?? 0) >= last_event_id + 1_000_000, `it is ${opened?.last_event_id}`)
  const poll = copyClient?.events.poll({ queue_id: opened?.queue_id, last_event_id: opened?.last_event_id })
  await copyClient?.users.update({ user_id: account.user_id, full_name: 'Olive Elsewhere' })
  assert.equal((await poll)?.events.length, 1)
})
