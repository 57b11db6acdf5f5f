import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Role, type StreamId } from '@oxbow/contract'
import { expectSameState, openQueue, type Person, startWorld } from '@oxbow/testkit'
import { call, refusal } from '@oxbow/testkit/calls/requests'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris] = await world.people('iris')
const ada = await world.person('ada', 'administrator')
const gus = await world.person('gus', 'guest')
const garden = await world.stream('garden', { members: [iris] })
const den = await world.stream('den', { invite_only: true })

const defaultsOf = async (person: Person) =>
  (
    await person.on('b').events.register({ fetch_event_types: ['default_streams'] })
  ).realm_default_streams?.map(({ name }) => name)
const clear = () => world.database.query('delete from default_stream')

test('default streams are listed by name for all users except guests, and adding a stream twice changes nothing', async () => {
  const inbox = await openQueue(iris)
  const guestInbox = await openQueue(gus)
  const add = (stream_id: StreamId) => owner.defaultStreams.add({ stream_id })

  await add(garden.stream_id)
  await add(den.stream_id)
  await add(garden.stream_id)

  assert.deepEqual(await defaultsOf(iris), ['den', 'garden'])
  assert.deepEqual(await defaultsOf(gus), [])
  await world.settled()
  const received = (await inbox.rest()).map(
    (event) => event.type === 'default_streams' && event.default_streams.map(({ name }) => name),
  )
  assert.deepEqual(received, [['garden'], ['den', 'garden']])
  assert.deepEqual(await guestInbox.rest(), [])
  await clear()
})

test('removing a stream that is not a default stream still emits the list of default streams', async () => {
  await owner.defaultStreams.add({ stream_id: garden.stream_id })
  const inbox = await openQueue(iris)

  // An administrator who is not subscribed to the private stream may remove it, but could not add
  // it.
  await ada.defaultStreams.remove({ stream_id: den.stream_id })
  await owner.defaultStreams.remove({ stream_id: garden.stream_id })
  await owner.defaultStreams.remove({ stream_id: garden.stream_id })

  assert.deepEqual(await defaultsOf(iris), [])
  await world.settled()
  const received = (await inbox.rest()).map(
    (event) => event.type === 'default_streams' && event.default_streams.map(({ name }) => name),
  )
  assert.deepEqual(received, [['garden'], [], []])
})

test('missing and invisible streams are refused as default streams', async () => {
  const gone = await world.stream('gone')
  await owner.streams.archive(gone)
  const unknown = refusal('Invalid stream id')
  for (const method of ['POST', 'DELETE'])
    for (const id of [gone.stream_id, 0, 999_999])
      assert.deepEqual(
        await call(world, owner, `${method} /default_streams`, { stream_id: String(id) }),
        unknown,
      )
  await assert.rejects(ada.defaultStreams.add({ stream_id: den.stream_id }), unknown)
  const cases: [params: Record<string, string>, refused: object][] = [
    [
      {},
      refusal("Missing 'stream_id' argument", { code: 'REQUEST_VARIABLE_MISSING', var_name: 'stream_id' }),
    ],
    [{ stream_id: '"7"' }, refusal('stream_id is not an integer')],
    [{ stream_id: 'garden' }, refusal('Argument "stream_id" is not valid JSON.')],
  ]
  const denied = refusal('Must be an organization administrator', { code: 'UNAUTHORIZED_PRINCIPAL' })
  for (const method of ['POST', 'DELETE'])
    for (const [params, refused] of cases) {
      assert.deepEqual(await call(world, owner, `${method} /default_streams`, params), refused)
      assert.deepEqual(await call(world, iris, `${method} /default_streams`, params), denied)
    }
})

test('new users are subscribed to all default streams, including private ones', async () => {
  await owner.defaultStreams.add({ stream_id: garden.stream_id })
  await owner.defaultStreams.add({ stream_id: den.stream_id })
  const inbox = await openQueue(owner)

  const { user_id } = await owner.users.create({
    email: 'nora@garden.example',
    full_name: 'Nora New',
    password: 'reed 12 heron lake',
  })
  const otto = await world.person('otto')

  assert.deepEqual(await owner.streams.members(garden), {
    subscribers: [iris.user_id, user_id, otto.user_id],
  })
  const { subscriptions } = await otto.subscriptions.list()
  assert.deepEqual(
    subscriptions.map(({ name, color }) => [name, color]),
    [
      ['den', '#76ce90'],
      ['garden', '#fae589'],
    ],
  )
  // The event about the new user comes before their subscriptions, and that about the group of their role between.
  const events = (await inbox.take(4)).filter(({ type }) => type !== 'user_group')
  assert.deepEqual(
    events.slice(0, 3).map((event) => {
      if (event.type === 'realm_user' && event.op === 'add') return event.person.user_id
      return event.type === 'subscription' && event.op === 'peer_add' && [event.stream_id, event.user_id]
    }),
    [user_id, [den.stream_id, user_id], [garden.stream_id, user_id]],
  )
  await clear()
})

test('new guests are subscribed to the default streams', async () => {
  await owner.defaultStreams.add({ stream_id: garden.stream_id })

  const gwen = await world.person('gwen', 'guest')

  const { subscriptions } = await gwen.subscriptions.list()
  assert.deepEqual(
    subscriptions.map(({ name }) => name),
    ['garden'],
  )
  await clear()
})

test('users who see a private stream only as a default stream get the changed list when the stream changes', async () => {
  await owner.defaultStreams.add({ stream_id: den.stream_id })
  const inbox = await openQueue(iris)

  await owner.streams.update({ stream_id: den.stream_id, new_name: 'lair', description: 'Deep' })

  assert.deepEqual(await defaultsOf(iris), ['lair'])
  const [event] = await inbox.take(1)
  assert.deepEqual(
    event?.type === 'default_streams' &&
      event.default_streams.map(({ name, description }) => [name, description]),
    [['lair', 'Deep']],
  )
  await clear()
})

test('a demoted administrator still sees a private stream in the lists of default streams and groups', async () => {
  const abbot = await world.person('abbot', 'administrator')
  const crypt = await world.stream('crypt', { invite_only: true })
  const group = { group_name: 'Below', description: '', stream_names: ['crypt'] }
  await owner.defaultStreams.createGroup(group)
  await owner.defaultStreams.add(crypt)

  await expectSameState(world, { abbot, owner, iris }, () =>
    owner.users.update({ user_id: abbot.user_id, role: Role.member }),
  )

  assert.deepEqual(await defaultsOf(abbot), ['crypt'])
  await clear()
})

test('a user created while a default stream is added is either subscribed to it or not, in every list', async () => {
  for (let round = 0; round < 5; round++) {
    const { stream_id, name } = await world.stream(`late ${round}`)

    const [, person] = await Promise.all([
      owner.defaultStreams.add({ stream_id }),
      world.person(`comer${round}`),
    ])
    const next = await world.person(`next${round}`)

    const { subscriptions } = await next.subscriptions.list()
    assert.ok(subscriptions.some((own) => own.name === name))
    const first = (await person.subscriptions.list()).subscriptions.filter((own) => own.name === name)
    const { is_subscribed } = await owner.subscriptions.status({ stream_id, user_id: person.user_id })
    assert.equal(is_subscribed, first.length === 1)
  }
})
