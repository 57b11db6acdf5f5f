import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OrganizationId } from '@oxbow/contract'
import { createTestDatabase, eventually } from '@oxbow/testkit'
import pg from 'pg'
import { connectionOptions } from '../../platform/database/database.ts'
import { checkLineage, ensureLog } from './lineage.ts'

test('event sequence numbers skip ahead only once when several sessions detect a rolled-back database concurrently', async () => {
  await using database = await createTestDatabase()
  await using sessions = new AsyncDisposableStack()
  const connect = async () => {
    const client = new pg.Client(connectionOptions(database.url))
    await client.connect()
    sessions.defer(() => client.end())
    return client
  }
  const [holder, ...checkers] = await Promise.all([connect(), connect(), connect(), connect()])
  await ensureLog(holder)
  const { rows } = await holder.query<{ id: OrganizationId }>(
    `with made as (insert into organization (subdomain, name) values ('garden', 'Garden') returning id)
     insert into event_head (organization_id, last_seq) select id, 100 from made returning organization_id as id`,
  )
  // The node has followed the log to 120, and the database has 100.
  const positions = rows.map(({ id }) => ({ organization_id: id, last_seq: 120 }))

  await holder.query('begin')
  await holder.query('select from event_log for update')
  const checks = checkers.map((client) => checkLineage(client, positions))
  const waiting =
    "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
  await eventually(async () => (await holder.query(waiting)).rowCount === checkers.length)
  await holder.query('commit')

  const holes = (await Promise.all(checks)).filter((found) => found.length > 0)
  assert.equal(holes.length, 1)
})
