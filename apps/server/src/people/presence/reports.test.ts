import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually, openQueue, type Person, startWorld, type World } from '@oxbow/testkit'
import { call } from '@oxbow/testkit/calls/requests'
import { foldReports } from './reports.ts'
import type { Report } from './write-reports.ts'

/** Reports to node b, which responds before the report is written. */
const ping = async (world: World, person: Person, client: string) => {
  const params = { status: 'active', ping_only: 'true', client }
  assert.equal((await call(world, person, 'POST /users/me/presence', params)).status, 200)
}

const clientsOf = async ({ database }: World, { user_id }: Person) => {
  const rows = await database.query<{ client: string }>(
    'select client from presence where user_id = $1 order by client',
    [user_id],
  )
  return rows.map(({ client }) => client)
}

test('a stopping node writes its last reports, and clients continue on another node', async () => {
  await using world = await startWorld({ ownServer: true })
  const [iris, otto] = await world.people('iris', 'otto')
  const queue = await openQueue(otto, { event_types: ['presence'] })
  await ping(world, iris, 'website')
  await ping(world, iris, 'phone')

  await world.nodes.b.stop()

  assert.deepEqual(await clientsOf(world, iris), ['phone', 'website'])
  assert.equal((await queue.take(2, 'a')).length, 2)
})

test('reports that cannot be written are retried, and each causes one event', async () => {
  await using world = await startWorld({ ownServer: true })
  const [iris, otto] = await world.people('iris', 'otto')
  const queue = await openQueue(otto, { event_types: ['presence'] })
  await world.database.query(`
    create function refuse() returns trigger language plpgsql as $$
      begin raise exception 'not now' using errcode = 'lock_not_available'; end $$;
    create trigger refuse before insert on presence execute function refuse()`)
  await ping(world, iris, 'website')
  const refused = await call(world, iris, 'POST /users/me/presence', { status: 'active', client: 'phone' })

  await world.database.query('drop trigger refuse on presence')
  const clients = await eventually(async () => {
    const found = await clientsOf(world, iris)
    return found.length === 2 && found
  })

  assert.equal(refused.status, 503)
  assert.deepEqual(clients, ['phone', 'website'])
  assert.equal((await queue.take(2)).length, 2)
  assert.deepEqual(await queue.rest(), [])
})

test('a report that permanently fails is logged and does not block other reports', async () => {
  await using world = await startWorld({ ownServer: true })
  const [iris, otto] = await world.people('iris', 'otto')
  await world.database.query(`
    create function refuse() returns trigger language plpgsql as $$
      begin raise exception 'this program is unknown'; end $$;
    create trigger refuse before insert on presence for each row
      when (new.client = 'phone') execute function refuse()`)
  await ping(world, world.owner, 'website')

  for (let round = 0; round < 2; round++)
    await Promise.all([ping(world, iris, 'phone'), ping(world, iris, 'website'), ping(world, otto, 'phone')])

  await eventually(async () => (await clientsOf(world, iris)).length > 0)
  assert.deepEqual(await clientsOf(world, iris), ['website'])
  await eventually(() => world.log.problems().length > 0)
  const warnings = new Set(world.log.problems().map(({ msg }) => msg))
  assert.deepEqual([...warnings], ['reports of presence could not be written'])
})

test('concurrent reports are written in one transaction and emitted in one record', async () => {
  await using world = await startWorld({ ownServer: true })
  const people: Person[] = []
  for (let number = 0; number < 12; number++) people.push(await world.person(`person${number}`))
  const queue = await openQueue(world.owner, { event_types: ['presence'] })
  // The first report is written at once, and the others wait for the next batch.
  await ping(world, world.owner, 'website')

  await Promise.all(people.map((person) => ping(world, person, 'website')))

  const events = await queue.take(13)
  const [log] = await world.database.query<{ records: number }>(
    `select count(*)::int as records from event_batch, json_array_elements(records::json) as record
     where record->3->>'type' = 'presence'`,
  )
  assert.equal(events.length, 13)
  assert.ok((log?.records ?? 0) <= 4, `${log?.records} records`)
  assert.deepEqual(
    new Set(events.map((event) => 'user_id' in event && event.user_id)),
    new Set([world.owner, ...people].map(({ user_id }) => user_id)),
  )
})

test('the later of two unwritten reports replaces the earlier one, unless it is idle after active', () => {
  const [active, idle] = ['active', 'idle'].map((status) => ({ status }) as Report) as [Report, Report]
  const later = { ...active }

  assert.equal(foldReports(active, idle), active)
  assert.equal(foldReports(idle, active), active)
  assert.equal(foldReports(active, later), later)
  assert.equal(foldReports(idle, idle), idle)
})
