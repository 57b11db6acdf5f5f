import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { MessageId } from '@oxbow/contract'
import { type Person, startWorld } from '@oxbow/testkit'
import { sendPrivately, sendToStream } from '@oxbow/testkit/calls/messages'
import { setOrganizationRules } from '@oxbow/testkit/calls/organization'
import { outcomeOf } from '@oxbow/testkit/calls/permissions'
import { bySize } from '@oxbow/testkit/size'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const [iris, otto, nora, lara] = await world.people('iris', 'otto', 'nora', 'lara')
const ada = await world.person('ada', 'administrator')
const gus = await world.person('gus', 'guest')
const bot = await world.bot('robot', iris)

let count = 0
const newStream = (members: Person[], options = {}) =>
  world.stream(`stream ${++count}`, { members, ...options })
const read = (person: Person, message_id: MessageId) =>
  person.messages.changeFlags({ messages: [message_id], op: 'add', flag: 'read' })
const unread = (person: Person, message_id: MessageId) =>
  person.messages.changeFlags({ messages: [message_id], op: 'remove', flag: 'read' })
const names = new Map([iris, otto, nora, lara, ada, gus].map((person) => [person.user_id, person]))
const readersOf = async (message_id: MessageId, asker = iris) => {
  const { user_ids } = await asker.messages.readReceipts({ message_id })
  return new Set(user_ids.map((id) => names.get(id) ?? id))
}

test('the readers of a stream message are the subscribers who have read it', async () => {
  const stream = await newStream([iris, otto, nora, lara, gus, bot])
  const id = await sendToStream(iris, stream, 'roses')
  const later = await sendToStream(iris, stream, 'roses')
  assert.deepEqual(await readersOf(id), new Set())

  await read(otto, later)
  await read(gus, id)
  await read(bot, id)
  assert.deepEqual(await readersOf(id), new Set([gus]))
  await nora.messages.markStreamRead({ stream_id: stream.stream_id })
  assert.deepEqual(await readersOf(id, otto), new Set([nora, gus]))
  assert.deepEqual(await readersOf(later), new Set([nora, otto]))
  await unread(nora, id)
  assert.deepEqual(await readersOf(id), new Set([gus]))
})

test('people who left, came back or subscribed later are not listed', async () => {
  const stream = await newStream([iris, otto, nora])
  const id = await sendToStream(iris, stream, 'roses')
  await read(otto, id)
  await otto.subscriptions.unsubscribe({ subscriptions: [stream.name] })
  await nora.subscriptions.unsubscribe({ subscriptions: [stream.name] })
  assert.deepEqual(await readersOf(id), new Set())
  for (const person of [otto, nora, lara])
    await person.subscriptions.subscribe({ subscriptions: [{ name: stream.name }] })
  assert.deepEqual(await readersOf(id), new Set())
})

test('the readers of a moved message are those of its subscribers now who read it', async () => {
  const from = await newStream([iris, otto, nora, ada])
  const to = await newStream([otto, lara, ada])
  const message_id = await sendToStream(iris, from, 'roses')
  await read(otto, message_id)
  await read(nora, message_id)
  await ada.messages.edit({ message_id, stream_id: to.stream_id })
  assert.deepEqual(await readersOf(message_id, ada), new Set([otto]))
})

test('the readers of a private message are the other people of the conversation who have read it', async () => {
  const id = await sendPrivately(iris, [otto, nora])
  assert.deepEqual(await readersOf(id), new Set())
  await read(nora, id)
  assert.deepEqual(await readersOf(id, otto), new Set([nora]))
})

test('who does not share what they read, or muted the sender, is not listed', async () => {
  const stream = await newStream([iris, otto, nora])
  await nora.mutedUsers.mute({ muted_user_id: iris.user_id })
  const id = await sendToStream(iris, stream, 'roses')
  await read(otto, id)
  assert.deepEqual(await readersOf(id), new Set([otto]))
  await otto.settings.updateDisplay({ send_read_receipts: false })
  assert.deepEqual(await readersOf(id), new Set())
  await otto.settings.updateDisplay({ send_read_receipts: true })
  assert.deepEqual(await readersOf(id), new Set([otto]))
  await nora.mutedUsers.unmute({ muted_user_id: iris.user_id })
})

test('nobody learns the readers of a message of a stream that they cannot reach, or while it is switched off', async () => {
  const stream = await newStream([iris, otto], { invite_only: true })
  const id = await sendToStream(iris, stream, 'roses')
  for (const person of [nora, gus, ada])
    assert.equal(await outcomeOf(person.messages.readReceipts({ message_id: id })), 'INVALID_MESSAGE')
  await otto.subscriptions.unsubscribe({ subscriptions: [stream.name] })
  assert.equal(await outcomeOf(otto.messages.readReceipts({ message_id: id })), 'INVALID_MESSAGE')
  await setOrganizationRules(world, 'enable_read_receipts = false')
  assert.equal(await outcomeOf(iris.messages.readReceipts({ message_id: id })), 'READ_RECEIPTS_DISABLED')
  await setOrganizationRules(world, 'enable_read_receipts = true')
})

test('a stream with more subscribers than a request may look at has no read receipts', async () => {
  const stream = await newStream([iris])
  const id = await sendToStream(iris, stream, 'roses')
  await world.database.query(
    `with crowd as (
       insert into user_account (organization_id, delivery_email, full_name, role, api_key_hash, api_key_sealed, is_active)
       select organization_id, 'reader' || n || '@garden.example', 'Reader', 400, sha256(('reader' || n)::bytea), '', false
       from user_account, generate_series(1, 10000) n where id = $2 returning id)
     insert into subscription
     select (jsonb_populate_record(own, jsonb_build_object('user_id', crowd.id))).*
     from subscription own, crowd where own.user_id = $2 and own.stream_id = $1`,
    [stream.stream_id, iris.user_id],
  )
  assert.equal(await outcomeOf(iris.messages.readReceipts({ message_id: id })), 'TOO_MANY_READERS')
})

test('the readers agree with what the people themselves see as read, after random changes', async () => {
  const people = [otto, nora, lara]
  const stream = await newStream([iris, ...people])
  const ids: MessageId[] = []
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)] as Item
  for (let step = 0; step < bySize({ gate: 12, long: 300 }); step++) {
    ids.push(await sendToStream(iris, stream, 'roses'))
    const person = pick(people)
    const id = pick(ids)
    await pick([
      () => read(person, id),
      () => unread(person, id),
      () => person.messages.markStreamRead({ stream_id: stream.stream_id }),
    ])()
  }
  for (const id of ids) {
    const expected = new Set<Person>()
    for (const person of people) {
      const { message } = await person.messages.getRaw({ message_id: id })
      if (message.flags.includes('read')) expected.add(person)
    }
    assert.deepEqual(await readersOf(id), expected)
  }
})
