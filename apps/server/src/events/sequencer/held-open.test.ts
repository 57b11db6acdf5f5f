import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@oxbow/sdk'
import { eventually, patientLimits, startPostgresServer, testSecret } from '@oxbow/testkit'
import pg from 'pg'
import { createOrganization, loadConfig, startNode } from '../../index.ts'
import { connectionOptions } from '../../platform/database/database.ts'

test('an event of a long transaction that holds the newest transaction id is delivered', async () => {
  // Uses a separate PostgreSQL, because databases of one cluster share transaction ids, and other writes
  // would hide the fault.
  await using server = await startPostgresServer({ database: 'oxbow' })
  const database_url = server.url('oxbow')
  const { config } = loadConfig({ database_url, port: 0, secret: testSecret, log_level: 'silent' }, {})
  // The welcome message would be another event, and its transaction would hide the fault.
  const node = await startNode(config, {
    ...patientLimits,
    idleJobs: ['send-notices', 'send-notices-of-bot'],
  })
  await using stack = new AsyncDisposableStack()
  stack.defer(() => node.stop())
  const owner = await createOrganization(node.app, {
    name: 'The Garden',
    subdomain: '',
    owner: { email: 'owner@garden.example', full_name: 'Olive Owner' },
  })
  const client = createClient({ url: node.url, credentials: owner })
  const { queue_id, last_event_id } = await client.events.register({ fetch_event_types: [] })
  const writer = new pg.Client(connectionOptions(database_url))
  await writer.connect()
  stack.defer(() => writer.end())

  // Waits until the sequencer is idle: a transaction that ends after the long one begins would hide the
  // fault.
  await eventually(async () => {
    node.app.events.poke()
    const { rowCount } = await writer.query(
      'select from event_log, outbox_id where outbox_floor = last_value',
    )
    return rowCount === 1
  })

  await writer.query('begin')
  await writer.query(
    `insert into outbox (organization_id, header, event) values ($1,
      '{"type":"heartbeat","to":{"roles":"everyone"}}', '{"type":"heartbeat"}')`,
    [owner.organization_id],
  )
  // The sequencer scans the outbox many times during this loop.
  for (let attempt = 0; attempt < 30; attempt++) {
    node.app.events.poke()
    await sleep(20)
  }
  await writer.query('commit')

  const { events } = await client.events.poll({ queue_id, last_event_id })
  assert.equal(events.length, 1)
  await eventually(async () => (await writer.query('select from outbox')).rowCount === 0)
})
