import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Event, MessageId } from '@oxbow/contract'
import { type MadeStream, type Person, startWorld } from '@oxbow/testkit'
import { collectEvents } from '@oxbow/testkit/calls/events'
import { readMessages, sendToStream } from '@oxbow/testkit/calls/messages'
import { refusal } from '@oxbow/testkit/calls/requests'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const [iris, otto, nora] = await world.people('iris', 'otto', 'nora')
const ada = await world.person('ada', 'administrator')
const gus = await world.person('gus', 'guest')
const gil = await world.person('gil', 'guest')

const aboutMoves = { event_types: ['update_message', 'delete_message'] }
const quietly = { send_notification_to_old_thread: false, send_notification_to_new_thread: false }

let count = 0
const newStream = (members: Person[]) => world.stream(`stream ${++count}`, { members })
const idsIn = async (person: Person, stream: MadeStream) =>
  (await readMessages(person, { stream: stream.name })).map(({ id }) => id)
const flagsOf = async (person: Person, stream: MadeStream, id: MessageId) =>
  (await readMessages(person, { stream: stream.name })).find((message) => message.id === id)?.flags

/** Returns the fields of an event that describe the move. */
const summarize = (event: Event) =>
  event.type === 'delete_message'
    ? ['gone', event.message_id]
    : event.type === 'update_message' && [event.stream_id, event.new_stream_id, event.message_ids]

test('moving a topic to another stream notifies subscribers of both streams once', async () => {
  const from = await newStream([iris, otto])
  const to = await newStream([iris, nora])
  const ids = [await sendToStream(iris, from, 'roses'), await sendToStream(iris, from, 'Roses')] as const
  const [first, second] = ids

  const move = () =>
    ada.messages.edit({
      message_id: second,
      stream_id: to.stream_id,
      propagate_mode: 'change_all',
      ...quietly,
    })
  const events = await collectEvents(world, { iris, otto, nora, ada }, move, aboutMoves)

  const expected = [[from.stream_id, to.stream_id, [second, first]]]
  for (const name of ['iris', 'otto', 'nora']) assert.deepEqual(events[name]?.map(summarize), expected, name)
  assert.deepEqual(events.ada, [])
  const [event] = events.otto ?? []
  assert.ok(event?.type === 'update_message')
  assert.deepEqual(
    [event.stream_name, event.orig_subject, event.subject, event.propagate_mode, 'topic_links' in event],
    [from.name, 'Roses', undefined, 'change_all', false],
  )
  assert.ok(!(await idsIn(otto, from)).includes(first))
  const moved = (await readMessages(otto, { stream: to.name })).filter(
    ({ id }) => id === first || id === second,
  )
  assert.deepEqual(
    moved.map((message) => message.type === 'stream' && [message.topic, message.display_recipient]),
    [
      ['roses', to.name],
      ['Roses', to.name],
    ],
  )
  assert.deepEqual(
    moved.map(({ edit_history }) =>
      edit_history?.map(({ prev_stream, prev_subject }) => [prev_stream, prev_subject]),
    ),
    [undefined, [[from.stream_id, undefined]]],
  )
})

test('moving a topic to another stream under a new name includes messages whose topic differs in case', async () => {
  const from = await newStream([iris])
  const to = await newStream([iris])
  const message_id = await sendToStream(iris, from, 'roses')
  const inCapitals = await sendToStream(iris, from, 'ROSES')

  const move = () =>
    ada.messages.edit({
      message_id,
      stream_id: to.stream_id,
      topic: 'Tulips',
      propagate_mode: 'change_later',
      ...quietly,
    })
  const events = await collectEvents(world, { iris }, move, aboutMoves)

  const { topics } = await iris.streams.topics({ stream_id: to.stream_id })
  assert.ok(topics.some(({ name }) => name === 'Tulips'))
  const [event] = events.iris ?? []
  assert.deepEqual(
    event?.type === 'update_message' && [event.subject, event.topic_links, event.message_ids],
    ['Tulips', [], [message_id, inCapitals]],
  )
})

test('a move deletes messages and their flags for guests who never subscribed to the new stream', async () => {
  const from = await newStream([iris, gus, gil])
  const to = await newStream([iris, gil])
  const message_id = await sendToStream(iris, from, 'roses', 'For @**Gus Gardener** and @**Gil Gardener**')
  for (const guest of [gus, gil])
    await guest.messages.changeFlags({ messages: [message_id], op: 'add', flag: 'starred' })

  const move = () => ada.messages.edit({ message_id, stream_id: to.stream_id, ...quietly })
  const events = await collectEvents(world, { gus, gil }, move, aboutMoves)

  assert.deepEqual(events.gus?.map(summarize), [['gone', message_id]])
  assert.ok(!JSON.stringify(events.gus).includes(to.name))
  assert.deepEqual(events.gil?.map(summarize), [[from.stream_id, to.stream_id, [message_id]]])
  await assert.rejects(gus.messages.getRaw({ message_id }), refusal('Invalid message(s)'))
  await gil.messages.getRaw({ message_id })
  const rows = await world.database.query<{ user_id: number }>(
    'select user_id::int from user_message where message_id = $1',
    [message_id],
  )
  assert.deepEqual(rows, [{ user_id: gil.user_id }])
})

test('a move takes messages away from guests subscribed to the old stream, and guests who left it get no event', async () => {
  const from = await newStream([iris, gil])
  const to = await newStream([iris])
  const message_id = await sendToStream(iris, from, 'roses')
  await gil.subscriptions.unsubscribe({ subscriptions: [from.name] })
  await iris.subscriptions.subscribe({ subscriptions: [{ name: from.name }], principals: [gus.user_id] })

  const move = () => ada.messages.edit({ message_id, stream_id: to.stream_id, ...quietly })
  const events = await collectEvents(world, { gus, gil }, move, aboutMoves)

  assert.deepEqual(events.gus?.map(summarize), [['gone', message_id]])
  assert.deepEqual(events.gil, [])
})

test('a move tells guests who left the old stream only that their stars are removed, not the new topic', async () => {
  const from = await newStream([iris, gus, gil])
  const to = await newStream([iris])
  const message_id = await sendToStream(iris, from, 'roses')
  for (const guest of [gus, gil]) {
    await guest.messages.addReaction({ message_id, emoji_name: 'rocket' })
    await guest.subscriptions.unsubscribe({ subscriptions: [from.name] })
  }
  await gus.messages.changeFlags({ messages: [message_id], op: 'add', flag: 'starred' })
  await iris.messages.edit({ message_id, topic: 'a secret' })

  const move = () => ada.messages.edit({ message_id, stream_id: to.stream_id, ...quietly })
  const events = await collectEvents(world, { gus, gil }, move, {
    event_types: [...aboutMoves.event_types, 'update_message_flags'],
  })

  const [removal, ...others] = events.gus ?? []
  assert.ok(removal?.type === 'update_message_flags')
  assert.deepEqual([removal.operation, removal.flag, removal.messages], ['remove', 'starred', [message_id]])
  assert.deepEqual(others, [])
  assert.deepEqual(events.gil, [])
})

test('guests of the new stream get events of moved messages without the name of the old stream', async () => {
  const from = await newStream([iris])
  const to = await newStream([iris, gus])
  const message_id = await sendToStream(iris, from, 'roses')
  const other = await sendToStream(iris, from, 'weeds')

  const place = { stream_id: to.stream_id, ...quietly }
  const move = async () => {
    await ada.messages.edit({ message_id, ...place })
    await ada.messages.edit({ message_id: other, topic: 'moles', ...place })
  }
  const events = await collectEvents(world, { gus }, move, aboutMoves)

  assert.ok((await idsIn(gus, to)).includes(message_id))
  assert.deepEqual(events.gus?.map(summarize), [
    [to.stream_id, to.stream_id, [message_id]],
    [to.stream_id, to.stream_id, [other]],
  ])
  const topics = events.gus?.map(
    (event) => event.type === 'update_message' && [event.stream_name, event.orig_subject, event.subject],
  )
  assert.deepEqual(topics, [
    [to.name, 'roses', undefined],
    [to.name, 'moles', 'moles'],
  ])
})

test('guests of the new stream who left the old one do not learn its present name and topics', async () => {
  const from = await newStream([iris, gus])
  const to = await newStream([iris, gus])
  const message_id = await sendToStream(iris, from, 'roses')
  await gus.messages.changeFlags({ messages: [message_id], op: 'add', flag: 'starred' })
  await gus.subscriptions.unsubscribe({ subscriptions: [from.name] })
  await iris.messages.edit({ message_id, topic: 'a secret' })

  const move = () => ada.messages.edit({ message_id, topic: 'moles', stream_id: to.stream_id, ...quietly })
  const events = await collectEvents(world, { gus }, move, aboutMoves)

  const [event, ...others] = events.gus ?? []
  assert.ok(event?.type === 'update_message')
  assert.deepEqual(summarize(event), [to.stream_id, to.stream_id, [message_id]])
  assert.deepEqual([event.stream_name, event.orig_subject, event.subject], [to.name, 'moles', 'moles'])
  assert.deepEqual(others, [])
})

test('guests of the old stream who left the new one get a deletion without the new topic', async () => {
  const from = await newStream([iris, gus])
  const to = await newStream([iris, gus])
  const message_id = await sendToStream(iris, from, 'roses')
  await gus.messages.changeFlags({ messages: [message_id], op: 'add', flag: 'starred' })
  await gus.subscriptions.unsubscribe({ subscriptions: [to.name] })

  const move = () => ada.messages.edit({ message_id, topic: 'a secret', stream_id: to.stream_id, ...quietly })
  const events = await collectEvents(world, { gus }, move, aboutMoves)

  const [event, ...others] = events.gus ?? []
  assert.ok(event?.type === 'delete_message' && event.message_type === 'stream')
  assert.deepEqual([event.message_id, event.stream_id, event.topic], [message_id, from.stream_id, 'roses'])
  assert.deepEqual(others, [])
  await assert.rejects(gus.messages.getRaw({ message_id }), refusal('Invalid message(s)'))
})

test('moved messages stay unread only for subscribers of both streams', async () => {
  const from = await newStream([iris, otto, nora])
  const to = await newStream([iris, otto])
  const message_id = await sendToStream(iris, from, 'roses')
  assert.deepEqual(await flagsOf(otto, from, message_id), [])

  await ada.messages.edit({ message_id, stream_id: to.stream_id, ...quietly })

  assert.deepEqual(await flagsOf(otto, to, message_id), [])
  assert.deepEqual(await flagsOf(nora, to, message_id), ['read'])
  await otto.subscriptions.unsubscribe({ subscriptions: [from.name] })
  assert.deepEqual(await flagsOf(otto, to, message_id), [])
  await otto.subscriptions.unsubscribe({ subscriptions: [to.name] })
  assert.deepEqual(await flagsOf(otto, to, message_id), ['read'])
})

test('a message moved away and back stays unread for users who were subscribed to both streams throughout', async () => {
  const from = await newStream([iris, otto, nora])
  const by = await newStream([iris, otto])
  const message_id = await sendToStream(iris, from, 'roses')
  const late = await world.person(`late${count}`)
  await late.subscriptions.subscribe({ subscriptions: [{ name: from.name }, { name: by.name }] })

  await ada.messages.edit({ message_id, stream_id: by.stream_id, ...quietly })
  await ada.messages.edit({ message_id, stream_id: from.stream_id, ...quietly })

  assert.deepEqual(await flagsOf(otto, from, message_id), [])
  assert.deepEqual(await flagsOf(nora, from, message_id), ['read'])
  assert.deepEqual(await flagsOf(late, from, message_id), ['read', 'historical'])
})

test('a moved message becomes read for users who left one of its streams while it was there', async () => {
  const [from, by, to] = [
    await newStream([iris, otto, nora]),
    await newStream([iris, otto, nora]),
    await newStream([iris, otto, nora]),
  ]
  const message_id = await sendToStream(iris, from, 'roses')
  await ada.messages.edit({ message_id, stream_id: by.stream_id, ...quietly })
  await otto.subscriptions.unsubscribe({ subscriptions: [by.name] })
  await otto.subscriptions.subscribe({ subscriptions: [{ name: by.name }] })
  await nora.subscriptions.unsubscribe({ subscriptions: [from.name] })

  await ada.messages.edit({ message_id, stream_id: to.stream_id, ...quietly })

  assert.deepEqual(await flagsOf(otto, to, message_id), ['read'])
  assert.deepEqual(await flagsOf(nora, to, message_id), [])
})

test('a move updates first_message_id of both streams for everyone who sees them', async () => {
  const [from, to] = [await newStream([iris]), await newStream([iris])]
  const oldest = await sendToStream(iris, from, 'roses')
  const next = await sendToStream(iris, from, 'roses')
  await sendToStream(iris, to, 'oaks')
  const first = async ({ stream_id }: MadeStream) => {
    const { streams } = await nora.streams.list({})
    return streams.find((stream) => stream.stream_id === stream_id)?.first_message_id
  }

  const move = () => ada.messages.edit({ message_id: oldest, stream_id: to.stream_id, ...quietly })
  const { nora: events } = await collectEvents(world, { nora }, move, { event_types: ['stream'] })

  assert.deepEqual([await first(from), await first(to)], [next, oldest])
  const inBrief = (event: Event) =>
    event.type === 'stream' && event.op === 'update' && [event.stream_id, event.property, event.value]
  assert.deepEqual(events?.map(inBrief), [
    [from.stream_id, 'first_message_id', next],
    [to.stream_id, 'first_message_id', oldest],
  ])
})

test('after concurrent moves of one topic to two streams all its messages are in one of them', async () => {
  const from = await newStream([iris])
  const [one, other] = [await newStream([iris]), await newStream([iris])]
  const ids = [
    await sendToStream(iris, from, 'roses'),
    await sendToStream(iris, from, 'roses'),
    await sendToStream(iris, from, 'roses'),
  ]
  const move = (to: MadeStream, message_id: MessageId | undefined, node: 'a' | 'b') =>
    ada.on(node).messages.edit({
      message_id: message_id as MessageId,
      stream_id: to.stream_id,
      propagate_mode: 'change_all',
      ...quietly,
    })

  await Promise.all([move(one, ids[0], 'a'), move(other, ids[2], 'b')])

  const places = await Promise.all([one, other].map((stream) => idsIn(iris, stream)))
  const completeStreams = places.filter((found) => ids.every((id) => found.includes(id)))
  assert.equal(completeStreams.length, 1)
})
