import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@oxbow/sdk'
import { eventually, startPostgresServer, testSecret } from '@oxbow/testkit'
import pg from 'pg'
import { createOrganization, loadConfig, startNode } from '../../index.ts'
import { connectionOptions } from '../../platform/database/database.ts'

test('a transaction that is held open alone, with the newest id of all, is not passed over', async () => {
  // A server of its own: transaction ids are shared by all databases of one, and others would hide the mistake.
  await using server = await startPostgresServer()
  const database_url = server.url('oxbow')
  const { config } = loadConfig({ database_url, port: 0, secret: testSecret, log_level: 'silent' }, {})
  const node = await startNode(config)
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

  // Until the sequencer has nothing left to write: whatever ends after our transaction begins would hide the mistake.
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
  // The sequencer looks many times meanwhile.
  for (let look = 0; look < 30; look++) {
    node.app.events.poke()
    await sleep(20)
  }
  await writer.query('commit')

  const { events } = await client.events.poll({ queue_id, last_event_id })
  assert.equal(events.length, 1)
  await eventually(async () => (await writer.query('select from outbox')).rowCount === 0)
})
