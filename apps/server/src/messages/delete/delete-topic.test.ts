import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Event, MessageId } from '@oxbow/contract'
import { drainQueue, type Person, startWorld } from '@oxbow/testkit'
import { collectEvents } from '@oxbow/testkit/calls/events'
import { readMessages, sendToStream } from '@oxbow/testkit/calls/messages'
import { refusal } from '@oxbow/testkit/calls/requests'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris, otto] = await world.people('iris', 'otto')
const ada = await world.person('ada', 'administrator')

const aboutDeletions = { event_types: ['delete_message'] }
const inBulk = { ...aboutDeletions, client_capabilities: { bulk_message_deletion: true } }
const idsOf = (event: Event) => event.type === 'delete_message' && (event.message_ids ?? event.message_id)

let count = 0
const newStream = (members: Person[], options = {}) =>
  world.stream(`stream ${++count}`, { members, ...options })

test('deleting a topic removes the messages of all its spellings and of no other topic', async () => {
  const stream = await newStream([iris])
  const { stream_id } = stream
  const other = await newStream([iris])
  const gone = [
    await sendToStream(iris, stream, 'Roses'),
    await sendToStream(iris, stream, 'roses'),
    await sendToStream(iris, stream, 'ROSES'),
  ]
  const kept = [await sendToStream(iris, stream, 'roses 2'), await sendToStream(iris, other, 'roses')]

  const remove = () => owner.streams.deleteTopic({ stream_id, topic_name: 'rosES' })
  const bulk = await collectEvents(world, { iris, otto }, remove, inBulk)

  assert.deepEqual(bulk.iris?.map(idsOf), [gone])
  const [event] = bulk.iris ?? []
  assert.ok(event?.type === 'delete_message' && event.message_type === 'stream')
  assert.deepEqual([event.stream_id, event.topic], [stream_id, 'ROSES'])
  assert.deepEqual(bulk.otto, [])
  const remaining = [
    ...(await readMessages(iris, { stream: stream.name })),
    ...(await readMessages(iris, { stream: other.name })),
  ].map(({ id }) => id)
  assert.ok(kept.every((id) => remaining.includes(id)) && !gone.some((id) => remaining.includes(id)))
})

test('queues without bulk_message_deletion get one event per message of a topic', async () => {
  const stream = await newStream([iris])
  const gone = [await sendToStream(iris, stream, 'roses'), await sendToStream(iris, stream, 'roses')]

  const remove = () => ada.streams.deleteTopic({ stream_id: stream.stream_id, topic_name: 'roses' })
  const single = await collectEvents(world, { iris }, remove, aboutDeletions)

  assert.deepEqual(single.iris?.map(idsOf), gone)
})

test('deleting an unknown topic succeeds without events', async () => {
  const { stream_id } = await newStream([iris])

  const remove = () => ada.streams.deleteTopic({ stream_id, topic_name: 'roses' })
  const events = await collectEvents(world, { iris }, remove, inBulk)

  assert.deepEqual(events.iris, [])
})

test('only administrators may delete topics, and only in streams they can read', async () => {
  const cellar = await newStream([iris], { invite_only: true })
  await sendToStream(iris, cellar, 'plans')
  const { stream_id } = cellar
  const params = { stream_id, topic_name: 'plans' }

  await assert.rejects(
    iris.streams.deleteTopic(params),
    refusal('Must be an organization administrator', { code: 'UNAUTHORIZED_PRINCIPAL' }),
  )
  await assert.rejects(owner.streams.deleteTopic(params), refusal('Invalid stream id'))
  await assert.rejects(
    owner.streams.deleteTopic({ ...params, stream_id: 99_999_999 as typeof stream_id }),
    refusal('Invalid stream id'),
  )
})

test('with protected history an administrator deletes only messages that they received, and events list only messages that their recipient received', async () => {
  const cellar = await newStream([iris], { invite_only: true })
  const subscribe = (person: Person) =>
    iris.subscriptions.subscribe({ subscriptions: [{ name: cellar.name }], principals: [person.user_id] })
  const early = await sendToStream(iris, cellar, 'plans')
  await subscribe(ada)
  const middle = [await sendToStream(iris, cellar, 'plans'), await sendToStream(iris, cellar, 'plans')]
  await subscribe(otto)
  const late = await sendToStream(iris, cellar, 'plans')

  const remove = () => ada.streams.deleteTopic({ stream_id: cellar.stream_id, topic_name: 'plans' })
  const events = await collectEvents(world, { iris, ada, otto }, remove, inBulk)

  assert.deepEqual(events.iris?.map(idsOf), [middle, [late]])
  assert.deepEqual(events.ada?.map(idsOf), [middle, [late]])
  assert.deepEqual(events.otto?.map(idsOf), [[late]])
  await iris.messages.getRaw({ message_id: early })
})

test('deleting a topic of thousands of messages emits events of a thousand messages each', async () => {
  const stream = await newStream([iris])
  const first = await sendToStream(iris, stream, 'roses')
  const many = 7_500
  await world.database.query(
    `insert into message (organization_id, id, sent_recipient_id, recipient_id, arrived_id, outbox_id, sender_id, sent_at,
       is_private, mentions_wildcard, has_link, has_image, has_attachment, client, topic, folded_topic, content, rendered_content)
     select organization_id, fresh.id, sent_recipient_id, recipient_id, fresh.id, outbox_id, sender_id, sent_at,
       is_private, mentions_wildcard, has_link, has_image, has_attachment, client, topic, folded_topic, content, rendered_content
     from message m, (select nextval('message_id') as id from generate_series(1, $2)) as fresh
     where m.id = $1`,
    [first, many],
  )
  const state = await iris.events.register({ ...inBulk, fetch_event_types: [] })

  await ada.streams.deleteTopic({ stream_id: stream.stream_id, topic_name: 'roses' })
  await world.settled()

  const sizes: number[] = []
  const received = new Set<MessageId>()
  for (const event of await drainQueue(iris, state)) {
    assert.ok(event.type === 'delete_message')
    sizes.push(event.message_ids?.length ?? 0)
    for (const id of event.message_ids ?? []) received.add(id)
  }
  assert.equal(received.size, many + 1)
  assert.ok(received.has(first))
  assert.ok(sizes.every((size) => size <= 1_000))
  const { topics } = await iris.streams.topics({ stream_id: stream.stream_id })
  assert.ok(!topics.some(({ name }) => name === 'roses'))
})
