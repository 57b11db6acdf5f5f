import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Event } from '@oxbow/contract'
import { type Person, startWorld } from '@oxbow/testkit'
import { heard } from '../../../test/heard.ts'
import { react } from '../../../test/react.ts'
import { rule, say, tellPrivately } from '../../../test/say.ts'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris, otto, nora, fern] = await world.people('iris', 'otto', 'nora', 'fern')
const gus = await world.person('gus', 'guest')
const robin = await world.bot('robin', iris)
const cast = { owner, iris, otto, nora, fern, gus, robin }

const aboutReactions = { event_types: ['reaction'] }
let count = 0
const newStream = (members: Person[], given = {}) => world.stream(`stream ${++count}`, { members, ...given })
const plain = (events: readonly Event[] | undefined) => events?.map(({ id, ...event }) => event)
/** Who heard anything, and that nobody heard it twice. */
const whoHeard = (events: Record<string, Event[]>) => {
  for (const [name, list] of Object.entries(events)) assert.ok(list.length <= 1, name)
  return Object.keys(events).filter((name) => events[name]?.length)
}
const leave = (person: Person, stream: { name: string }) =>
  person.subscriptions.unsubscribe({ subscriptions: [stream.name] })
const star = (person: Person, id: number) =>
  person.messages.changeFlags({ messages: [id as never], op: 'add', flag: 'starred' })

test('who is in the stream hears who reacts and who takes it back', async () => {
  const garden = await newStream([iris, otto, gus, robin])
  const message_id = await say(iris, garden, 'roses')
  const told = {
    type: 'reaction',
    message_id,
    emoji_name: 'tada',
    emoji_code: '1f389',
    reaction_type: 'unicode_emoji',
    user_id: otto.user_id,
    user: { user_id: otto.user_id, email: otto.email, full_name: 'Otto Gardener' },
  }

  const added = await heard(world, cast, () => react(otto, message_id, 'tada'), aboutReactions)
  assert.deepEqual(whoHeard(added), ['iris', 'otto', 'gus', 'robin'])
  assert.deepEqual(plain(added.iris), [{ ...told, op: 'add' }])

  const remove = () => otto.messages.removeReaction({ message_id, emoji_name: 'congratulations' })
  const removed = await heard(world, cast, remove, aboutReactions)
  assert.deepEqual(whoHeard(removed), ['iris', 'otto', 'gus', 'robin'])
  assert.deepEqual(plain(removed.gus), [{ ...told, op: 'remove' }])
})

test('who reacts from outside hears of it, and of what becomes of the message', async () => {
  const garden = await newStream([iris, otto])
  const message_id = await say(iris, garden, 'roses')

  const added = await heard(world, cast, () => react(nora, message_id, 'tada'), aboutReactions)
  assert.deepEqual(whoHeard(added), ['iris', 'otto', 'nora'])

  const more = await heard(world, cast, () => react(iris, message_id, 'rocket'), aboutReactions)
  assert.deepEqual(whoHeard(more), ['iris', 'otto', 'nora'])
  const edit = () => iris.messages.edit({ message_id, content: 'Pruned again.' })
  const edited = await heard(world, cast, edit, { event_types: ['update_message'] })
  assert.deepEqual(whoHeard(edited), ['iris', 'otto', 'nora'])
  const remove = () => owner.messages.remove({ message_id })
  const deleted = await heard(world, cast, remove, { event_types: ['delete_message'] })
  assert.deepEqual(whoHeard(deleted), ['iris', 'otto', 'nora'])
})

test('who starred a message or reacted to it still hears after leaving; who merely received it does not', async () => {
  const garden = await newStream([iris, otto, nora, fern])
  const message_id = await say(iris, garden, 'roses')
  await star(otto, message_id)
  await react(nora, message_id, 'tada')
  for (const person of [otto, nora, fern]) await leave(person, garden)

  const added = await heard(world, cast, () => react(iris, message_id, 'rocket'), aboutReactions)
  assert.deepEqual(whoHeard(added), ['iris', 'otto', 'nora'])

  const remove = () => nora.messages.removeReaction({ message_id, emoji_name: 'tada' })
  assert.deepEqual(whoHeard(await heard(world, cast, remove, aboutReactions)), ['iris', 'otto', 'nora'])
  // Nothing of hers is left.
  const again = await heard(world, cast, () => react(iris, message_id, 'tada'), aboutReactions)
  assert.deepEqual(whoHeard(again), ['iris', 'otto'])
})

test('where history is protected only those hear who received the message and are still there', async () => {
  const cellar = await newStream([iris, otto], { invite_only: true, by: iris })
  const message_id = await say(iris, cellar, 'plans')
  await react(otto, message_id, 'tada')
  await leave(otto, cellar)
  await iris.subscriptions.subscribe({ subscriptions: [{ name: cellar.name }], principals: [nora.user_id] })

  const added = await heard(world, cast, () => react(iris, message_id, 'rocket'), aboutReactions)

  assert.deepEqual(whoHeard(added), ['iris'])
})

test('everyone in a conversation hears, and nobody else', async () => {
  for (const [people, hearing] of [
    [[otto], ['iris', 'otto']],
    [
      [otto, gus, robin],
      ['iris', 'otto', 'gus', 'robin'],
    ],
    [[iris], ['iris']],
  ] as const) {
    const message_id = await tellPrivately(iris, people)
    const added = await heard(world, cast, () => react(iris, message_id, 'tada'), {
      ...aboutReactions,
      all_public_streams: true,
    })
    assert.deepEqual(whoHeard(added), hearing)
  }
})

test('who asks for all public streams hears of those and no others', async () => {
  const garden = await newStream([iris])
  const cellar = await newStream([iris], { invite_only: true, by: iris, history_public_to_subscribers: true })
  const everything = { ...aboutReactions, all_public_streams: true }

  const open = await say(iris, garden, 'roses')
  await star(nora, open)
  const added = await heard(world, cast, () => react(iris, open, 'tada'), everything)
  assert.deepEqual(whoHeard(added), ['owner', 'iris', 'otto', 'nora', 'fern', 'robin'])

  const closed = await say(iris, cellar, 'plans')
  const inside = await heard(world, cast, () => react(iris, closed, 'tada'), everything)
  assert.deepEqual(whoHeard(inside), ['iris'])
})

test('in an archived stream those react who received the message, and hear of it with others who did', async () => {
  const garden = await newStream([iris, otto, nora])
  const message_id = await say(iris, garden, 'roses')
  await star(nora, message_id)
  await owner.streams.archive({ stream_id: garden.stream_id })

  const added = await heard(world, cast, () => react(otto, message_id, 'tada'), aboutReactions)
  assert.deepEqual(whoHeard(added), ['otto', 'nora'])
  await assert.rejects(react(fern, message_id, 'tada'), { errorName: 'INVALID_MESSAGE' })
})

test('addresses are told as they are shown everywhere', async () => {
  const garden = await newStream([iris, otto])
  const message_id = await say(iris, garden, 'roses')
  await rule(world, 'email_address_visibility = 3')

  const events = await heard(world, { iris }, () => react(otto, message_id, 'tada'), aboutReactions)
  await rule(world, 'email_address_visibility = 1')

  const [event] = events.iris ?? []
  assert.ok(event?.type === 'reaction')
  assert.match(event.user.email, new RegExp(`^user${otto.user_id}@`))
})

test('a guest who reacted loses a message that moves to where they never were, and hears no more of it', async () => {
  const garden = await newStream([iris, gus])
  const [shed, barn] = [await newStream([iris]), await newStream([iris])]
  const message_id = await say(iris, garden, 'roses')
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
  const first = await heard(world, { gus }, move(shed.stream_id as never), watching)
  assert.deepEqual(types(first), ['delete_message'])
  const later = async () => {
    await react(iris, message_id, 'rocket')
    await move(barn.stream_id as never)()
    await iris.messages.edit({ message_id, content: 'x' })
  }
  assert.deepEqual(types(await heard(world, { gus }, later, watching)), [])
})
