import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Event } from '@oxbow/contract'
import { type Person, startWorld } from '@oxbow/testkit'
import { collectEvents } from '@oxbow/testkit/calls/events'
import { sendPrivately, sendToStream } from '@oxbow/testkit/calls/messages'
import { setOrganizationRules } from '@oxbow/testkit/calls/organization'
import { react } from '@oxbow/testkit/calls/reactions'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris, otto, nora, fern] = await world.people('iris', 'otto', 'nora', 'fern')
const gus = await world.person('gus', 'guest')
const robin = await world.bot('robin', iris)
const cast = { owner, iris, otto, nora, fern, gus, robin }

const aboutReactions = { event_types: ['reaction'] }
let count = 0
const newStream = (members: Person[], options = {}) =>
  world.stream(`stream ${++count}`, { members, ...options })
const plain = (events: readonly Event[] | undefined) => events?.map(({ id, ...event }) => event)
/** Returns the names of the people who got an event. Also checks that nobody got more than one. */
const listReceivers = (events: Record<string, Event[]>) => {
  for (const [name, list] of Object.entries(events)) assert.ok(list.length <= 1, name)
  return Object.keys(events).filter((name) => events[name]?.length)
}
const leave = (person: Person, stream: { name: string }) =>
  person.subscriptions.unsubscribe({ subscriptions: [stream.name] })
const star = (person: Person, id: number) =>
  person.messages.changeFlags({ messages: [id as never], op: 'add', flag: 'starred' })

test('subscribers get events of added and removed reactions', async () => {
  const garden = await newStream([iris, otto, gus, robin])
  const message_id = await sendToStream(iris, garden, 'roses')
  const expected = {
    type: 'reaction',
    message_id,
    emoji_name: 'tada',
    emoji_code: '1f389',
    reaction_type: 'unicode_emoji',
    user_id: otto.user_id,
    user: { user_id: otto.user_id, email: otto.email, full_name: 'Otto Gardener' },
  }

  const added = await collectEvents(world, cast, () => react(otto, message_id, 'tada'), aboutReactions)
  assert.deepEqual(listReceivers(added), ['iris', 'otto', 'gus', 'robin'])
  assert.deepEqual(plain(added.iris), [{ ...expected, op: 'add' }])

  const remove = () => otto.messages.removeReaction({ message_id, emoji_name: 'congratulations' })
  const removed = await collectEvents(world, cast, remove, aboutReactions)
  assert.deepEqual(listReceivers(removed), ['iris', 'otto', 'gus', 'robin'])
  assert.deepEqual(plain(removed.gus), [{ ...expected, op: 'remove' }])
})

test('a non-subscriber who reacts gets the event and later events about the message', async () => {
  const garden = await newStream([iris, otto])
  const message_id = await sendToStream(iris, garden, 'roses')

  const added = await collectEvents(world, cast, () => react(nora, message_id, 'tada'), aboutReactions)
  assert.deepEqual(listReceivers(added), ['iris', 'otto', 'nora'])

  const more = await collectEvents(world, cast, () => react(iris, message_id, 'rocket'), aboutReactions)
  assert.deepEqual(listReceivers(more), ['iris', 'otto', 'nora'])
  const edit = () => iris.messages.edit({ message_id, content: 'Pruned again.' })
  const edited = await collectEvents(world, cast, edit, { event_types: ['update_message'] })
  assert.deepEqual(listReceivers(edited), ['iris', 'otto', 'nora'])
  const remove = () => owner.messages.remove({ message_id })
  const deleted = await collectEvents(world, cast, remove, { event_types: ['delete_message'] })
  assert.deepEqual(listReceivers(deleted), ['iris', 'otto', 'nora'])
})

test('former subscribers get reaction events only if they starred the message or reacted to it', async () => {
  const garden = await newStream([iris, otto, nora, fern])
  const message_id = await sendToStream(iris, garden, 'roses')
  await star(otto, message_id)
  await react(nora, message_id, 'tada')
  for (const person of [otto, nora, fern]) await leave(person, garden)

  const added = await collectEvents(world, cast, () => react(iris, message_id, 'rocket'), aboutReactions)
  assert.deepEqual(listReceivers(added), ['iris', 'otto', 'nora'])

  const remove = () => nora.messages.removeReaction({ message_id, emoji_name: 'tada' })
  assert.deepEqual(listReceivers(await collectEvents(world, cast, remove, aboutReactions)), [
    'iris',
    'otto',
    'nora',
  ])
  // Nora has removed her reaction, so nothing connects her to the message any more.
  const again = await collectEvents(world, cast, () => react(iris, message_id, 'tada'), aboutReactions)
  assert.deepEqual(listReceivers(again), ['iris', 'otto'])
})

test('with protected history only subscribers who received the message get reaction events', async () => {
  const cellar = await newStream([iris, otto], { invite_only: true, by: iris })
  const message_id = await sendToStream(iris, cellar, 'plans')
  await react(otto, message_id, 'tada')
  await leave(otto, cellar)
  await iris.subscriptions.subscribe({ subscriptions: [{ name: cellar.name }], principals: [nora.user_id] })

  const added = await collectEvents(world, cast, () => react(iris, message_id, 'rocket'), aboutReactions)

  assert.deepEqual(listReceivers(added), ['iris'])
})

test('reaction events of a private message reach exactly its conversation', async () => {
  for (const [people, receivers] of [
    [[otto], ['iris', 'otto']],
    [
      [otto, gus, robin],
      ['iris', 'otto', 'gus', 'robin'],
    ],
    [[iris], ['iris']],
  ] as const) {
    const message_id = await sendPrivately(iris, people)
    const added = await collectEvents(world, cast, () => react(iris, message_id, 'tada'), {
      ...aboutReactions,
      all_public_streams: true,
    })
    assert.deepEqual(listReceivers(added), receivers)
  }
})

test('all_public_streams queues get reaction events of public streams only', async () => {
  const garden = await newStream([iris])
  const cellar = await newStream([iris], { invite_only: true, by: iris, history_public_to_subscribers: true })
  const everything = { ...aboutReactions, all_public_streams: true }

  const open = await sendToStream(iris, garden, 'roses')
  await star(nora, open)
  const added = await collectEvents(world, cast, () => react(iris, open, 'tada'), everything)
  assert.deepEqual(listReceivers(added), ['owner', 'iris', 'otto', 'nora', 'fern', 'robin'])

  const closed = await sendToStream(iris, cellar, 'plans')
  const inside = await collectEvents(world, cast, () => react(iris, closed, 'tada'), everything)
  assert.deepEqual(listReceivers(inside), ['iris'])
})

test('in an archived stream users who received a message may react and get its reaction events', async () => {
  const garden = await newStream([iris, otto, nora])
  const message_id = await sendToStream(iris, garden, 'roses')
  await star(nora, message_id)
  await owner.streams.archive({ stream_id: garden.stream_id })

  const added = await collectEvents(world, cast, () => react(otto, message_id, 'tada'), aboutReactions)
  assert.deepEqual(listReceivers(added), ['otto', 'nora'])
  await assert.rejects(react(fern, message_id, 'tada'), { errorName: 'INVALID_MESSAGE' })
})

test('reaction events contain display addresses', async () => {
  const garden = await newStream([iris, otto])
  const message_id = await sendToStream(iris, garden, 'roses')
  await setOrganizationRules(world, 'email_address_visibility = 3')

  const events = await collectEvents(world, { iris }, () => react(otto, message_id, 'tada'), aboutReactions)
  await setOrganizationRules(world, 'email_address_visibility = 1')

  const [event] = events.iris ?? []
  assert.ok(event?.type === 'reaction')
  assert.match(event.user.email, new RegExp(`^user${otto.user_id}@`))
})

test('a guest who reacted and left gets no events when the message moves to a stream they never joined, and later', async () => {
  const garden = await newStream([iris, gus])
  const [shed, barn] = [await newStream([iris]), await newStream([iris])]
  const message_id = await sendToStream(iris, garden, 'roses')
  await react(gus, message_id, 'tada')
  await leave(gus, garden)
  const move = (stream_id: never) => () =>
    owner.messages.edit({
      message_id,
      stream_id,
      send_notification_to_old_thread: false,
      send_notification_to_new_thread: false,
    })

  const types = (events: Record<string, Event[]>) => events.gus?.map(({ type }) => type)
  const watching = { event_types: ['update_message', 'delete_message', 'reaction'] }
  const first = await collectEvents(world, { gus }, move(shed.stream_id as never), watching)
  assert.deepEqual(types(first), [])
  const later = async () => {
    await react(iris, message_id, 'rocket')
    await move(barn.stream_id as never)()
    await iris.messages.edit({ message_id, content: 'x' })
  }
  assert.deepEqual(types(await collectEvents(world, { gus }, later, watching)), [])
})
