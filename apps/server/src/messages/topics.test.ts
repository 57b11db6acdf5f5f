import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type MadeStream, type Person, startWorld } from '@oxbow/testkit'
import { sendToStream } from '@oxbow/testkit/calls/messages'
import { refusal } from '@oxbow/testkit/calls/requests'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const [iris, otto] = await world.people('iris', 'otto')
const ada = await world.person('ada', 'administrator')
const gus = await world.person('gus', 'guest')

let count = 0
const newStream = (members: Person[], options = {}) =>
  world.stream(`stream ${++count}`, { members, ...options })

async function topicsOf(person: Person, { stream_id }: MadeStream) {
  const { topics } = await person.streams.topics({ stream_id })
  return topics.map(({ name, max_id }) => [name, max_id])
}

const join = (person: Person, { name }: MadeStream, by = iris) =>
  by.subscriptions.subscribe({ subscriptions: [{ name }], principals: [person.user_id] })

test('topics are listed newest first and once each, in the spelling of their newest message', async () => {
  const stream = await newStream([iris])
  await sendToStream(iris, stream, 'Roses')
  const oaks = await sendToStream(iris, stream, 'oaks')
  const last = await sendToStream(iris, stream, 'ROSES')
  const emoji = await sendToStream(iris, stream, '🌹')

  for (const person of [iris, otto])
    assert.deepEqual(await topicsOf(person, stream), [
      ['🌹', emoji],
      ['ROSES', last],
      ['oaks', oaks],
    ])
})

test('a new subscriber sees all topics with shared history, and only topics with later messages with protected history', async () => {
  const shared = await newStream([iris], { invite_only: true, history_public_to_subscribers: true })
  const cellar = await newStream([iris], { invite_only: true })
  for (const stream of [shared, cellar]) {
    const before = await sendToStream(iris, stream, 'before')
    const roses = await sendToStream(iris, stream, 'roses')
    await join(otto, stream)
    const since = await sendToStream(iris, stream, 'since')

    const expected =
      stream === shared
        ? [
            ['roses', roses],
            ['before', before],
          ]
        : []
    assert.deepEqual(await topicsOf(otto, stream), [['since', since], ...expected])
  }
})

test('a user who rejoins a stream with protected history sees topics of received messages, each with its newest received message', async () => {
  const cellar = await newStream([iris, otto], { invite_only: true })
  const first = await sendToStream(iris, cellar, 'Roses')
  await otto.subscriptions.unsubscribe({ subscriptions: [cellar.name] })
  await sendToStream(iris, cellar, 'ROSES')
  await sendToStream(iris, cellar, 'missed')
  await join(otto, cellar)
  const oaks = await sendToStream(iris, cellar, 'oaks')

  assert.deepEqual(await topicsOf(otto, cellar), [
    ['oaks', oaks],
    ['Roses', first],
  ])
})

test('topics of received messages moved into the stream and of starred messages are listed with protected history', async () => {
  const from = await newStream([iris, otto])
  const to = await newStream([iris])
  const moved = await sendToStream(iris, from, 'moved')
  const starred = await sendToStream(iris, to, 'starred')
  await sendToStream(iris, to, 'strange')
  await ada.messages.edit({
    message_id: moved,
    stream_id: to.stream_id,
    send_notification_to_new_thread: false,
  })
  await otto.messages.changeFlags({ messages: [starred], op: 'add', flag: 'starred' })
  await join(ada, to)
  await ada.streams.update({ stream_id: to.stream_id, is_private: true })
  await join(otto, to)

  assert.deepEqual(await topicsOf(otto, to), [
    ['starred', starred],
    ['moved', moved],
  ])
})

test('listing topics of an inaccessible stream is refused', async () => {
  const cellar = await newStream([iris], { invite_only: true })
  const open = await newStream([iris])
  const invalid = refusal('Invalid stream id')

  for (const person of [otto, ada]) await assert.rejects(topicsOf(person, cellar), invalid)
  await assert.rejects(topicsOf(gus, open), invalid)
})

test('a topic disappears when its last message is deleted', async () => {
  const stream = await newStream([iris])
  const message_id = await sendToStream(iris, stream, 'roses')

  await ada.messages.remove({ message_id })

  assert.deepEqual(await topicsOf(iris, stream), [])
})
