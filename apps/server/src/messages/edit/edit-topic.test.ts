import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Event, MessageId } from '@oxbow/contract'
import { type Person, startWorld } from '@oxbow/testkit'
import { collectEvents } from '@oxbow/testkit/calls/events'
import { readMessages, sendToStream } from '@oxbow/testkit/calls/messages'
import { refusal } from '@oxbow/testkit/calls/requests'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const [iris, otto, nora] = await world.people('iris', 'otto', 'nora')
const ada = await world.person('ada', 'administrator')

const aboutEdits = { event_types: ['update_message'] }

let count = 0
const newStream = (members: Person[], options = {}) =>
  world.stream(`stream ${++count}`, { members, ...options })

/** Returns the topics of these messages. */
async function topicsOf(person: Person, stream: { name: string }, ids: readonly MessageId[]) {
  const messages = await readMessages(person, { stream: stream.name })
  return ids.map((id) => {
    const message = messages.find((message) => message.id === id)
    return message?.type === 'stream' ? message.topic : undefined
  })
}

/** Returns the fields of an event that describe its messages and topics. */
const summarize = (event: Event) =>
  event.type === 'update_message' && [
    event.message_id,
    event.message_ids,
    event.orig_subject,
    event.subject,
    event.propagate_mode,
  ]

const modes = [
  ['change_one', ['Roses', 'tulips', 'roses', 'oaks', 'ROSES']],
  ['change_later', ['Roses', 'tulips', 'tulips', 'oaks', 'tulips']],
  ['change_all', ['tulips', 'tulips', 'tulips', 'oaks', 'tulips']],
] as const

for (const [propagate_mode, expected] of modes) {
  test(`a topic change with ${propagate_mode} changes the selected messages in all spellings of the topic`, async () => {
    const stream = await newStream([iris, otto])
    const other = await newStream([iris])
    const ids: MessageId[] = []
    for (const topic of ['Roses', 'roses', 'roses', 'oaks', 'ROSES'])
      ids.push(await sendToStream(iris, stream, topic))
    const elsewhere = await sendToStream(iris, other, 'roses')
    const [, message_id] = ids as [MessageId, MessageId]

    const edit = () => iris.messages.edit({ message_id, topic: ' tulips ', propagate_mode })
    const events = await collectEvents(world, { otto, nora }, edit, aboutEdits)

    assert.deepEqual(await topicsOf(otto, stream, ids), expected)
    assert.deepEqual(await topicsOf(iris, other, [elsewhere]), ['roses'])
    const changed = ids.filter((id, index) => expected[index] === 'tulips' && id !== message_id)
    assert.deepEqual(events.otto?.map(summarize), [
      [message_id, [message_id, ...changed], 'roses', 'tulips', propagate_mode],
    ])
    assert.deepEqual(events.nora, [])
  })
}

test('a topic change event has topic fields and no content fields', async () => {
  const stream = await newStream([iris, otto])
  const message_id = await sendToStream(iris, stream, 'roses')
  const topic = 'https://garden.example/tulips'

  const edit = () => otto.messages.edit({ message_id, topic })
  const { iris: events } = await collectEvents(world, { iris }, edit, aboutEdits)

  const [event] = events ?? []
  assert.ok(event?.type === 'update_message')
  const { id, edit_timestamp, ...rest } = event
  assert.deepEqual(rest, {
    type: 'update_message',
    user_id: otto.user_id,
    message_id,
    message_ids: [message_id],
    stream_name: stream.name,
    propagate_mode: 'change_one',
    stream_id: stream.stream_id,
    orig_subject: 'roses',
    subject: topic,
    topic_links: [topic],
    flags: [],
  })
})

test('a topic change marks only the requested message as edited', async () => {
  const stream = await newStream([iris])
  const ids = [await sendToStream(iris, stream, 'roses'), await sendToStream(iris, stream, 'roses')]
  const [message_id] = ids as [MessageId]

  await iris.messages.edit({ message_id, topic: 'tulips', content: 'New', propagate_mode: 'change_all' })

  const [named, swept] = (await readMessages(iris, { stream: stream.name })).filter(({ id }) =>
    ids.includes(id),
  )
  assert.deepEqual(
    named?.edit_history?.map(({ prev_subject, prev_content }) => [prev_subject, prev_content]),
    [['roses', 'Pruned.']],
  )
  assert.ok(swept && !('edit_history' in swept) && !('last_edit_timestamp' in swept))
  assert.equal(swept.content, 'Pruned.')
})

test('setting a topic to its current value is recorded as an edit', async () => {
  const stream = await newStream([iris])
  const message_id = await sendToStream(iris, stream, 'roses')

  await iris.messages.edit({ message_id, topic: 'roses' })
  await ada.messages.edit({ message_id, stream_id: stream.stream_id })

  const { message_history } = await iris.messages.history({ message_id })
  assert.deepEqual(
    message_history.map(({ topic, prev_topic, prev_stream }) => [topic, prev_topic, prev_stream]),
    [
      ['roses', undefined, undefined],
      ['roses', 'roses', undefined],
      ['roses', 'roses', undefined],
    ],
  )
})

test('a topic has at most sixty characters of any byte length', async () => {
  const stream = await newStream([iris])
  const message_id = await sendToStream(iris, stream, 'roses')
  const longest = '🌹'.repeat(60)

  await iris.messages.edit({ message_id, topic: longest })
  assert.deepEqual(await topicsOf(iris, stream, [message_id]), [longest])
  await assert.rejects(
    iris.messages.edit({ message_id, topic: `${longest}!` }),
    refusal('topic is too long (limit: 60 characters)'),
  )
})

test('with protected history a topic change event lists only received messages, and has the edit time only if the edited message is among them', async () => {
  const stream = await newStream([iris, nora], { invite_only: true })
  const early = await sendToStream(iris, stream, 'roses', 'Early')
  await iris.subscriptions.subscribe({
    subscriptions: [{ name: stream.name }],
    principals: [otto.user_id],
  })
  const middle = [
    await sendToStream(iris, stream, 'roses'),
    await sendToStream(iris, stream, 'Roses'),
  ] as const
  await nora.subscriptions.unsubscribe({ subscriptions: [stream.name] })
  await iris.subscriptions.subscribe({
    subscriptions: [{ name: stream.name }],
    principals: [ada.user_id],
  })
  const late = await sendToStream(iris, stream, 'roses')

  const edit = () =>
    iris.messages.edit({ message_id: early, topic: 'tulips', content: 'New', propagate_mode: 'change_all' })
  const events = await collectEvents(world, { iris, otto, ada, nora }, edit, aboutEdits)

  const eventsOf = (who: string) =>
    events[who]?.map(
      (event) =>
        event.type === 'update_message' && [
          event.message_id,
          event.message_ids,
          event.content,
          event.edit_timestamp !== undefined,
        ],
    )
  const [first, second] = middle
  assert.deepEqual(eventsOf('iris'), [
    [early, [early], 'New', true],
    [first, [first, second], undefined, false],
    [late, [late], undefined, false],
  ])
  assert.deepEqual(eventsOf('otto'), [
    [first, [first, second], undefined, false],
    [late, [late], undefined, false],
  ])
  assert.deepEqual(eventsOf('ada'), [[late, [late], undefined, false]])
  assert.deepEqual(eventsOf('nora'), [])
})

test('with shared history a topic change event lists all messages for every subscriber', async () => {
  const stream = await newStream([iris], { invite_only: true, history_public_to_subscribers: true })
  const message_id = await sendToStream(iris, stream, 'roses')
  await iris.subscriptions.subscribe({
    subscriptions: [{ name: stream.name }],
    principals: [otto.user_id],
  })

  const edit = () => iris.messages.edit({ message_id, topic: 'tulips' })
  const events = await collectEvents(world, { otto }, edit, aboutEdits)

  assert.deepEqual(
    events.otto?.map((event) => event.type === 'update_message' && event.flags),
    [['read']],
  )
})

test('concurrent topic changes and a send to the topic lose no message', async () => {
  const stream = await newStream([iris, otto])
  const ids: MessageId[] = []
  for (let index = 0; index < 6; index++) ids.push(await sendToStream(iris, stream, 'roses'))
  const [first, , , last] = ids as [MessageId, MessageId, MessageId, MessageId]

  await Promise.all([
    iris.messages.edit({ message_id: first, topic: 'tulips', propagate_mode: 'change_all' }),
    otto.on('b').messages.edit({ message_id: last, topic: 'oaks', propagate_mode: 'change_all' }),
    sendToStream(otto, stream, 'roses'),
  ])

  const topics = new Set(await topicsOf(iris, stream, ids))
  assert.equal(topics.size, 1, [...topics].join())
})
