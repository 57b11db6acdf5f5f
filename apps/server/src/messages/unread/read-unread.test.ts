import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { MessageId } from '@oxbow/contract'
import { type Person, startWorld } from '@oxbow/testkit'
import { sendPrivately, sendToStream } from '@oxbow/testkit/calls/messages'
import { raiseHorizon } from '../flags/test/raise-horizon.ts'

const world = await startWorld({ ownServer: true })
after(() => world[Symbol.asyncDispose]())
const iris = await world.person('iris')

async function unreadOf(person: Person) {
  const fetch_event_types = ['message', 'update_message_flags']
  const { unread_msgs } = await person.on('b').events.register({ fetch_event_types })
  assert.ok(unread_msgs)
  return unread_msgs
}

test('an account without messages has no unread messages', async () => {
  const nora = await world.person('nora')

  assert.deepEqual(await unreadOf(nora), {
    count: 0,
    pms: [],
    streams: [],
    huddles: [],
    mentions: [],
    wildcard_mentions: [],
  })
})

test('unread topics are sorted by stream id and topic, and topics that differ in case are separate', async () => {
  const otto = await world.person('otto')
  const [field, garden] = [
    await world.stream('field', { members: [iris, otto] }),
    await world.stream('garden', { members: [iris, otto] }),
  ]
  const roses = [await sendToStream(iris, garden, 'roses'), await sendToStream(otto, garden, 'roses')]
  const [upper, corn] = [await sendToStream(iris, garden, 'Roses'), await sendToStream(iris, field, 'corn')]

  const { streams, count } = await unreadOf(otto)

  const senders = [iris.user_id, otto.user_id].sort((a, b) => a - b)
  const topicFields = { stream_id: garden.stream_id, sender_ids: [iris.user_id] }
  assert.equal(count, 4)
  assert.deepEqual(streams, [
    { ...topicFields, stream_id: field.stream_id, topic: 'corn', unread_message_ids: [corn] },
    { ...topicFields, topic: 'Roses', unread_message_ids: [upper] },
    { ...topicFields, topic: 'roses', unread_message_ids: roses, sender_ids: senders },
  ])
})

test('an unread conversation of two people lists the other member, and a larger one lists all members', async () => {
  const [otto, nora] = await world.people('otto2', 'nora2')
  const letters = [await sendPrivately(iris, [otto]), await sendPrivately(iris, [otto])]
  const note = await sendPrivately(otto, [otto])
  const round = await sendPrivately(iris, [otto, nora])

  const { pms, huddles, count } = await unreadOf(otto)

  assert.equal(count, 4)
  const expected = [
    { sender_id: iris.user_id, unread_message_ids: letters },
    { sender_id: otto.user_id, unread_message_ids: [note] },
  ]
  assert.deepEqual(
    pms,
    expected.sort((a, b) => a.sender_id - b.sender_id),
  )
  const everyone = [iris, otto, nora].map(({ user_id }) => user_id).sort((a, b) => a - b)
  assert.deepEqual(huddles, [{ user_ids_string: everyone.join(), unread_message_ids: [round] }])
})

test('unread messages of muted streams and topics are listed but not counted, and their wildcard mentions are not in mentions', async () => {
  const otto = await world.person('otto3')
  const [loud, quiet] = [
    await world.stream('loud', { members: [iris, otto] }),
    await world.stream('quiet', { members: [iris, otto] }),
  ]
  const toAll = '@**all** look'
  const toHim = '@**Otto3 Gardener** look'
  const bothMentions = `${toAll} ${toHim}`
  const inLoud = [
    await sendToStream(iris, loud, 'roses', toAll),
    await sendToStream(iris, loud, 'weeds', toAll),
  ]
  const inQuiet = [
    await sendToStream(iris, quiet, 'roses', toAll),
    await sendToStream(iris, quiet, 'roses', toHim),
    await sendToStream(iris, quiet, 'roses', bothMentions),
  ]
  const [heard, inTopic] = inLoud as [MessageId, MessageId]
  const [wild, personal, mixed] = inQuiet as [MessageId, MessageId, MessageId]

  await otto.subscriptions.setProperties({
    subscription_data: [{ stream_id: quiet.stream_id, property: 'is_muted', value: true }],
  })
  await otto.subscriptions.muteTopic({ stream_id: loud.stream_id, topic: 'WEEDS', op: 'add' })

  const unread = await unreadOf(otto)
  assert.equal(unread.count, 1)
  assert.deepEqual(
    unread.streams.map(({ topic, unread_message_ids }) => [topic, unread_message_ids.length]),
    [
      ['roses', 1],
      ['weeds', 1],
      ['roses', 3],
    ],
  )
  assert.deepEqual(unread.mentions, [heard, personal, mixed])
  assert.deepEqual(unread.wildcard_mentions, [heard, inTopic, wild])
})

test('leaving a stream marks its messages as read, and they stay read after rejoining', async () => {
  const otto = await world.person('otto4')
  const pond = await world.stream('pond', { members: [iris, otto] })
  await sendToStream(iris, pond, 'frogs')

  await otto.subscriptions.unsubscribe({ subscriptions: ['pond'] })
  assert.equal((await unreadOf(otto)).count, 0)
  await sendToStream(iris, pond, 'frogs')
  await otto.subscriptions.subscribe({ subscriptions: [{ name: 'pond' }] })
  assert.equal((await unreadOf(otto)).count, 0)
  const id = await sendToStream(iris, pond, 'frogs')

  const { streams } = await unreadOf(otto)
  assert.deepEqual(
    streams.map(({ unread_message_ids }) => unread_message_ids),
    [[id]],
  )
})

test('unread_msgs is returned only to queues with both event types', async () => {
  for (const type of ['message', 'update_message_flags']) {
    const state = await iris.events.register({ fetch_event_types: [type] })
    assert.equal('unread_msgs' in state, false)
  }
})

test('only the newest fifty thousand unread messages of streams and conversations are listed', async () => {
  const otto = await world.person('otto5')
  const [busy, calm] = [
    await world.stream('busy', { members: [iris, otto] }),
    await world.stream('calm', { members: [iris, otto] }),
  ]
  const oldest = await sendToStream(iris, calm, 'first')
  await fill(await sendToStream(iris, busy, 'corn'), 30_000)
  const letter = await sendPrivately(iris, [otto])
  await fill(await sendToStream(iris, busy, 'wheat'), 30_000)
  const newest = await sendToStream(iris, calm, 'last')

  const { count, streams, pms } = await unreadOf(otto)

  assert.ok(count >= 50_000 && count <= 50_001, String(count))
  assert.deepEqual(
    streams.map(({ topic, unread_message_ids }) => [topic, unread_message_ids.length > 1]),
    [
      ['corn', true],
      ['wheat', true],
      ['last', false],
    ],
  )
  assert.deepEqual(pms, [{ sender_id: iris.user_id, unread_message_ids: [letter] }])
  assert.ok(oldest < newest)

  await raiseHorizon(world)
  await otto.messages.markStreamRead({ stream_id: busy.stream_id })
  const unread = await unreadOf(otto)
  assert.deepEqual(
    unread.streams.map(({ unread_message_ids }) => unread_message_ids),
    [[oldest], [newest]],
  )
})

/** Inserts `times` copies of the message. */
async function fill(id: MessageId, times: number): Promise<void> {
  await world.database.query(
    `with copied as (select nextval('message_id') as id from generate_series(1, $2))
     insert into message select m.organization_id, copied.id, m.sent_recipient_id, m.recipient_id, copied.id, m.outbox_id,
       m.sender_id, m.sent_at, null, false, false, false, false, false, m.client, m.topic, m.folded_topic, m.content,
       m.rendered_content
     from message m, copied where m.id = $1`,
    [id, times],
  )
}
