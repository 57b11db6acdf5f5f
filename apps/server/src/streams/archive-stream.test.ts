import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { PostPolicy } from '@oxbow/contract'
import { openQueue, startWorld } from '@oxbow/testkit'
import { refusal } from '@oxbow/testkit/calls/requests'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris, otto] = await world.people('iris', 'otto')
const ada = await world.person('ada', 'administrator')

const rowOf = async (stream_id: number) => {
  const [row] = await world.database.query<{ name: string; invite_only: boolean; is_archived: boolean }>(
    'select name, invite_only, archived_at is not null as is_archived from stream where id = $1',
    [stream_id],
  )
  return row
}

const everyList = async (person: typeof iris) => {
  const { streams, subscriptions, unsubscribed, never_subscribed, muted_topics } =
    await person.events.register()
  return JSON.stringify([
    streams,
    subscriptions,
    unsubscribed,
    never_subscribed,
    muted_topics,
    await person.streams.list(),
    await person.subscriptions.list(),
  ])
}

test('an archived stream disappears for everyone, and its name is free at once', async () => {
  const { stream_id, name } = await world.stream('orchard', { members: [owner, iris] })
  await iris.subscriptions.muteTopic({ stream_id, topic: 'pears', op: 'add' })

  await owner.streams.archive({ stream_id })

  assert.deepEqual(await rowOf(stream_id), {
    name: '!DEACTIVATED:orchard',
    invite_only: true,
    is_archived: true,
  })
  for (const person of [owner, iris, otto]) assert.ok(!(await everyList(person)).includes('orchard'))
  const { streams } = await owner.streams.list({ include_all_active: true })
  assert.ok(!streams.some((stream) => stream.stream_id === stream_id))

  const { subscribed } = await otto.subscriptions.subscribe({ subscriptions: [{ name }] })
  assert.deepEqual(subscribed, { [otto.email]: ['orchard'] })
  const fresh = await otto.streams.getId({ stream: name })
  assert.notEqual(fresh.stream_id, stream_id)
  assert.deepEqual(await otto.streams.members(fresh), { subscribers: [otto.user_id] })
})

test('no endpoint finds an archived stream by id or by its new name', async () => {
  const { stream_id } = await world.stream('ruin', { members: [owner, iris] })
  await iris.subscriptions.muteTopic({ stream_id, topic: 'walls', op: 'add' })
  await owner.streams.archive({ stream_id })
  const name = '!DEACTIVATED:ruin'
  const byId = refusal('Invalid stream id')
  const byName = refusal(`Invalid stream name '${name}'`)
  const group = await owner.defaultStreams.createGroup({ group_name: 'G', description: '', stream_names: [] })

  const calls: [refused: object, attempt: () => Promise<unknown>][] = [
    [byId, () => owner.streams.archive({ stream_id })],
    [byId, () => owner.streams.update({ stream_id, new_name: 'ruin' })],
    [byId, () => owner.streams.members({ stream_id })],
    [byId, () => owner.streams.topics({ stream_id })],
    [byId, () => owner.streams.deleteTopic({ stream_id, topic_name: 'walls' })],
    [byId, () => owner.subscriptions.status({ stream_id, user_id: iris.user_id })],
    [byId, () => iris.subscriptions.setProperty({ stream_id, property: 'color', value: '#123456' })],
    [byId, () => iris.subscriptions.muteTopic({ stream_id, topic: 'doors', op: 'add' })],
    [byId, () => owner.defaultStreams.add({ stream_id })],
    [byId, () => owner.defaultStreams.remove({ stream_id })],
    [byName, () => owner.streams.getId({ stream: name })],
    [byName, () => iris.subscriptions.muteTopic({ stream: name, topic: 'doors', op: 'add' })],
    [
      byName,
      () => owner.defaultStreams.changeGroupStreams({ group_id: group.id, op: 'add', stream_names: [name] }),
    ],
    [
      refusal(`Unable to access stream (${name}).`),
      () => owner.subscriptions.subscribe({ subscriptions: [{ name }] }),
    ],
    [
      refusal(`Stream '${name}' does not exist`, { code: 'STREAM_DOES_NOT_EXIST', stream: name }),
      () => owner.subscriptions.unsubscribe({ subscriptions: [name] }),
    ],
    [
      refusal('Topic is not muted'),
      () => iris.subscriptions.muteTopic({ stream_id, topic: 'walls', op: 'remove' }),
    ],
  ]
  for (const [refused, attempt] of calls) await assert.rejects(attempt(), refused, String(attempt))
  assert.equal((await rowOf(stream_id))?.name, name)
})

test('streams with the same name are archived under different names of at most sixty characters', async () => {
  const long = '🌹'.repeat(60)
  const archived: (string | undefined)[] = []
  for (const name of ['shed', 'Shed', 'SHED', long, long]) {
    const { stream_id } = await world.stream(name)
    await owner.streams.archive({ stream_id })
    archived.push((await rowOf(stream_id))?.name)
  }

  assert.deepEqual(archived, [
    '!DEACTIVATED:shed',
    '!!DEACTIVATED:Shed',
    '!!!DEACTIVATED:SHED',
    `!DEACTIVATED:${'🌹'.repeat(47)}`,
    `!!DEACTIVATED:${'🌹'.repeat(46)}`,
  ])
})

test('an archived stream does not get a name that another stream already has', async () => {
  await world.stream('!deactivated:Well')
  const { stream_id } = await world.stream('well')

  await owner.streams.archive({ stream_id })

  assert.equal((await rowOf(stream_id))?.name, '!!DEACTIVATED:well')
})

test('streams that use the same name one after another can all be archived', async () => {
  const names: (string | undefined)[] = []
  for (let round = 0; round < 23; round++) {
    const { stream_id } = await world.stream('phoenix')
    await owner.streams.archive({ stream_id })
    const name = (await rowOf(stream_id))?.name
    names.push(name?.replace(/[0-9a-f-]{36}/, 'UUID'))
  }

  const marked = Array.from({ length: 21 }, (_, round) => `${'!'.repeat(round + 1)}DEACTIVATED:phoenix`)
  assert.deepEqual(names, [...marked, '!DEACTIVATED:UUID:phoenix', '!DEACTIVATED:UUID:phoenix'])
})

test('administrators can archive private streams that they are not subscribed to', async () => {
  const { stream_id } = await world.stream('nest', { members: [iris], invite_only: true })

  await ada.streams.archive({ stream_id })

  assert.equal((await rowOf(stream_id))?.is_archived, true)
})

test('archiving removes a stream from default streams, groups and notification settings', async () => {
  const { stream_id } = await world.stream('plaza')
  const other = await world.stream('alley')
  await owner.defaultStreams.add({ stream_id: other.stream_id })
  const stream_names = ['plaza', 'alley 2']
  await world.stream('alley 2')
  const inGroups = { description: '', stream_names }
  await owner.defaultStreams.createGroup({ group_name: 'First', ...inGroups })
  await owner.defaultStreams.createGroup({ group_name: 'Second', ...inGroups })
  await owner.defaultStreams.add({ stream_id })
  await world.database.query(
    'update organization set notifications_stream_id = $1, signup_notifications_stream_id = $1',
    [stream_id],
  )
  const inbox = await openQueue(iris)

  await owner.streams.archive({ stream_id })

  const state = await iris.on('b').events.register()
  assert.deepEqual(
    state.realm_default_streams?.map(({ name }) => name),
    ['alley'],
  )
  const groups = state.realm_default_stream_groups?.filter(({ name }) => name !== 'G')
  assert.deepEqual(
    groups?.map(({ name, streams }) => [name, streams.map((stream) => stream.name)]),
    [
      ['First', ['alley 2']],
      ['Second', ['alley 2']],
    ],
  )
  assert.equal(state.realm_notifications_stream_id, -1)
  assert.equal(state.realm_signup_notifications_stream_id, -1)
  await world.settled()
  const types = (await inbox.rest()).map((event) =>
    'op' in event ? `${event.type} ${event.op}` : event.type,
  )
  assert.deepEqual(types.slice(0, 3), ['default_streams', 'default_stream_groups', 'stream delete'])
})

test('a stream archived while users join has no subscribers', async () => {
  for (let round = 0; round < 10; round++) {
    const { stream_id, name } = await world.stream(`fair ${round}`, {
      stream_post_policy: PostPolicy.everyone,
    })

    await Promise.all([
      owner.streams.archive({ stream_id }),
      iris.on('b').subscriptions.subscribe({ subscriptions: [{ name }] }),
      otto.on('a').subscriptions.subscribe({ subscriptions: [{ name }] }),
    ])

    const inside = await world.database.query('select from subscription where stream_id = $1 and is_active', [
      stream_id,
    ])
    assert.equal(inside.length, 0)
    // A subscribe request that ran after the archiving created a new stream with the same name.
    const { subscriptions } = await iris.subscriptions.list()
    assert.ok(subscriptions.every((stream) => stream.stream_id !== stream_id))
  }
})

test('a stream gets a random archive name if all predictable archive names are taken', async () => {
  const { stream_id } = await world.stream('castle', { members: [iris], invite_only: true })
  const takenNames = Array.from({ length: 21 }, (_, marks) => `${'!'.repeat(marks + 1)}DEACTIVATED:castle`)
  const guessed = [...takenNames, `!DEACTIVATED:${stream_id}:castle`]
  await otto.subscriptions.subscribe({ subscriptions: guessed.map((name) => ({ name })) })

  await iris.subscriptions.unsubscribe({ subscriptions: ['castle'] })

  const row = await rowOf(stream_id)
  assert.equal(row?.is_archived, true)
  assert.match(row?.name ?? '', /^!DEACTIVATED:[0-9a-f-]{36}:castle$/)
})

test('a subscriber who was deactivated when a stream was archived can still follow its messages', async () => {
  const kim = await world.person('kim')
  const vine = await world.stream('vine', { members: [otto, kim, iris] })
  const sendToVine = (content: string) =>
    otto.messages.send({ type: 'stream', to: 'vine', topic: 'grapes', content })
  const { id: before } = await sendToVine('Ripe in ten days.')
  await owner.users.deactivate({ user_id: kim.user_id })
  const { id: during } = await sendToVine('Ripe in nine days.')
  await owner.streams.archive({ stream_id: vine.stream_id })
  await owner.users.reactivate({ user_id: kim.user_id })
  const note = { message_id: before, msg_type: 'note', content: '"Harvested."' }

  await otto.messages.addSubmessage(note)

  for (const person of [iris, kim]) {
    const { messages } = await person.messages.list({ anchor: String(before), num_before: 0, num_after: 0 })
    assert.deepEqual(
      messages[0]?.submessages.map(({ content }) => content),
      [note.content],
    )
    await person.messages.addReaction({ message_id: before, emoji_name: 'tada' })
  }
  await assert.rejects(kim.messages.getRaw({ message_id: during }), refusal('Invalid message(s)'))
})
