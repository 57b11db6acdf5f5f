import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { MessageId, StreamId } from '@oxbow/contract'
import { openQueue, type Person, startWorld } from '@oxbow/testkit'
import { sendPrivately, sendToStream } from '@oxbow/testkit/calls/messages'
import { call, refusal } from '@oxbow/testkit/calls/requests'
import pg from 'pg'
import { connectionOptions } from '../../platform/database/database.ts'
import { raiseHorizon } from './test/raise-horizon.ts'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const [iris, otto, nora] = await world.people('iris', 'otto', 'nora')

const aboutFlags = { event_types: ['update_message_flags'] }

/** Reads the unread messages on node b, which handles no writes in these tests. */
async function unreadOf(person: Person): Promise<number[]> {
  const state = await person
    .on('b')
    .events.register({ fetch_event_types: ['message', 'update_message_flags'] })
  const { pms = [], huddles = [], streams = [] } = state.unread_msgs ?? {}
  return [...pms, ...huddles, ...streams]
    .flatMap((conversation) => conversation.unread_message_ids)
    .sort((a, b) => a - b)
}

/** Creates a stream and marks all messages as read for everyone. */
async function makeReadStream(name: string) {
  const stream = await world.stream(name, { members: [iris, otto] })
  await raiseHorizon(world)
  for (const person of [iris, otto, nora]) await person.messages.markAllRead({})
  assert.deepEqual(await unreadOf(otto), [])
  return stream
}

const marksOf = ({ user_id }: Person) =>
  world.database.query<{ message_id: MessageId; is_read: boolean }>(
    'select message_id, is_read from read_mark where user_id = $1 order by message_id',
    [user_id],
  )

test('marking all as read does not affect later messages', async () => {
  const garden = await makeReadStream('all')
  await sendToStream(iris, garden, 'roses')
  await sendPrivately(iris, [otto])
  const unread = await sendToStream(iris, garden, 'tulips')
  await otto.messages.changeFlags({ messages: [unread], op: 'add', flag: 'read' })
  await otto.messages.changeFlags({ messages: [unread], op: 'remove', flag: 'read' })
  const queue = await openQueue(otto, aboutFlags)
  await raiseHorizon(world)

  await otto.messages.markAllRead({})

  assert.deepEqual(await unreadOf(otto), [])
  assert.deepEqual(await marksOf(otto), [])
  const [event] = await queue.take(1, 'b')
  const { id: _, ...fields } = event ?? {}
  assert.deepEqual(fields, {
    type: 'update_message_flags',
    operation: 'add',
    flag: 'read',
    messages: [],
    all: true,
  })
  const next = await sendToStream(iris, garden, 'roses')
  assert.deepEqual(await unreadOf(otto), [next])
})

test('marking a stream as read lists its messages in the event and keeps others unread', async () => {
  const garden = await makeReadStream('whole stream')
  const field = await world.stream('field beside it', { members: [iris, otto] })
  const [one, two] = [await sendToStream(iris, garden, 'roses'), await sendToStream(iris, garden, 'tulips')]
  const elsewhere = await sendToStream(iris, field, 'roses')
  const queue = await openQueue(otto, aboutFlags)
  await raiseHorizon(world)

  for (const ids of [[one, two], []]) {
    await otto.messages.markStreamRead({ stream_id: garden.stream_id })
    const [event] = await queue.take(1)
    assert.ok(event?.type === 'update_message_flags')
    assert.deepEqual([event.messages, event.all], [ids, false])
  }

  assert.deepEqual(await unreadOf(otto), [elsewhere])
  assert.deepEqual(await marksOf(otto), [])
})

test('marking a topic as read ignores the case of its name', async () => {
  const garden = await makeReadStream('topics')
  const other = await sendToStream(iris, garden, 'tulips')
  const ids = [await sendToStream(iris, garden, 'Roses'), await sendToStream(iris, garden, 'roses')]
  const queue = await openQueue(otto, aboutFlags)

  await otto.messages.markTopicRead({ stream_id: garden.stream_id, topic_name: 'ROSES' })

  assert.deepEqual(await unreadOf(otto), [other])
  const [event] = await queue.take(1)
  assert.deepEqual(event?.type === 'update_message_flags' && event.messages, ids)
})

test('marking a blank topic as read marks the whole stream', async () => {
  const garden = await makeReadStream('blank')
  await sendToStream(iris, garden, 'roses')

  const response = await call(world, otto, 'POST /mark_topic_as_read', {
    stream_id: String(garden.stream_id),
    topic_name: ' ',
  })

  assert.equal(response.status, 200)
  assert.deepEqual(await unreadOf(otto), [])
})

test('marking an inaccessible stream, or a topic without received messages, as read is refused', async () => {
  const garden = await makeReadStream('refused')
  const attic = await world.stream('attic', { members: [iris], invite_only: true })
  await sendToStream(iris, garden, 'roses')
  await sendToStream(iris, attic, 'boxes')
  const unknown = refusal('Invalid stream id')
  const named = { topic_name: 'roses' }

  await assert.rejects(otto.messages.markStreamRead({ stream_id: attic.stream_id }), unknown)
  await assert.rejects(otto.messages.markTopicRead({ stream_id: attic.stream_id, ...named }), unknown)
  await assert.rejects(otto.messages.markStreamRead({ stream_id: 99_999 as StreamId }), unknown)
  await assert.rejects(
    otto.messages.markTopicRead({ stream_id: garden.stream_id, topic_name: 'Moles' }),
    refusal("No such topic 'Moles'"),
  )
  await assert.rejects(
    nora.messages.markTopicRead({ stream_id: garden.stream_id, ...named }),
    refusal("No such topic 'roses'"),
  )
  await nora.messages.markStreamRead({ stream_id: garden.stream_id })
})

test('a topic with only a starred message can be marked as read', async () => {
  const garden = await makeReadStream('starred')
  const id = await sendToStream(iris, garden, 'roses')
  await nora.messages.changeFlags({ messages: [id], op: 'add', flag: 'starred' })

  await nora.messages.markTopicRead({ stream_id: garden.stream_id, topic_name: 'roses' })
})

/** Sends a message whose transaction stays open until the caller commits it. */
async function sendSlowly(by: Person, { stream_id }: { stream_id: StreamId }) {
  const client = new pg.Client(connectionOptions(world.database.url))
  await client.connect()
  await client.query('begin')
  await client.query('select pg_current_xact_id()')
  const { rows } = await client.query<{ id: MessageId }>(
    `insert into message select $1, nextval('message_id'), $2, $2, currval('message_id'), nextval('outbox_id'), $3, now(),
       null, false, false, false, false, false, 'test', 'roses', 'roses', 'Late.', '<p>Late.</p>' returning id`,
    [world.organization_id, stream_id, by.user_id],
  )
  return {
    id: rows[0]?.id as MessageId,
    async commit() {
      await client.query('commit')
      await client.end()
    },
  }
}

for (const [how, mark] of [
  ['all', (person: Person) => person.messages.markAllRead({})],
  ['its stream', (person: Person, stream_id: StreamId) => person.messages.markStreamRead({ stream_id })],
  [
    'its topic',
    (person: Person, stream_id: StreamId) =>
      person.messages.markTopicRead({ stream_id, topic_name: 'roses' }),
  ],
] as const) {
  test(`a message committed after ${how} was marked as read is unread, even with a smaller id`, async () => {
    const garden = await makeReadStream(`late, ${how}`)
    const late = await sendSlowly(iris, garden)
    const sent = await sendToStream(iris, garden, 'roses')
    assert.ok(late.id < sent)
    await raiseHorizon(world, late.id - 1)

    await mark(otto, garden.stream_id)
    assert.deepEqual(await unreadOf(otto), [])
    await late.commit()

    assert.deepEqual(await unreadOf(otto), [late.id])
    await mark(otto, garden.stream_id)
    assert.deepEqual(await unreadOf(otto), [])
  })
}

test('read marks are deleted once all earlier messages are read, and the read position never passes the horizon', async () => {
  const garden = await makeReadStream('in order')
  const first = await sendToStream(iris, garden, 'roses')
  const ids = [await sendToStream(iris, garden, 'roses'), await sendToStream(iris, garden, 'roses')]
  await raiseHorizon(world)
  for (const messages of ids.map((id) => [id]))
    await otto.messages.changeFlags({ messages, op: 'add', flag: 'read' })
  assert.deepEqual(
    await marksOf(otto),
    ids.map((message_id) => ({ message_id, is_read: true })),
  )

  await otto.messages.changeFlags({ messages: [first], op: 'add', flag: 'read' })
  assert.deepEqual(await marksOf(otto), [])

  const late = await sendSlowly(iris, garden)
  const next = await sendToStream(iris, garden, 'roses')
  await raiseHorizon(world, late.id - 1)
  await otto.messages.changeFlags({ messages: [next], op: 'add', flag: 'read' })
  assert.deepEqual(await marksOf(otto), [{ message_id: next, is_read: true }])
  await late.commit()
  assert.deepEqual(await unreadOf(otto), [late.id])
})

test('the horizon does not fall while an older transaction runs', async () => {
  const garden = await makeReadStream('older transaction')
  const older = new pg.Client(connectionOptions(world.database.url))
  await older.connect()
  await older.query('begin')
  await older.query('select pg_current_xact_id()')
  const id = await sendToStream(iris, garden, 'roses')
  await raiseHorizon(world)

  await otto.messages.changeFlags({ messages: [id], op: 'add', flag: 'read' })

  assert.deepEqual(await marksOf(otto), [])
  await older.end()
})

test('a read position advances over at most fifty messages at a time', async () => {
  const garden = await makeReadStream('many marks')
  const [first = 0, ...others] = await sendMany(120, garden)
  await raiseHorizon(world)
  await otto.messages.changeFlags({ messages: others as MessageId[], op: 'add', flag: 'read' })
  assert.equal((await marksOf(otto)).length, 119)

  const marksLeft: number[] = []
  for (const id of [
    first,
    await sendToStream(iris, garden, 'roses'),
    await sendToStream(iris, garden, 'roses'),
  ]) {
    await raiseHorizon(world)
    await otto.messages.changeFlags({ messages: [id as MessageId], op: 'add', flag: 'read' })
    marksLeft.push((await marksOf(otto)).length)
    assert.ok(!(await unreadOf(otto)).includes(id))
  }

  assert.deepEqual(marksLeft, [70, 21, 0])
})

async function sendMany(times: number, stream: { name: string }): Promise<number[]> {
  const ids: number[] = []
  for (let count = 0; count < times; count++) ids.push(await sendToStream(iris, stream, 'roses'))
  return ids
}

test('marking a stream as read includes messages moved into it, and keeps messages moved out of it unread', async () => {
  const garden = await makeReadStream('old place')
  const field = await world.stream('new place', { members: [iris, otto] })
  const moved = await sendToStream(iris, garden, 'roses')
  await sendToStream(iris, garden, 'tulips')
  await world.owner.messages.edit({
    message_id: moved,
    stream_id: field.stream_id,
    topic: 'roses',
    send_notification_to_new_thread: false,
    send_notification_to_old_thread: false,
  })
  await raiseHorizon(world)

  await otto.messages.markStreamRead({ stream_id: garden.stream_id })
  assert.deepEqual(await unreadOf(otto), [moved])
  assert.deepEqual(await marksOf(otto), [{ message_id: moved, is_read: false }])
  await otto.messages.markTopicRead({ stream_id: field.stream_id, topic_name: 'roses' })

  assert.deepEqual(await unreadOf(otto), [])
  assert.deepEqual(await marksOf(otto), [])
  await iris.messages.markStreamRead({ stream_id: field.stream_id })
  assert.ok(!(await unreadOf(iris)).includes(moved))
})

test('a moved message stays unread after its old stream is left, rejoined and marked as read', async () => {
  const garden = await makeReadStream('left and entered')
  const field = await world.stream('where it is', { members: [iris, otto] })
  const moved = await sendToStream(iris, garden, 'roses')
  await world.owner.messages.edit({
    message_id: moved,
    stream_id: field.stream_id,
    send_notification_to_new_thread: false,
    send_notification_to_old_thread: false,
  })
  await otto.subscriptions.unsubscribe({ subscriptions: [garden.name] })
  await otto.subscriptions.subscribe({ subscriptions: [{ name: garden.name }] })
  const next = await sendToStream(iris, garden, 'roses')
  await raiseHorizon(world)

  await otto.messages.changeFlags({ messages: [next], op: 'add', flag: 'read' })

  assert.deepEqual(await marksOf(otto), [{ message_id: moved, is_read: false }])
  assert.deepEqual(await unreadOf(otto), [moved])
})

test('marking a stream as read includes messages below its read position that were marked as unread', async () => {
  const garden = await makeReadStream('below')
  const ids = [await sendToStream(iris, garden, 'roses'), await sendToStream(iris, garden, 'tulips')]
  await raiseHorizon(world)
  await otto.messages.markStreamRead({ stream_id: garden.stream_id })

  await otto.messages.changeFlags({ messages: ids, op: 'remove', flag: 'read' })
  assert.deepEqual(await unreadOf(otto), ids)
  await otto.messages.markTopicRead({ stream_id: garden.stream_id, topic_name: 'tulips' })
  assert.deepEqual(await unreadOf(otto), ids.slice(0, 1))
  await otto.messages.markStreamRead({ stream_id: garden.stream_id })

  assert.deepEqual(await unreadOf(otto), [])
  assert.deepEqual(await marksOf(otto), [])
})

test('concurrent requests of one user on two nodes mark all their messages as read', async () => {
  const garden = await makeReadStream('at once')
  const ids = (await sendMany(30, garden)) as MessageId[]

  await Promise.all(
    ids.map((id, index) =>
      otto.on(index % 2 ? 'a' : 'b').messages.changeFlags({ messages: [id], op: 'add', flag: 'read' }),
    ),
  )

  assert.deepEqual(await unreadOf(otto), [])
  const last = await sendToStream(iris, garden, 'roses')
  await raiseHorizon(world)
  await otto.messages.changeFlags({ messages: [last], op: 'add', flag: 'read' })
  assert.deepEqual(await marksOf(otto), [])
})
