import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startWorld } from '@oxbow/testkit'
import { call, refusal } from '@oxbow/testkit/calls/requests'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris, otto] = await world.people('iris', 'otto')
const gus = await world.person('gus', 'guest')
await world.stream('garden', { members: [iris, otto, gus] })
await world.stream('pond', { members: [otto] })
await world.stream('vault', { members: [otto], invite_only: true })
await world.stream('shed', { members: [otto] })

const listSubscribed = async () => (await iris.subscriptions.list()).subscriptions.map(({ name }) => name)

test('one PATCH request can subscribe and unsubscribe, and the response reports both', async () => {
  const response = await iris.subscriptions.change({
    add: [{ name: 'Pond', color: '#123456' }, { name: 'meadow', description: 'Wide' }, { name: 'garden' }],
    delete: ['GARDEN', 'shed'],
    stream_post_policy: 3,
  })

  assert.deepEqual(response, {
    subscribed: { [iris.email]: ['pond', 'meadow'] },
    already_subscribed: { [iris.email]: ['garden'] },
    removed: ['garden'],
    not_removed: ['shed'],
  })
  const { subscriptions } = await iris.subscriptions.list()
  assert.deepEqual(
    subscriptions.map(({ name, description, stream_post_policy }) => [name, description, stream_post_policy]),
    [
      ['meadow', 'Wide', 3],
      ['pond', '', 1],
    ],
  )
})

test('a PATCH request may have only streams to add or only streams to delete', async () => {
  const nothing = { subscribed: {}, already_subscribed: {}, removed: [], not_removed: [] }
  assert.deepEqual(await iris.subscriptions.change({ add: [{ name: 'garden' }] }), {
    ...nothing,
    subscribed: { [iris.email]: ['garden'] },
  })
  assert.deepEqual(await iris.subscriptions.change({ delete: ['garden'] }), {
    ...nothing,
    removed: ['garden'],
  })
  assert.deepEqual(
    await iris.subscriptions.change({
      add: [{ name: 'vault' }],
      authorization_errors_fatal: false,
    }),
    { ...nothing, unauthorized: ['vault'] },
  )
})

test('principals apply to added and removed streams', async () => {
  const response = await owner.subscriptions.change({
    add: [{ name: 'hill' }],
    delete: ['garden'],
    principals: [otto.user_id, gus.user_id],
  })

  assert.deepEqual(response, {
    subscribed: { [otto.email]: ['hill'], [gus.email]: ['hill'] },
    already_subscribed: {},
    removed: ['garden', 'garden'],
    not_removed: [],
  })
  await assert.rejects(
    iris.subscriptions.change({ delete: ['hill'], principals: [otto.user_id] }),
    refusal('This action requires administrative rights'),
  )
})

test('if subscribing or unsubscribing is refused, the whole request changes nothing', async () => {
  const before = await listSubscribed()
  const missing = refusal(`Stream 'nowhere' does not exist`, {
    code: 'STREAM_DOES_NOT_EXIST',
    stream: 'nowhere',
  })

  await assert.rejects(iris.subscriptions.change({ add: [{ name: 'cliff' }], delete: ['nowhere'] }), missing)
  await assert.rejects(
    iris.subscriptions.change({ add: [{ name: 'cliff' }, { name: 'vault' }], delete: ['pond'] }),
    refusal('Unable to access stream (vault).'),
  )

  assert.deepEqual(await listSubscribed(), before)
  await assert.rejects(iris.streams.getId({ stream: 'cliff' }), refusal("Invalid stream name 'cliff'"))
})

test('invalid values are reported with parameter name and position', async () => {
  const nothing = refusal('Nothing to do. Specify at least one of "add" or "delete".')
  const cases: [params: Record<string, string>, refused: object][] = [
    [{}, nothing],
    [{ add: '[]' }, nothing],
    [{ delete: '[]' }, nothing],
    [{ add: '[]', delete: '[]', principals: '[999999]' }, nothing],
    [{ add: '{}' }, refusal('add is not a list')],
    [{ add: '["garden"]' }, refusal('add[0] is not a dict')],
    [{ add: '[{"name":"x","color":"red"}]' }, refusal('add[0]["color"] is not a valid hex color code')],
    [{ add: '[{"name":"x","age":1}]' }, refusal('Unexpected arguments: age')],
    [{ delete: '[7]' }, refusal('delete[0] is not a string')],
    [{ delete: 'garden' }, refusal('Argument "delete" is not valid JSON.')],
  ]
  for (const [params, refused] of cases)
    assert.deepEqual(await call(world, owner, 'PATCH /users/me/subscriptions', params), refused)
})

test('guests may unsubscribe by DELETE but not by PATCH', async () => {
  const guest = refusal('Not allowed for guest users')
  assert.deepEqual(await call(world, gus, 'PATCH /users/me/subscriptions', {}), guest)
  await assert.rejects(gus.subscriptions.change({ delete: ['hill'] }), guest)
  const response = await gus.subscriptions.unsubscribe({ subscriptions: ['hill'] })
  assert.deepEqual(response.removed, ['hill'])
})

test('a private stream created and left in one request is archived', async () => {
  const response = await iris.subscriptions.change({
    add: [{ name: 'moment' }],
    delete: ['moment'],
    invite_only: true,
  })

  assert.deepEqual([response.subscribed, response.removed], [{ [iris.email]: ['moment'] }, ['moment']])
  const rows = await world.database.query(`select name from stream where name ilike '%moment'`)
  assert.deepEqual(rows, [{ name: '!DEACTIVATED:moment' }])
})

test('concurrent requests that swap streams do not deadlock', async () => {
  await using world = await startWorld({ ownServer: true })
  const [iris, otto] = await world.people('iris', 'otto')
  await world.stream('east', { members: [iris] })
  await world.stream('west', { members: [otto] })
  const move = (by: typeof iris, to: string, from: string) =>
    by.subscriptions.change({ add: [{ name: to }], delete: [from] })

  for (let round = 0; round < 5; round++) {
    await Promise.all([move(iris, 'west', 'east'), move(otto.on('b') as typeof iris, 'east', 'west')])
    await Promise.all([move(iris, 'east', 'west'), move(otto.on('b') as typeof iris, 'west', 'east')])
  }

  // PostgreSQL sessions may delay their statistics until they end.
  await Promise.all(Object.values(world.nodes).map((node) => node.stop()))
  const counted = 'select deadlocks::int from pg_stat_database where datname = current_database()'
  assert.deepEqual(await world.database.query(counted), [{ deadlocks: 0 }])
})
