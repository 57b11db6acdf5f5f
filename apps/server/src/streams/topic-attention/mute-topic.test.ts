import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openQueue, type Person, startWorld } from '@oxbow/testkit'
import { call, refusal } from '@oxbow/testkit/calls/requests'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris, otto] = await world.people('iris', 'otto')
const gus = await world.person('gus', 'guest')
const garden = await world.stream('garden', { members: [owner, iris, gus] })
const vault = await world.stream('vault', { members: [owner, otto], invite_only: true })
const { stream_id } = garden

const mutedBy = async (person: Person) =>
  (await person.on('b').events.register({ fetch_event_types: ['muted_topics'] })).muted_topics?.map(
    ([stream, topic]) => [stream, topic],
  )
const mute = (person: Person, topic: string, id = stream_id) =>
  person.subscriptions.muteTopic({ stream_id: id, topic, op: 'add' })
const unmute = (person: Person, topic: string, id = stream_id) =>
  person.subscriptions.muteTopic({ stream_id: id, topic, op: 'remove' })

test('muting a topic by stream id or name emits the whole list', async () => {
  const before = Math.floor(Date.now() / 1_000)
  const inbox = await openQueue(iris, { generation: 27 })

  await iris.subscriptions.muteTopic({ stream: ' GARDEN ', topic: 'Roses', op: 'add' })
  await mute(iris, 'weeds')
  await iris.subscriptions.muteTopic({ stream: 'Garden', topic: 'roses', op: 'remove' })

  const events = await inbox.take(3)
  const lists = events.map((event) => (event.type === 'muted_topics' ? event.muted_topics : undefined))
  assert.deepEqual(
    lists.map((list) => list?.map(([stream, topic]) => [stream, topic])),
    [
      [['garden', 'Roses']],
      [
        ['garden', 'Roses'],
        ['garden', 'weeds'],
      ],
      [['garden', 'weeds']],
    ],
  )
  const at = lists[0]?.[0]?.[2] ?? 0
  assert.ok(at >= before && at <= Date.now() / 1_000)
  assert.deepEqual(await mutedBy(iris), [['garden', 'weeds']])
  await unmute(iris, 'weeds')
})

test('muting and unmuting ignore the case of a topic, and the list keeps the first spelling', async () => {
  await mute(iris, 'Äpfel')

  for (const topic of ['Äpfel', 'äPFEL'])
    await assert.rejects(mute(iris, topic), refusal('Topic already muted'))
  assert.deepEqual(await mutedBy(iris), [['garden', 'Äpfel']])
  await unmute(iris, 'ÄPFEL')
  assert.deepEqual(await mutedBy(iris), [])
  await assert.rejects(unmute(iris, 'Äpfel'), refusal('Topic is not muted'))
})

test('muting requires access but no subscription, and unmuting requires neither', async () => {
  // Otto is not subscribed, but the stream is public.
  await mute(otto, 'roses')
  await mute(otto, 'gold', vault.stream_id)
  await mute(gus, 'roses')

  await otto.subscriptions.unsubscribe({ subscriptions: ['vault'] })
  await gus.subscriptions.unsubscribe({ subscriptions: ['garden'] })
  await assert.rejects(mute(otto, 'silver', vault.stream_id), refusal('Invalid stream id'))
  await assert.rejects(mute(gus, 'weeds'), refusal('Invalid stream id'))
  assert.deepEqual(await mutedBy(otto), [
    ['garden', 'roses'],
    ['vault', 'gold'],
  ])

  await unmute(otto, 'gold', vault.stream_id)
  await unmute(otto, 'roses')
  await unmute(gus, 'ROSES')
  assert.deepEqual([await mutedBy(otto), await mutedBy(gus)], [[], []])
})

test('muted topics have the new name of a renamed stream and disappear when it is archived', async () => {
  const { stream_id: id } = await world.stream('lane')
  await mute(iris, 'lamps', id)

  await owner.streams.update({ stream_id: id, new_name: 'street' })
  assert.deepEqual(await mutedBy(iris), [['street', 'lamps']])
  await owner.streams.archive({ stream_id: id })

  assert.deepEqual(await mutedBy(iris), [])
})

test('only the user who muted a topic gets the event', async () => {
  const inbox = await openQueue(owner, { generation: 27 })

  await mute(iris, 'secretly')
  await unmute(iris, 'secretly')

  await world.settled()
  assert.deepEqual(await inbox.rest(), [])
})

test('invalid mute requests are refused with their errors', async () => {
  const [id, name] = [String(stream_id), 'garden']
  const invalid = (var_name: string) =>
    refusal(`Missing '${var_name}' argument`, { code: 'REQUEST_VARIABLE_MISSING', var_name })
  const hidden = String(vault.stream_id)
  const choose = "Please choose one: 'stream' or 'stream_id'."
  const cases: [params: Record<string, string>, refused: string | object][] = [
    [{ topic: 'x', op: 'add' }, "Please supply 'stream'."],
    [{ topic: 'x', op: 'remove' }, "Please supply 'stream'."],
    [{ topic: 'x', op: 'add', stream: name, stream_id: id }, choose],
    [{ topic: 'x', op: 'remove', stream: name, stream_id: id }, choose],
    [{ topic: 'x', op: 'add', stream: ' Nowhere' }, "Invalid stream name ' Nowhere'"],
    [{ topic: 'x', op: 'add', stream: 'vault' }, "Invalid stream name 'vault'"],
    [{ topic: 'x', op: 'add', stream: '' }, "Invalid stream name ''"],
    [{ topic: 'x', op: 'add', stream_id: '999999' }, 'Invalid stream id'],
    [{ topic: 'x', op: 'add', stream_id: hidden }, 'Invalid stream id'],
    [{ topic: 'x', op: 'remove', stream: 'Nowhere' }, 'Topic is not muted'],
    [{ topic: 'x', op: 'remove', stream_id: '999999' }, 'Topic is not muted'],
    [{ topic: 'x', op: 'remove', stream_id: hidden }, 'Topic is not muted'],
    [{ topic: 'x', op: 'remove', stream_id: id }, 'Topic is not muted'],
    [{ topic: 'x', op: 'toggle', stream_id: id }, 'Invalid op'],
    [{ topic: '🌹'.repeat(63), op: 'add', stream_id: id }, 'topic is too long (limit: 62 characters)'],
    [{ topic: 'x', op: 'add', stream_id: '"7"' }, 'stream_id is not an integer'],
    [{ topic: 'x', op: 'add', stream_id: 'x' }, 'Argument "stream_id" is not valid JSON.'],
    [{ topic: 'a\0b', op: 'add', stream_id: id }, 'Argument "topic" contains a NUL character.'],
    [{ op: 'add', stream_id: id }, invalid('topic')],
    [{ topic: 'x', stream_id: id }, invalid('op')],
  ]
  for (const [params, refused] of cases)
    assert.deepEqual(
      await call(world, iris, 'PATCH /users/me/subscriptions/muted_topics', params),
      typeof refused === 'string' ? refusal(refused) : refused,
      JSON.stringify(params),
    )
  assert.deepEqual(await mutedBy(iris), [])
  await mute(iris, '🌹'.repeat(60))
  await unmute(iris, '🌹'.repeat(60))
})

test('one of several concurrent requests to mute the same topic succeeds, with one event', async () => {
  for (let round = 0; round < 10; round++) {
    const topic = `twice ${round}`
    const inbox = await openQueue(otto, { generation: 27 })

    const [one, two] = await Promise.allSettled([
      mute(otto, topic),
      otto.on('b').subscriptions.muteTopic({ stream_id, topic: topic.toUpperCase(), op: 'add' }),
    ])

    assert.deepEqual([one.status, two.status].sort(), ['fulfilled', 'rejected'])
    await world.settled()
    assert.equal((await inbox.rest()).length, 1)
  }
})
