import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Event, MessageId } from '@oxbow/contract'
import { type Person, startWorld } from '@oxbow/testkit'
import { heard } from '../../../test/heard.ts'
import { refusal } from '../../../test/refusal.ts'
import { age, readStream, rule, say, tellPrivately } from '../../../test/say.ts'

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

/** Without the number that differs from queue to queue. */
const plain = (events: readonly Event[] | undefined) => events?.map(({ id, ...event }) => event)

let count = 0
const newStream = (members: Person[], given = {}) => world.stream(`stream ${++count}`, { members, ...given })

test('administrators delete any message that they can read, however old', async () => {
  for (const person of [owner, ada]) {
    const message_id = await say(iris, garden, 'roses')
    await age(world, message_id, 1e7)

    await person.messages.remove({ message_id })

    for (const gone of [iris, person]) {
      await assert.rejects(gone.messages.getRaw({ message_id }), invalid)
      await assert.rejects(gone.messages.remove({ message_id }), invalid)
    }
    assert.ok(!(await readStream(otto, garden)).some(({ id }) => id === message_id))
  }
})

test('others delete what they wrote where the organization allows it, and in time', async () => {
  const message_id = await say(iris, garden, 'roses')
  const remove = (person: Person) => person.messages.remove({ message_id })

  await assert.rejects(remove(iris), denied)
  await rule(world, 'allow_message_deleting = true')
  await assert.rejects(remove(otto), denied)
  await age(world, message_id, 602)
  await assert.rejects(remove(iris), late)
  await rule(world, 'message_content_delete_limit_seconds = 0')
  await remove(iris)

  const own = await say(iris, garden, 'roses')
  await rule(world, 'message_content_delete_limit_seconds = 600')
  await age(world, own, 590)
  await iris.messages.remove({ message_id: own })
  await rule(world, 'allow_message_deleting = false')
})

test('nothing stays of a message that was edited, moved, starred and mentioned someone', async () => {
  const shed = await newStream([iris, otto])
  const message_id = await say(iris, garden, 'roses', '@**Otto Gardener**')
  await iris.messages.edit({ message_id, content: '@**Otto Gardener**!' })
  await otto.messages.changeFlags({ messages: [message_id], op: 'add', flag: 'starred' })
  await ada.messages.edit({ message_id, stream_id: shed.stream_id, send_notification_to_old_thread: false })

  await ada.messages.remove({ message_id })

  for (const table of ['user_message', 'message_edit', 'message_stay']) {
    const rows = await world.database.query(`select from ${table} where message_id = $1`, [message_id])
    assert.equal(rows.length, 0, table)
  }
})

test('who is in the stream hears of it, in the way that they understand', async () => {
  for (const [registration, about] of [
    [aboutDeletions, (id: MessageId) => ({ message_id: id })],
    [inBulk, (id: MessageId) => ({ message_ids: [id] })],
  ] as const) {
    const message_id = await say(iris, garden, 'Roses')

    const remove = () => ada.messages.remove({ message_id })
    const events = await heard(world, { iris, otto, nora, ada }, remove, registration)

    const told = [
      {
        type: 'delete_message',
        message_type: 'stream',
        stream_id: garden.stream_id,
        topic: 'Roses',
        ...about(message_id),
      },
    ]
    assert.deepEqual(plain(events.iris), told)
    assert.deepEqual(plain(events.otto), told)
    assert.deepEqual([events.nora, events.ada], [[], []])
  }
})

test('everyone in a conversation hears of a private message that is gone', async () => {
  const message_id = await tellPrivately(iris, [otto, ada])
  const { messages } = await iris.messages.list({ anchor: String(message_id), num_before: 0, num_after: 0 })

  const remove = () => ada.messages.remove({ message_id })
  const events = await heard(world, { iris, otto, nora }, remove, inBulk)

  const told = {
    type: 'delete_message',
    message_type: 'private',
    recipient_id: messages[0]?.recipient_id,
    message_ids: [message_id],
  }
  assert.deepEqual(plain(events.otto), [told])
  assert.deepEqual(plain(events.iris), [told])
  assert.deepEqual(events.nora, [])
})

test('an administrator does not delete what others wrote to each other', async () => {
  const message_id = await tellPrivately(iris, [otto])

  await assert.rejects(ada.messages.remove({ message_id }), invalid)
})

test('where history is protected only those hear of it who received it', async () => {
  const cellar = await newStream([iris, otto, ada], { invite_only: true })
  const message_id = await say(iris, cellar, 'plans')
  await otto.subscriptions.unsubscribe({ subscriptions: [cellar.name] })
  await iris.subscriptions.subscribe({ subscriptions: [{ name: cellar.name }], principals: [nora.user_id] })

  const remove = () => ada.messages.remove({ message_id })
  const events = await heard(world, { iris, otto, nora, ada }, remove, inBulk)

  const heardBy = Object.entries(events).flatMap(([name, list]) => (list.length > 0 ? [name] : []))
  assert.deepEqual(heardBy, ['iris', 'ada'])
})

test('who starred a message and left hears that it is gone, and so does who asks for all public streams', async () => {
  const shed = await newStream([iris, otto])
  const message_id = await say(iris, shed, 'tools')
  await otto.messages.changeFlags({ messages: [message_id], op: 'add', flag: 'starred' })
  await otto.subscriptions.unsubscribe({ subscriptions: [shed.name] })

  const remove = () => ada.messages.remove({ message_id })
  const events = await heard(world, { otto }, remove, inBulk)
  assert.equal(events.otto?.length, 1)

  const other = await say(iris, shed, 'tools')
  const all = await heard(world, { nora }, () => ada.messages.remove({ message_id: other }), {
    ...inBulk,
    all_public_streams: true,
  })
  assert.equal(all.nora?.length, 1)
})

test('a stream whose first message is gone begins with the next one, or with none', async () => {
  const shed = await newStream([iris])
  const oldest = await say(iris, shed, 'tools')
  const next = await say(iris, shed, 'tools')
  const first = async () => {
    const { streams } = await nora.streams.list({})
    return streams.find(({ stream_id }) => stream_id === shed.stream_id)?.first_message_id
  }

  const remove = (message_id: MessageId) => () => ada.messages.remove({ message_id })
  const aboutStreams = { event_types: ['stream'] }
  const { nora: told } = await heard(world, { nora }, remove(oldest), aboutStreams)
  assert.equal(await first(), next)
  const { nora: toldMore } = await heard(world, { nora }, remove(next), aboutStreams)
  assert.equal(await first(), null)

  const value = (event: Event) => event.type === 'stream' && event.op === 'update' && event.value
  assert.deepEqual(
    [told, toldMore].map((events) => events?.map(value)),
    [[next], [null]],
  )
})

test('of many who delete a message at once one does, and the others hear that it is gone', async () => {
  for (const message_id of [await say(iris, garden, 'roses'), await tellPrivately(iris, [ada])]) {
    const attempts = Array.from({ length: 6 }, (_, index) =>
      ada.on(index % 2 === 0 ? 'a' : 'b').messages.remove({ message_id }),
    )

    const outcomes = await Promise.allSettled(attempts)

    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
    const texts = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason.body.msg] : []))
    for (const text of texts) assert.match(text, /^(Message already deleted|Invalid message\(s\))$/)
  }
})

test('who stars a message that is just deleted leaves nothing behind', async () => {
  for (let round = 0; round < 5; round++) {
    const message_id = await say(iris, garden, 'roses')

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

test('who stars a message from outside while it is deleted hears of both, or of none', async () => {
  for (let round = 0; round < 12; round++) {
    const message_id = await say(iris, garden, 'roses')
    const events = await heard(
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
