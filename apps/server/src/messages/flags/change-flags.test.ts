import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { MessageFlag, MessageId } from '@oxbow/contract'
import { type MadeStream, openQueue, type Person, startWorld } from '@oxbow/testkit'
import { sendPrivately, sendToStream } from '@oxbow/testkit/calls/messages'
import { call, refusal } from '@oxbow/testkit/calls/requests'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const [iris, otto, nora] = await world.people('iris', 'otto', 'nora')
const garden = await world.stream('garden', { members: [iris, otto] })

/**
 * Returns the message's flags. Looks for the message in the history of `stream`, or among the
 * received messages if `stream` is absent.
 */
async function flagsOf(
  person: Person,
  id: MessageId,
  stream?: MadeStream,
): Promise<MessageFlag[] | undefined> {
  const { messages } = await person.on('b').messages.list({
    anchor: String(id),
    num_before: 0,
    num_after: 0,
    narrow: stream ? [{ operator: 'stream', operand: stream.name }] : [],
  })
  return messages.find((message) => message.id === id)?.flags
}

const aboutFlags = { event_types: ['update_message_flags'] }
const rowsOf = (id: MessageId) =>
  world.database.query('select user_id::int from user_message where message_id = $1', [id])

test('the read flag can be added and removed', async () => {
  const id = await sendToStream(iris, garden, 'roses')
  assert.deepEqual(await flagsOf(otto, id), [])

  const response = await otto.messages.changeFlags({ messages: [id], op: 'add', flag: 'read' })

  assert.deepEqual(response.messages, [id])
  assert.deepEqual(await flagsOf(otto, id), ['read'])
  assert.deepEqual(await flagsOf(iris, id), [])
  await otto.messages.changeFlags({ messages: [id], op: 'remove', flag: 'read' })
  assert.deepEqual(await flagsOf(otto, id), [])
})

test('marking a private message as read affects only the account that marked it', async () => {
  const id = await sendPrivately(iris, [otto, nora])

  await otto.messages.changeFlags({ messages: [id], op: 'add', flag: 'read' })

  assert.deepEqual(await flagsOf(otto, id), ['read'])
  assert.deepEqual(await flagsOf(nora, id), [])
  await otto.messages.changeFlags({ messages: [id], op: 'remove', flag: 'read' })
  assert.deepEqual(await flagsOf(otto, id), [])
})

test('removing starred and collapsed flags leaves no row behind', async () => {
  const id = await sendToStream(iris, garden, 'roses')

  await otto.messages.changeFlags({ messages: [id], op: 'add', flag: 'starred' })
  await otto.messages.changeFlags({ messages: [id], op: 'add', flag: 'collapsed' })
  assert.deepEqual(await flagsOf(otto, id), ['starred', 'collapsed'])
  await otto.messages.changeFlags({ messages: [id], op: 'remove', flag: 'starred' })
  assert.deepEqual(await flagsOf(otto, id), ['collapsed'])
  await otto.messages.changeFlags({ messages: [id], op: 'remove', flag: 'collapsed' })

  assert.deepEqual(await flagsOf(otto, id), [])
  assert.deepEqual(await rowsOf(id), [])
})

test('removing a star keeps the rows of mentioned and private messages', async () => {
  const mention = await sendToStream(iris, garden, 'roses', '@**Otto Gardener** look')
  const privateId = await sendPrivately(iris, [otto])

  for (const op of ['add', 'remove'] as const)
    await otto.messages.changeFlags({ messages: [mention, privateId], op, flag: 'starred' })

  assert.deepEqual(await flagsOf(otto, mention), ['mentioned'])
  assert.deepEqual(await flagsOf(otto, privateId), [])
})

test('a user who stars an undelivered message keeps access to it', async () => {
  const id = await sendToStream(iris, garden, 'roses')
  assert.deepEqual(await flagsOf(nora, id, garden), ['read', 'historical'])
  assert.equal(await flagsOf(nora, id), undefined)

  await nora.messages.changeFlags({ messages: [id], op: 'remove', flag: 'starred' })
  assert.deepEqual(await rowsOf(id), [])
  await nora.messages.changeFlags({ messages: [id], op: 'add', flag: 'starred' })

  assert.deepEqual(await flagsOf(nora, id), ['read', 'starred', 'historical'])
  await nora.messages.changeFlags({ messages: [id], op: 'remove', flag: 'read' })
  await nora.messages.changeFlags({ messages: [id], op: 'remove', flag: 'starred' })
  assert.deepEqual(await flagsOf(nora, id), ['read', 'historical'])
})

test('changing flags of unreceived messages is refused, except starring a single readable message', async () => {
  const [one, other] = [await sendToStream(iris, garden, 'roses'), await sendToStream(iris, garden, 'roses')]
  const privateId = await sendPrivately(iris, [otto])
  const invalid = refusal('Invalid message(s)')
  const tries = [
    { messages: [], flag: 'read' },
    { messages: [one], flag: 'read' },
    { messages: [one], flag: 'collapsed' },
    { messages: [one, other], flag: 'starred' },
    { messages: [one, one], flag: 'starred' },
    { messages: [privateId], flag: 'starred' },
    { messages: [999_999_999 as MessageId], flag: 'starred' },
  ]

  for (const attempt of tries)
    await assert.rejects(
      nora.messages.changeFlags({ ...attempt, op: 'add' }),
      invalid,
      JSON.stringify(attempt),
    )
  await assert.rejects(
    nora.messages.changeFlags({ messages: [privateId], op: 'remove', flag: 'starred' }),
    invalid,
  )
})

test('changing flags skips messages that the account did not receive, and the event omits them', async () => {
  const privateId = await sendPrivately(iris, [nora])
  const unreceived = await sendPrivately(iris, [otto])
  const queue = await openQueue(nora, aboutFlags)
  const messages = [unreceived, privateId, 999_999_999 as MessageId, privateId]

  const response = await nora.messages.changeFlags({ messages, op: 'add', flag: 'starred' })

  assert.deepEqual(response.messages, messages)
  const [event] = await queue.take(1, 'b')
  assert.deepEqual(event, {
    id: event?.id,
    type: 'update_message_flags',
    operation: 'add',
    flag: 'starred',
    messages: [privateId, privateId],
    all: false,
  })
  assert.equal(await flagsOf(nora, unreceived), undefined)
})

test('unknown and non-editable flags are refused', async () => {
  const messages = [await sendToStream(iris, garden, 'roses')]
  const change = (flag: string) => iris.messages.changeFlags({ messages, op: 'add', flag })

  for (const flag of ['flown', 'is_private', 'active_mobile_push_notification', ''])
    await assert.rejects(change(flag), refusal(`Invalid flag: '${flag}'`))
  for (const flag of ['mentioned', 'wildcard_mentioned', 'has_alert_word', 'historical', 'force_expand'])
    await assert.rejects(change(flag), refusal(`Flag not editable: '${flag}'`))
  const { status, body } = await call(world, iris, 'POST /messages/flags', {
    messages: JSON.stringify(messages),
    op: 'replace',
    flag: 'read',
  })
  assert.equal(status, 400)
  assert.equal(body.code, 'BAD_REQUEST')
})

test('only the account gets the flag event, even if nothing changed', async () => {
  const id = await sendToStream(iris, garden, 'roses')
  const [own, others] = [await openQueue(otto, aboutFlags), await openQueue(iris, aboutFlags)]

  for (const _ of [1, 2]) {
    await otto.messages.changeFlags({ messages: [id], op: 'add', flag: 'read' })
    const [event] = await own.take(1)
    const { id: _, ...fields } = event ?? {}
    const expected = {
      type: 'update_message_flags',
      operation: 'add',
      flag: 'read',
      messages: [id],
      all: false,
    }
    assert.deepEqual(fields, expected)
  }

  assert.deepEqual(await others.rest(), [])
})

test('the event of messages marked unread contains their details', async () => {
  const said = await sendToStream(iris, garden, 'Roses', '@**Otto Gardener** look')
  const toAll = await sendToStream(iris, garden, 'Roses', '@**all** look')
  const privateId = await sendPrivately(iris, [otto, nora])
  const note = await sendPrivately(otto, [otto])
  const messages = [said, toAll, privateId, note]
  await otto.messages.changeFlags({ messages, op: 'add', flag: 'read' })
  const queue = await openQueue(otto, aboutFlags)

  await otto.messages.changeFlags({ messages, op: 'remove', flag: 'read' })

  const [event] = await queue.take(1, 'b')
  assert.ok(event?.type === 'update_message_flags')
  const topicFields = { type: 'stream', stream_id: garden.stream_id, topic: 'Roses', sender_id: iris.user_id }
  assert.deepEqual(event.message_details, {
    [said]: { ...topicFields, mentioned: true },
    [toAll]: { ...topicFields, wildcard_mentioned: true },
    [privateId]: { type: 'private', user_ids: [iris.user_id, nora.user_id], sender_id: iris.user_id },
    [note]: { type: 'private', user_ids: [], sender_id: otto.user_id },
  })
})

test('messages of a stream that the account left cannot be marked unread', async () => {
  const shed = await world.stream('shed', { members: [iris, nora] })
  const id = await sendToStream(iris, shed, 'spades')
  await nora.subscriptions.unsubscribe({ subscriptions: ['shed'] })
  const queue = await openQueue(nora, aboutFlags)

  await nora.messages.changeFlags({ messages: [id], op: 'remove', flag: 'read' })

  const [event] = await queue.take(1)
  assert.ok(event?.type === 'update_message_flags')
  assert.deepEqual(event.message_details, {})
  assert.deepEqual(await flagsOf(nora, id), ['read'])
  assert.deepEqual(
    await world.database.query('select from read_mark where user_id = $1 and message_id = $2', [
      nora.user_id,
      id,
    ]),
    [],
  )
})

test('a guest keeps access to a starred message after leaving its stream', async () => {
  const gus = await world.person('gus', 'guest')
  const pond = await world.stream('pond', { members: [iris, gus] })
  const id = await sendToStream(iris, pond, 'frogs')

  await gus.messages.changeFlags({ messages: [id], op: 'add', flag: 'starred' })

  assert.deepEqual(await flagsOf(gus, id), ['starred'])
  await gus.subscriptions.unsubscribe({ subscriptions: ['pond'] })
  assert.deepEqual(await flagsOf(gus, id), ['read', 'starred'])
})

test("a star set during a message's deletion is deleted with it", async () => {
  const id = await sendToStream(iris, garden, 'roses')
  const calls = [
    ...Array.from({ length: 8 }, (_, index) =>
      (index % 2 ? otto : nora).messages.changeFlags({ messages: [id], op: 'add', flag: 'starred' }),
    ),
    world.owner.on('b').messages.remove({ message_id: id }),
  ]

  await Promise.allSettled(calls)

  assert.deepEqual(await rowsOf(id), [])
})

test('one request can mark twenty thousand messages', async () => {
  const field = await world.stream('field', { members: [otto] })
  const [row] = await world.database.query<{ ids: MessageId[] }>(
    `with sent as (
       insert into message select m.organization_id, fresh.id, m.sent_recipient_id, m.recipient_id, fresh.id, m.outbox_id,
         m.sender_id, m.sent_at, null, false, false, false, false, false, m.client, m.topic, m.folded_topic, m.content,
         m.rendered_content
       from message m, (select nextval('message_id') as id from generate_series(1, 20000)) as fresh
       where m.organization_id = $1 and m.id = $2 returning id)
     select array_agg(id)::text[]::int[] as ids from sent`,
    [world.organization_id, await sendToStream(otto, field, 'corn')],
  )
  const messages = row?.ids ?? []

  await otto.messages.changeFlags({ messages, op: 'add', flag: 'read' })

  const state = await otto.events.register({ fetch_event_types: ['message', 'update_message_flags'] })
  assert.equal(
    state.unread_msgs?.streams.find(({ stream_id }) => stream_id === field.stream_id)?.unread_message_ids
      .length,
    1,
  )
})
