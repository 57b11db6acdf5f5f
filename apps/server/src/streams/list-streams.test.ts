import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Person, startWorld } from '@oxbow/testkit'
import { call, refusal } from '@oxbow/testkit/calls/requests'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris, otto] = await world.people('iris', 'otto')
const ada = await world.person('ada', 'administrator')
const gus = await world.person('gus', 'guest')
const robin = await world.bot('robin', iris)

const garden = await world.stream('garden', { members: [owner, iris, gus], description: 'All that *grows*' })
await world.stream('Zinnia')
// In code point order, the wide letter precedes the rose; in the order of UTF-16 units, it would
// follow.
await world.stream('🌹 roses')
await world.stream('Ａ wide letter')
const meadow = await world.stream('meadow', { members: [iris] })
await iris.subscriptions.unsubscribe({ subscriptions: [meadow.name] })
await world.stream('shed', { members: [iris], invite_only: true })
const vault = await world.stream('vault', { members: [owner], invite_only: true })
const cellar = await world.stream('cellar', { members: [owner], invite_only: true })
await owner.defaultStreams.add({ stream_id: cellar.stream_id })
await owner.defaultStreams.add({ stream_id: meadow.stream_id })
const attic = await world.stream('attic', { members: [owner, iris, gus] })
await owner.streams.archive({ stream_id: attic.stream_id })

const open = ['Zinnia', 'garden', 'meadow', 'Ａ wide letter', '🌹 roses']
/** Returns the public streams and the given ones in code point order. */
const openAnd = (...more: string[]) =>
  [...open, ...more].sort((a, b) => Buffer.from(a).compare(Buffer.from(b)))
const nothing = { include_public: false, include_subscribed: false }

const cases: [who: string, asker: Person, asked: Record<string, boolean>, names: string[]][] = [
  ['a member', iris, {}, openAnd('shed')],
  ['a member', otto, {}, open],
  ['a guest', gus, {}, ['garden']],
  ['an administrator', ada, {}, open],
  ['a bot', robin, {}, open],
  ['a member', iris, { include_public: false }, ['shed', 'garden'].sort()],
  ['a member', iris, { include_subscribed: false }, open],
  ['a guest', gus, { include_subscribed: false }, []],
  ['a member', iris, nothing, []],
  ['an owner', owner, nothing, []],
  ['an owner', owner, { ...nothing, include_all_active: true }, openAnd('cellar', 'shed', 'vault')],
  ['an administrator', ada, { include_all_active: true }, openAnd('cellar', 'shed', 'vault')],
  ['a member', otto, { ...nothing, include_default: true }, ['cellar', 'meadow']],
  ['a guest', gus, { include_default: true }, ['garden']],
  ['a bot', robin, { include_owner_subscribed: true }, openAnd('shed')],
  ['a bot', robin, { ...nothing, include_owner_subscribed: true }, ['garden', 'shed']],
  ['a member', iris, { ...nothing, include_owner_subscribed: true }, []],
]

for (const [who, asker, params, names] of cases) {
  test(`GET /streams by ${who} with ${JSON.stringify(params)} lists ${names.join(', ') || 'nothing'}`, async () => {
    const { streams } = await asker.on('b').streams.list(params)

    assert.deepEqual(
      streams.map(({ name }) => name),
      names,
    )
  })
}

test('include_all_active is refused for non-administrators', async () => {
  for (const asker of [iris, gus, robin])
    await assert.rejects(
      asker.streams.list({ include_all_active: true }),
      refusal('User not authorized for this query'),
    )
})

test('a listed stream has all fields, and is_default only if requested', async () => {
  const expected = {
    stream_id: garden.stream_id,
    name: 'garden',
    description: 'All that *grows*',
    rendered_description: '<p>All that <em>grows</em></p>',
    invite_only: false,
    is_web_public: false,
    stream_post_policy: 1,
    history_public_to_subscribers: true,
    first_message_id: null,
    message_retention_days: null,
    is_announcement_only: false,
    folder_id: null,
  }
  const find = async (params: { include_default?: boolean }, name: string) =>
    (await iris.streams.list(params)).streams.find((stream) => stream.name === name)

  assert.deepEqual(await find({}, 'garden'), expected)
  assert.deepEqual(await find({ include_default: true }, 'garden'), { ...expected, is_default: false })
  assert.equal((await find({ include_default: true }, 'meadow'))?.is_default, true)
})

test('subscribers are counted only on request, and only for streams whose subscribers the caller may list', async () => {
  const [leaf] = await world.people('leaf')
  const pond = await world.stream('pond', { members: [owner, iris, leaf] })
  await owner.users.deactivate({ user_id: leaf.user_id })
  const count = async (asker: Person, params: object) => {
    const { streams } = await asker.streams.list({ include_subscriber_counts: true, ...params })
    return Object.fromEntries(streams.map(({ name, subscriber_count }) => [name, subscriber_count]))
  }

  const all = await count(otto, { include_default: true })
  const guestCounts = await count(gus, {})
  const administratorCounts = await count(ada, { include_all_active: true })
  const { streams: plain } = await otto.streams.list()
  await owner.streams.archive({ stream_id: pond.stream_id })

  assert.deepEqual([all.garden, all.meadow, all.pond], [3, 0, 2])
  assert.ok('cellar' in all && all.cellar === undefined, 'a private default stream is listed without a count')
  assert.deepEqual(guestCounts, { garden: 3 })
  assert.deepEqual([administratorCounts.shed, administratorCounts.vault], [1, 1])
  assert.ok(plain.every((stream) => !('subscriber_count' in stream)))
})

test('GET /streams refuses flags that are not JSON booleans', async () => {
  for (const name of ['include_public', 'include_subscribed', 'include_all_active', 'include_default']) {
    const list = (value: string) => call(world, owner, 'GET /streams', { [name]: value })
    assert.deepEqual(await list('yes'), refusal(`Argument "${name}" is not valid JSON.`))
    assert.deepEqual(await list('1'), refusal(`${name} is not a boolean`))
    assert.deepEqual(await list('"true"'), refusal(`${name} is not a boolean`))
  }
})

test('a public stream without active subscribers is still listed', async () => {
  const [fern] = await world.people('fern')
  const { name } = await world.stream('hedge', { members: [fern] })

  await owner.users.deactivate({ user_id: fern.user_id })

  const { streams } = await otto.streams.list()
  assert.ok(streams.some((stream) => stream.name === name))
})

test('get_stream_id ignores case and surrounding spaces of the name', async () => {
  for (const stream of ['garden', 'GARDEN', '  Garden\t'])
    assert.deepEqual(await gus.on('b').streams.getId({ stream }), { stream_id: garden.stream_id })
  assert.deepEqual(await owner.streams.getId({ stream: 'Vault' }), { stream_id: vault.stream_id })
})

test('an unknown stream name is repeated verbatim in the error', async () => {
  const cases: [asker: Person, stream: string][] = [
    [iris, 'nowhere'],
    [iris, ' Nowhere <b> '],
    [iris, ''],
    [iris, 'vault'],
    // Administrators have no special rights here.
    [ada, 'Vault'],
    [gus, 'meadow'],
    [owner, 'attic'],
    [owner, '!DEACTIVATED:attic'],
  ]
  for (const [asker, stream] of cases)
    await assert.rejects(asker.streams.getId({ stream }), refusal(`Invalid stream name '${stream}'`))
  assert.deepEqual(
    await call(world, iris, 'GET /get_stream_id'),
    refusal("Missing 'stream' argument", { code: 'REQUEST_VARIABLE_MISSING', var_name: 'stream' }),
  )
})

test('an empty stream lists no topics, and deleting an unknown topic succeeds', async () => {
  const { stream_id } = garden
  for (const asker of [iris, otto, gus])
    assert.deepEqual(await asker.streams.topics({ stream_id }), { topics: [] })
  await owner.streams.deleteTopic({ stream_id, topic_name: 'roses' })
  await ada.streams.deleteTopic({ stream_id: meadow.stream_id, topic_name: 'roses' })

  const unknown = refusal('Invalid stream id')
  const hidden: [asker: Person, stream_id: typeof stream_id][] = [
    [iris, vault.stream_id],
    [ada, vault.stream_id],
    [gus, meadow.stream_id],
    [owner, attic.stream_id],
    [owner, 999_999 as typeof stream_id],
  ]
  for (const [asker, stream_id] of hidden) await assert.rejects(asker.streams.topics({ stream_id }), unknown)
  // Deleting a topic of a private stream requires a subscription.
  await assert.rejects(ada.streams.deleteTopic({ stream_id: vault.stream_id, topic_name: 'x' }), unknown)
  await assert.rejects(owner.streams.deleteTopic({ stream_id: attic.stream_id, topic_name: 'x' }), unknown)
  assert.deepEqual(
    await call(world, owner, `POST /streams/${stream_id}/delete_topic`),
    refusal("Missing 'topic_name' argument", { code: 'REQUEST_VARIABLE_MISSING', var_name: 'topic_name' }),
  )
})
