import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { PresenceEvent } from '@oxbow/contract'
import { eventually, openQueue, type Person, startWorld } from '@oxbow/testkit'
import { call } from '@oxbow/testkit/calls/requests'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())

/**
 * Reports presence as a client of this name. The response contains the list unless `ping_only` is
 * set.
 */
async function reportAs(person: Person, client: string, params: Record<string, string> = {}) {
  const response = await call(world, person, 'POST /users/me/presence', {
    status: 'active',
    client,
    ...params,
  })
  return response.body as { result: string; msg: string; presences?: Record<string, Record<string, object>> }
}

const agePresence = ({ user_id }: Person, seconds: number) =>
  world.database.query(
    `update presence set active_at = active_at - $2 * interval '1 second', idle_at = idle_at - $2 * interval '1 second'
     where user_id = $1`,
    [user_id, seconds],
  )

const listens = (person: Person, slim_presence = false) =>
  openQueue(person, { event_types: ['presence'], slim_presence })

const newsOf = (events: readonly object[]) =>
  (events as PresenceEvent[]).map(({ user_id, presence }) => {
    const [report] = Object.values(presence)
    return [user_id, report?.client, report?.status]
  })

test('the list in the response to a report contains the caller, keyed by address or by id', async () => {
  const iris = await world.person('iris')

  const response = await iris.presence.report({ status: 'active' })
  const slim = await iris.presence.report({ status: 'active', slim_presence: true })
  const ping = await iris.presence.report({ status: 'active', ping_only: true })

  const { aggregated, ...reports } =
    (response.presences as Record<string, Record<string, object>>)[iris.email] ?? {}
  const [client] = Object.keys(reports)
  const { timestamp } = aggregated as { timestamp: number }
  assert.deepEqual(aggregated, { client, status: 'active', timestamp })
  assert.deepEqual(reports, { [`${client}`]: { client, status: 'active', timestamp, pushable: false } })
  assert.ok(Number.isInteger(timestamp) && Math.abs(timestamp - Date.now() / 1_000) < 60)
  assert.deepEqual(Object.keys((slim.presences as never)?.[iris.user_id] ?? {}), ['active_timestamp'])
  assert.ok(Math.abs((slim.server_timestamp ?? 0) - Date.now() / 1_000) < 60)
  assert.deepEqual(ping, {})
})

test('an unknown status is refused regardless of other parameters', async () => {
  const nina = await world.person('nina')

  const response = await reportAs(nina, 'website', { status: 'asleep', ping_only: 'true' })

  assert.deepEqual([response.result, response.msg], ['error', 'Invalid status: asleep'])
})

test('becoming active emits one event to everyone on all nodes, and staying active emits none', async () => {
  const [otto, rosa] = await world.people('otto', 'rosa')
  const bot = await world.bot('gate', rosa)
  const [full, slim, other] = [await listens(rosa), await listens(rosa, true), await listens(bot)]

  await reportAs(otto, 'website')
  await reportAs(otto, 'website')
  await reportAs(otto, 'ZulipElectron', { status: 'idle' })
  await reportAs(otto, 'phone')

  const events = (await full.take(2, 'b')) as PresenceEvent[]
  const [first] = events
  const { server_timestamp = 0, presence } = first ?? {}
  const report = presence?.website
  assert.deepEqual(first, {
    id: first?.id,
    type: 'presence',
    user_id: otto.user_id,
    email: otto.email,
    server_timestamp,
    presence: {
      website: { client: 'website', status: 'active', timestamp: report?.timestamp, pushable: false },
    },
  })
  assert.deepEqual(newsOf(events), [
    [otto.user_id, 'website', 'active'],
    [otto.user_id, 'phone', 'active'],
  ])
  const [slimmed] = await slim.take(1)
  assert.equal('email' in (slimmed ?? {}), false)
  assert.equal(newsOf([slimmed ?? {}])[0]?.[0], otto.user_id)
  assert.equal((await other.take(2)).length, 2)
})

test('users who become active again cause an event, and users who become idle do not', async () => {
  const [olga, rudi] = await world.people('olga', 'rudi')
  const queue = await listens(rudi)
  await reportAs(olga, 'website')
  await agePresence(olga, 80)
  await reportAs(olga, 'website', { status: 'idle' })
  await reportAs(olga, 'website')

  assert.deepEqual(newsOf(await queue.take(2)), [
    [olga.user_id, 'website', 'active'],
    [olga.user_id, 'website', 'active'],
  ])
  assert.deepEqual(await queue.rest(), [])
  const { presences } = await reportAs(rudi, 'website', { slim_presence: 'true' })
  assert.deepEqual(Object.keys(presences?.[olga.user_id] ?? {}).sort(), [
    'active_timestamp',
    'idle_timestamp',
  ])
})

test('reports of bots, deactivated users and users who disabled presence are not stored', async () => {
  const [hana, paul] = await world.people('hana', 'paul')
  await reportAs(paul, 'website')
  await world.database.query('update user_setting set presence_enabled = false where user_id = $1', [
    hana.user_id,
  ])
  await world.owner.users.deactivate({ user_id: paul.user_id })

  const response = await reportAs(hana, 'website')

  assert.equal(response.result, 'success')
  assert.deepEqual(
    [hana.email in (response.presences ?? {}), paul.email in (response.presences ?? {})],
    [false, false],
  )
  await world.owner.users.reactivate({ user_id: paul.user_id })
  const { presences } = await reportAs(hana, 'website')
  assert.equal(paul.email in (presences ?? {}), false)
})

test('presence lists use display addresses and cover the last two weeks', async () => {
  const [gina, noah] = await world.people('gina', 'noah')
  await reportAs(gina, 'website')
  await reportAs(noah, 'website')
  await agePresence(noah, 15 * 86_400)
  await world.database.query('update organization set email_address_visibility = 4')
  const queue = await listens(gina)

  const { presences = {} } = await reportAs(gina, 'phone')
  const [event] = (await queue.take(1)) as PresenceEvent[]
  await world.database.query('update organization set email_address_visibility = 1')

  const shown = `user${gina.user_id}@localhost`
  assert.deepEqual([shown in presences, gina.email in presences], [true, false])
  assert.equal(`user${noah.user_id}@localhost` in presences, false)
  assert.equal(event?.email, shown)
  assert.deepEqual(Object.keys(presences[shown] ?? {}).sort(), ['aggregated', 'phone', 'website'])
})

test('reserved client names are replaced, and the number of clients per user is limited', async () => {
  const mira = await world.person('mira')
  await Promise.all(['aggregated', '__proto__', 'x'.repeat(99)].map((client) => reportAs(mira, client)))
  await Promise.all(
    Array.from({ length: 40 }, (_, number) => reportAs(mira, `made up ${number}`, { ping_only: 'true' })),
  )

  const rows = await eventually(async () => {
    await reportAs(mira, 'website')
    const found = await world.database.query<{ client: string }>(
      'select client from presence where user_id = $1',
      [mira.user_id],
    )
    return found.length >= 20 && found
  })

  assert.equal(rows.length, 20)
  assert.deepEqual(
    rows.filter(({ client }) => /aggregated|proto/.test(client)),
    [],
  )
  assert.ok(rows.some(({ client }) => client === 'Unspecified'))
})

test('a report to one node is visible on the other', async () => {
  const [kira, liam] = await world.people('kira', 'liam')
  await kira.on('b').presence.report({ status: 'active', ping_only: true })

  const presence = await eventually(async () => {
    const { presences } = await liam.on('a').presence.list()
    return (presences as Record<string, object>)[kira.email]
  })

  assert.ok('aggregated' in presence)
})

test('concurrent reports of one user to two nodes emit one event', async () => {
  const [vera, will] = await world.people('vera', 'will')
  const queue = await listens(will)

  await Promise.all((['a', 'b'] as const).map((node) => vera.on(node).presence.report({ status: 'active' })))

  assert.equal((await queue.take(1)).length, 1)
  assert.deepEqual(await queue.rest(), [])
})
