import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually, startWorld } from '@oxbow/testkit'
import { refusal } from '@oxbow/testkit/calls/requests'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const [iris, otto, fern] = await world.people('iris', 'otto', 'fern')
const of = (user_id_or_email: string | number) =>
  iris.presence.get({ user_id_or_email: String(user_id_or_email) })

test('presence is found by id or case-insensitive address, and is offline after five minutes', async () => {
  await otto.presence.report({ status: 'active' })

  const byId = await of(otto.user_id)
  const byAddress = await of(otto.email.toUpperCase())
  await world.database.query(
    `update presence set active_at = active_at - interval '301 seconds' where organization_id = $1`,
    [world.organization_id],
  )
  const later = await of(otto.user_id)

  const { aggregated, ...reports } = byId.presence
  const [report] = Object.values(reports)
  assert.deepEqual([aggregated, aggregated], [report, { status: 'active', timestamp: aggregated?.timestamp }])
  assert.deepEqual(byAddress.presence, byId.presence)
  assert.equal(later.presence.aggregated?.status, 'offline')
  assert.ok(
    Object.entries(later.presence).every(
      ([name, { status }]) => name === 'aggregated' || status === 'active',
    ),
  )
})

test('users without presence and unknown users get different errors', async () => {
  const bot = await world.bot('robot', otto)
  const gone = await world.person('gone')
  await gone.presence.report({ status: 'active' })
  await world.owner.users.deactivate({ user_id: gone.user_id })

  await assert.rejects(of(fern.user_id), refusal(`No presence data for ${fern.user_id}`))
  await assert.rejects(of(bot.email), refusal('Presence is not supported for bot users.'))
  for (const nobody of [gone.user_id, gone.email, 'nobody@garden.example', 2 ** 49, '0']) {
    await assert.rejects(of(nobody), refusal('No such user'))
  }
})

test('a presence list that was read before addresses were hidden is not reused', async () => {
  await using world = await startWorld()
  const { owner } = world
  const iris = await world.person('iris')
  await iris.presence.report({ status: 'active' })
  const listed = async (node: 'a' | 'b') => JSON.stringify(await owner.on(node).presence.list())
  for (const node of ['a', 'b'] as const)
    await eventually(async () => (await listed(node)).includes(iris.email))

  await owner.organization.update({ email_address_visibility: 4 })

  for (const node of ['a', 'b'] as const) assert.ok(!(await listed(node)).includes(iris.email))
})
