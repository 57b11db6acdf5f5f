import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Person, startWorld } from '@oxbow/testkit'
import { call, refusal } from '@oxbow/testkit/calls/requests'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris, otto, fern] = await world.people('iris', 'otto', 'fern')
const ada = await world.person('ada', 'administrator')
const gus = await world.person('gus', 'guest')

const leave = (person: Person, ...subscriptions: string[]) =>
  person.subscriptions.unsubscribe({ subscriptions })
const listSubscribed = async (person: Person) =>
  (await person.on('b').subscriptions.list()).subscriptions.map(({ name }) => name)
const archivedName = async (stream_id: number) => {
  const [row] = await world.database.query<{ name: string }>(
    'select name from stream where id = $1 and archived_at is not null',
    [stream_id],
  )
  return row?.name
}

test('DELETE subscriptions returns the removed streams and the streams that the caller was not subscribed to', async () => {
  await world.stream('Garden', { members: [iris, gus, otto] })
  await world.stream('Pond', { members: [otto] })

  assert.deepEqual(await leave(iris, ' GARDEN ', 'pond'), { removed: ['Garden'], not_removed: ['Pond'] })
  assert.deepEqual(await leave(iris, 'Garden'), { removed: [], not_removed: ['Garden'] })
  assert.deepEqual(await leave(gus, 'Garden', 'garden'), { removed: ['Garden'], not_removed: [] })
  assert.deepEqual(await leave(otto), { removed: [], not_removed: [] })
  assert.deepEqual([await listSubscribed(iris), await listSubscribed(gus)], [[], []])
  assert.deepEqual(await listSubscribed(otto), ['Garden', 'Pond'])
})

test('a public stream is kept when its last subscriber leaves', async () => {
  const { stream_id } = await world.stream('Meadow', { members: [iris] })

  await leave(iris, 'Meadow')

  assert.deepEqual(await otto.streams.members({ stream_id }), { subscribers: [] })
  assert.deepEqual(await otto.streams.getId({ stream: 'meadow' }), { stream_id })
})

test('a private stream is archived when its last subscriber leaves', async () => {
  const { stream_id } = await world.stream('Cave', { members: [iris, otto], invite_only: true })
  await iris.subscriptions.subscribe({ subscriptions: [{ name: 'Cave' }] })

  await leave(iris, 'Cave')
  assert.equal(await archivedName(stream_id), undefined)
  await leave(otto, 'cave')

  assert.equal(await archivedName(stream_id), '!DEACTIVATED:Cave')
  const again = await iris.subscriptions.subscribe({ subscriptions: [{ name: 'Cave' }] })
  assert.deepEqual(again.subscribed, { [iris.email]: ['Cave'] })
})

test('a private stream with only deactivated subscribers is archived', async () => {
  const gone = await world.person('gone')
  const { stream_id } = await world.stream('Crypt', { members: [iris, gone], invite_only: true })
  await owner.users.deactivate({ user_id: gone.user_id })
  assert.equal(await archivedName(stream_id), undefined)

  await leave(iris, 'Crypt')

  assert.equal(await archivedName(stream_id), '!DEACTIVATED:Crypt')
})

test('a private default stream that is archived when its last subscriber leaves is no longer a default stream', async () => {
  const { stream_id } = await world.stream('Vestry', { members: [ada], invite_only: true })
  await ada.defaultStreams.add({ stream_id })
  const { id: group_id } = await ada.defaultStreams.createGroup({
    group_name: 'Church',
    description: '',
    stream_names: [],
  })
  await world.database.query(
    'insert into default_stream_group_stream (organization_id, group_id, stream_id) values ($1, $2, $3)',
    [world.organization_id, group_id, stream_id],
  )

  await leave(ada, 'Vestry')

  const state = await iris.events.register({
    fetch_event_types: ['default_streams', 'default_stream_groups'],
  })
  assert.deepEqual(state.realm_default_streams, [])
  assert.deepEqual(state.realm_default_stream_groups?.[0]?.streams, [])
})

test('administrators may unsubscribe anyone, and the response has one entry per user and stream', async () => {
  await world.stream('Hall', { members: [iris, otto, gus] })
  const den = await world.stream('Den', { members: [iris, otto], invite_only: true })

  const response = await ada.subscriptions.unsubscribe({
    subscriptions: ['Hall', 'Den'],
    principals: [iris.user_id, gus.user_id, iris.user_id],
  })

  assert.deepEqual(response, { removed: ['Hall', 'Den', 'Hall'], not_removed: ['Den'] })
  assert.deepEqual(await owner.streams.members(den), { subscribers: [otto.user_id] })
  const byAddress = { subscriptions: ['Hall'], principals: ['OTTO@garden.example'] }
  assert.deepEqual(await owner.subscriptions.unsubscribe(byAddress), { removed: ['Hall'], not_removed: [] })
})

test('members may unsubscribe only themselves, by id or by address', async () => {
  await world.stream('Barn', { members: [iris, otto, gus, fern] })
  const subscriptions = ['Barn']
  const refused = refusal('This action requires administrative rights')
  const remove = (by: Person, principals: number[] | string[]) =>
    by.subscriptions.unsubscribe({ subscriptions, principals: principals as never })

  for (const by of [iris, gus, await world.bot('robin', otto)]) {
    await assert.rejects(remove(by, [otto.user_id]), refused)
    await assert.rejects(remove(by, [otto.email]), refused)
    await assert.rejects(remove(by, [by.user_id, otto.user_id]), refused)
    await assert.rejects(remove(by, [999_999]), refused)
    // The caller's address must match the display address exactly, including case.
    await assert.rejects(remove(by, [by.email.toUpperCase()]), refused)
  }
  assert.deepEqual(await remove(iris, [iris.user_id]), { removed: ['Barn'], not_removed: [] })
  assert.deepEqual(await remove(gus, [gus.email]), { removed: ['Barn'], not_removed: [] })
  const none = await call(world, fern, 'DELETE /users/me/subscriptions', {
    subscriptions: '["Barn"]',
    principals: 'null',
  })
  assert.deepEqual(none.body.removed, ['Barn'])
  assert.deepEqual((await listSubscribed(otto)).includes('Barn'), true)
})

test('unsubscribing from an invisible private stream reports an unknown stream', async () => {
  await world.stream('Vault', { members: [otto], invite_only: true })

  const unknown = { errorName: 'STREAM_DOES_NOT_EXIST' }
  await assert.rejects(leave(iris, 'vault'), unknown)
  await assert.rejects(leave(gus, 'vault'), unknown)
  assert.deepEqual(await leave(world.owner, 'vault'), { removed: [], not_removed: ['Vault'] })
})

test('unsubscribing from missing streams reports the first one and unsubscribes from none', async () => {
  await world.stream('Porch', { members: [iris] })
  const missing = (stream: string) =>
    refusal(`Stream '${stream}' does not exist`, { code: 'STREAM_DOES_NOT_EXIST', stream })

  await assert.rejects(leave(iris, 'Porch', 'Nowhere', 'Nothing'), missing('Nowhere'))
  // Callers who may not create streams get the same error.
  await world.database.query('update organization set create_stream_policy = 2')
  await assert.rejects(leave(iris, 'Porch', '<b>'), missing('<b>'))
  await world.database.query('update organization set create_stream_policy = 1')

  assert.ok((await listSubscribed(iris)).includes('Porch'))
})

test('a request with several errors reports the first of: permission, streams, principals', async () => {
  await world.stream('Yard', { members: [iris] })
  const remove = (by: Person, subscriptions: string[], principals: number[]) =>
    by.subscriptions.unsubscribe({ subscriptions, principals: principals as never })
  const missing = refusal(`Stream 'Nowhere' does not exist`, {
    code: 'STREAM_DOES_NOT_EXIST',
    stream: 'Nowhere',
  })
  const nobody = refusal("User not authorized to execute queries on behalf of '999999'", {
    status: 403,
    code: 'UNAUTHORIZED_PRINCIPAL',
    principal: 999_999,
  })

  const rights = refusal('This action requires administrative rights')
  await assert.rejects(remove(iris, ['Nowhere'], [999_999]), rights)
  await assert.rejects(remove(iris, [' '], [999_999]), rights)
  await assert.rejects(remove(ada, ['Yard', 'Nowhere'], [999_999]), missing)
  await assert.rejects(remove(ada, ['Yard'], [iris.user_id, 999_999]), nobody)
  assert.ok((await listSubscribed(iris)).includes('Yard'))
})

test('invalid values are reported with parameter name and position', async () => {
  const missing = { code: 'REQUEST_VARIABLE_MISSING', var_name: 'subscriptions' }
  const cases: [params: Record<string, string>, refused: object][] = [
    [{}, refusal("Missing 'subscriptions' argument", missing)],
    [{ subscriptions: 'Yard' }, refusal('Argument "subscriptions" is not valid JSON.')],
    [{ subscriptions: '"Yard"' }, refusal('subscriptions is not a list')],
    [{ subscriptions: '[7]' }, refusal('subscriptions[0] is not a string')],
    [{ subscriptions: '[{"name":"Yard"}]' }, refusal('subscriptions[0] is not a string')],
    [{ subscriptions: '[]', principals: '["x", 7]' }, refusal('principals is not an allowed_type')],
    [{ subscriptions: '[]', principals: '7' }, refusal('principals is not an allowed_type')],
  ]
  for (const [params, refused] of cases)
    assert.deepEqual(await call(world, owner, 'DELETE /users/me/subscriptions', params), refused)
})

test('a private stream is archived when its last two subscribers leave concurrently', async () => {
  for (let round = 0; round < 10; round++) {
    const name = `Cell ${round}`
    const { stream_id } = await world.stream(name, { members: [iris, otto], invite_only: true })

    await Promise.all([
      iris.on('a').subscriptions.unsubscribe({ subscriptions: [name] }),
      otto.on('b').subscriptions.unsubscribe({ subscriptions: [name] }),
    ])

    assert.equal(await archivedName(stream_id), `!DEACTIVATED:${name}`)
  }
})
