import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Event, MessageId } from '@oxbow/contract'
import { type Person, startWorld } from '@oxbow/testkit'
import { collectEvents } from '@oxbow/testkit/calls/events'
import { readMessages, sendPrivately, sendToStream, setMessageAge } from '@oxbow/testkit/calls/messages'
import { setOrganizationRules } from '@oxbow/testkit/calls/organization'
import { refusal } from '@oxbow/testkit/calls/requests'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris, otto, nora] = await world.people('iris', 'otto', 'nora')
const ada = await world.person('ada', 'administrator')
const garden = await world.stream('garden', { members: [iris, otto] })

const denied = refusal("You don't have permission to delete this message")
const late = refusal('The time limit for deleting this message has passed')
const invalid = refusal('Invalid message(s)')

const aboutDeletions = { event_types: ['delete_message'] }
const inBulk = { ...aboutDeletions, client_capabilities: { bulk_message_deletion: true } }

/** Removes the event id, which differs between queues. */
const plain = (events: readonly Event[] | undefined) => events?.map(({ id, ...event }) => event)

let count = 0
const newStream = (members: Person[], options = {}) =>
  world.stream(`stream ${++count}`, { members, ...options })

test('administrators may delete every message they can read, regardless of its age', async () => {
  for (const person of [owner, ada]) {
    const message_id = await sendToStream(iris, garden, 'roses')
    await setMessageAge(world, message_id, 1e7)

    await person.messages.remove({ message_id })

    for (const gone of [iris, person]) {
      await assert.rejects(gone.messages.getRaw({ message_id }), invalid)
      await assert.rejects(gone.messages.remove({ message_id }), invalid)
    }
    assert.ok(!(await readMessages(otto, { stream: garden.name })).some(({ id }) => id === message_id))
  }
})

test('members may delete their own messages within the time limit if the organization allows it', async () => {
  const message_id = await sendToStream(iris, garden, 'roses')
  const remove = (person: Person) => person.messages.remove({ message_id })

  await assert.rejects(remove(iris), denied)
  await setOrganizationRules(world, 'allow_message_deleting = true')
  await assert.rejects(remove(otto), denied)
  await setMessageAge(world, message_id, 602)
  await assert.rejects(remove(iris), late)
  await setOrganizationRules(world, 'message_content_delete_limit_seconds = 0')
  await remove(iris)

  const own = await sendToStream(iris, garden, 'roses')
  await setOrganizationRules(world, 'message_content_delete_limit_seconds = 600')
  await setMessageAge(world, own, 570)
  await iris.messages.remove({ message_id: own })
  await setOrganizationRules(world, 'allow_message_deleting = false')
})

test('deleting a message removes its edits, moves, stars and mentions', async () => {
  const shed = await newStream([iris, otto])
  const message_id = await sendToStream(iris, garden, 'roses', '@**Otto Gardener**')
  await iris.messages.edit({ message_id, content: '@**Otto Gardener**!' })
  await otto.messages.changeFlags({ messages: [message_id], op: 'add', flag: 'starred' })
  await ada.messages.edit({ message_id, stream_id: shed.stream_id, send_notification_to_old_thread: false })

  await ada.messages.remove({ message_id })

  for (const table of ['user_message', 'message_edit', 'message_stay']) {
    const rows = await world.database.query(`select from ${table} where message_id = $1`, [message_id])
    assert.equal(rows.length, 0, table)
  }
})

test('subscribers get the deletion event in the form their queue supports', async () => {
  for (const [registration, about] of [
    [aboutDeletions, (id: MessageId) => ({ message_id: id })],
    [inBulk, (id: MessageId) => ({ message_ids: [id] })],
  ] as const) {
    const message_id = await sendToStream(iris, garden, 'Roses')

    const remove = () => ada.messages.remove({ message_id })
    const events = await collectEvents(world, { iris, otto, nora, ada }, remove, registration)

    const expected = [
      {
        type: 'delete_message',
        message_type: 'stream',
        stream_id: garden.stream_id,
        topic: 'Roses',
        ...about(message_id),
      },
    ]
    assert.deepEqual(plain(events.iris), expected)
    assert.deepEqual(plain(events.otto), expected)
    assert.deepEqual([events.nora, events.ada], [[], []])
  }
})

test('all members of a conversation get the deletion event of a private message', async () => {
  const message_id = await sendPrivately(iris, [otto, ada])
  const { messages } = await iris.messages.list({ anchor: String(message_id), num_before: 0, num_after: 0 })

  const remove = () => ada.messages.remove({ message_id })
  const events = await collectEvents(world, { iris, otto, nora }, remove, inBulk)

  const expected = {
    type: 'delete_message',
    message_type: 'private',
    recipient_id: messages[0]?.recipient_id,
    message_ids: [message_id],
  }
  assert.deepEqual(plain(events.otto), [expected])
  assert.deepEqual(plain(events.iris), [expected])
  assert.deepEqual(events.nora, [])
})

test("an administrator cannot delete other people's private messages", async () => {
  const message_id = await sendPrivately(iris, [otto])

  await assert.rejects(ada.messages.remove({ message_id }), invalid)
})

test('with protected history only receivers get the deletion event', async () => {
  const cellar = await newStream([iris, otto, ada], { invite_only: true })
  const message_id = await sendToStream(iris, cellar, 'plans')
  await otto.subscriptions.unsubscribe({ subscriptions: [cellar.name] })
  await iris.subscriptions.subscribe({ subscriptions: [{ name: cellar.name }], principals: [nora.user_id] })

  const remove = () => ada.messages.remove({ message_id })
  const events = await collectEvents(world, { iris, otto, nora, ada }, remove, inBulk)

  const heardBy = Object.entries(events).flatMap(([name, list]) => (list.length > 0 ? [name] : []))
  assert.deepEqual(heardBy, ['iris', 'ada'])
})

test('users who starred a message and left, and all_public_streams queues, get its deletion event', async () => {
  const shed = await newStream([iris, otto])
  const message_id = await sendToStream(iris, shed, 'tools')
  await otto.messages.changeFlags({ messages: [message_id], op: 'add', flag: 'starred' })
  await otto.subscriptions.unsubscribe({ subscriptions: [shed.name] })

  const remove = () => ada.messages.remove({ message_id })
  const events = await collectEvents(world, { otto }, remove, inBulk)
  assert.equal(events.otto?.length, 1)

  const other = await sendToStream(iris, shed, 'tools')
  const all = await collectEvents(world, { nora }, () => ada.messages.remove({ message_id: other }), {
    ...inBulk,
    all_public_streams: true,
  })
  assert.equal(all.nora?.length, 1)
})

test("deleting a stream's first message sets first_message_id to the next message, or to null if none is left", async () => {
  const shed = await newStream([iris])
  const oldest = await sendToStream(iris, shed, 'tools')
  const next = await sendToStream(iris, shed, 'tools')
  const first = async () => {
    const { streams } = await nora.streams.list({})
    return streams.find(({ stream_id }) => stream_id === shed.stream_id)?.first_message_id
  }

  const remove = (message_id: MessageId) => () => ada.messages.remove({ message_id })
  const aboutStreams = { event_types: ['stream'] }
  const { nora: expected } = await collectEvents(world, { nora }, remove(oldest), aboutStreams)
  assert.equal(await first(), next)
  const { nora: eventsOfNext } = await collectEvents(world, { nora }, remove(next), aboutStreams)
  assert.equal(await first(), null)

  const value = (event: Event) => event.type === 'stream' && event.op === 'update' && event.value
  assert.deepEqual(
    [expected, eventsOfNext].map((events) => events?.map(value)),
    [[next], [null]],
  )
})

test('one of several concurrent deletions succeeds, and the others report that the message is already deleted', async () => {
  for (const message_id of [await sendToStream(iris, garden, 'roses'), await sendPrivately(iris, [ada])]) {
    const attempts = Array.from({ length: 6 }, (_, index) =>
      ada.on(index % 2 === 0 ? 'a' : 'b').messages.remove({ message_id }),
    )

    const outcomes = await Promise.allSettled(attempts)

    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
    const texts = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason.body.msg] : [],
    )
    for (const text of texts) assert.match(text, /^(Message already deleted|Invalid message\(s\))$/)
  }
})

test('starring a message during its deletion leaves no row behind', async () => {
  for (let round = 0; round < 5; round++) {
    const message_id = await sendToStream(iris, garden, 'roses')

    await Promise.allSettled([
      ada.messages.remove({ message_id }),
      otto.on('b').messages.changeFlags({ messages: [message_id], op: 'add', flag: 'starred' }),
      iris.messages.changeFlags({ messages: [message_id], op: 'add', flag: 'collapsed' }),
    ])

    assert.deepEqual(
      await world.database.query('select from user_message where message_id = $1', [message_id]),
      [],
    )
  }
})

test('a non-subscriber who stars a message during its deletion gets both events or none', async () => {
  for (let round = 0; round < 12; round++) {
    const message_id = await sendToStream(iris, garden, 'roses')
    const events = await collectEvents(
      world,
      { nora },
      () =>
        Promise.allSettled([
          nora.on('b').messages.changeFlags({ messages: [message_id], op: 'add', flag: 'starred' }),
          ada.messages.remove({ message_id }),
        ]),
      { event_types: ['update_message_flags', 'delete_message'] },
    )
    const types = events.nora?.map(({ type }) => type)
    assert.ok(types?.length === 0 || types?.join() === 'update_message_flags,delete_message', `${types}`)
  }
})
