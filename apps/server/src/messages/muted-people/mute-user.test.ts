import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openQueue, type Person, startWorld } from '@oxbow/testkit'
import { sendPrivately, sendToStream } from '@oxbow/testkit/calls/messages'
import { call, refusal } from '@oxbow/testkit/calls/requests'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris, otto, fern] = await world.people('iris', 'otto', 'fern')
const robin = await world.bot('robin', fern)
const garden = await world.stream('garden', { members: [iris, otto, fern, robin] })

/** Reads the unread messages on node b, which handles no writes in these tests. */
async function unreadOf(person: Person): Promise<number[]> {
  const state = await person
    .on('b')
    .events.register({ fetch_event_types: ['message', 'update_message_flags'] })
  const { pms = [], huddles = [], streams = [] } = state.unread_msgs ?? {}
  return [...pms, ...huddles, ...streams]
    .flatMap((conversation) => conversation.unread_message_ids)
    .sort((a, b) => a - b)
}
const mutedBy = async (person: Person) =>
  (await person.on('b').events.register({ fetch_event_types: ['muted_users'] })).muted_users?.map(
    ({ id }) => id,
  )
const mute = (person: Person, { user_id }: Person) => person.mutedUsers.mute({ muted_user_id: user_id })
const unmute = (person: Person, { user_id }: Person) => person.mutedUsers.unmute({ muted_user_id: user_id })

test('muting a user marks their messages as read, and those of others stay unread', async () => {
  const ofOtto = [
    await sendToStream(otto, garden, 'roses', 'Pruned.'),
    await sendPrivately(otto, [iris], 'Tea?'),
    await sendPrivately(otto, [iris, fern], 'Tea for three?'),
  ]
  const ofFern = await sendToStream(fern, garden, 'roses', 'Not yet.')
  assert.deepEqual(
    await unreadOf(iris),
    [...ofOtto, ofFern].sort((a, b) => a - b),
  )
  const inbox = await openQueue(iris, { event_types: ['muted_users', 'update_message_flags'] })

  await mute(iris, otto)

  assert.deepEqual(await unreadOf(iris), [ofFern])
  assert.ok((await unreadOf(fern)).includes(ofOtto[0] as number))
  assert.deepEqual(await mutedBy(iris), [otto.user_id])
  const [list, flags] = await inbox.take(2)
  assert.ok(list?.type === 'muted_users' && flags?.type === 'update_message_flags')
  assert.deepEqual(list.muted_users, [
    { id: otto.user_id, timestamp: list.muted_users[0]?.timestamp as number },
  ])
  assert.deepEqual([flags.operation, flags.flag, flags.messages], ['add', 'read', ofOtto])
})

test('new messages of a muted user are read from the start, also if they mention the reader', async () => {
  const before = await unreadOf(iris)
  const inbox = await openQueue(iris, { event_types: ['message'] })

  await sendToStream(otto, garden, 'roses', '@**Iris Gardener** look')
  await sendToStream(otto.on('b'), garden, 'roses', 'Look again')
  await sendPrivately(otto, [iris], 'Tea now?')

  const flags = (await inbox.take(3)).map((event) => event.type === 'message' && event.flags)
  assert.deepEqual(flags, [['read', 'mentioned'], ['read'], ['read']])
  assert.deepEqual(await unreadOf(iris), before)
  assert.ok((await unreadOf(fern)).length > 0)
})

test('messages after unmuting are unread, and those sent meanwhile stay read', async () => {
  const before = await unreadOf(iris)

  await unmute(iris, otto)
  assert.deepEqual(await unreadOf(iris), before)
  const id = await sendToStream(otto, garden, 'roses', 'Hello again')

  assert.deepEqual(await unreadOf(iris), [...before, id])
  assert.deepEqual(await mutedBy(iris), [])
})

test('a message of a sender whose preconditions are cached is read for an account that just muted them', async () => {
  await sendToStream(fern, garden, 'beds', 'First')
  await mute(iris, fern)
  const before = await unreadOf(iris)

  await sendToStream(fern, garden, 'beds', 'Second')

  assert.deepEqual(await unreadOf(iris), before)
  await unmute(iris, fern)
})

test('bots can be muted and can mute, and nobody else learns of it', async () => {
  const [others, ofBot] = [await openQueue(otto), await openQueue(robin, { event_types: ['message'] })]
  await mute(iris, robin)
  await mute(robin, fern)

  await sendToStream(fern, garden, 'beds', 'For the bot')
  const [event] = await ofBot.take(1)

  assert.deepEqual(event?.type === 'message' && event.flags, ['read'])
  const types = (await others.take(1)).map(({ type }) => type)
  assert.deepEqual(types, ['message'])
  await unmute(iris, robin)
  await unmute(robin, fern)
})

test('invalid requests are refused', async () => {
  const path = (id: unknown) => `POST /users/me/muted_users/${id}`
  assert.deepEqual(await call(world, iris, path(iris.user_id)), refusal('Cannot mute self'))
  assert.deepEqual(await call(world, iris, path(99_999_999)), refusal('No such user'))
  await assert.rejects(unmute(iris, otto), refusal('User is not muted'))
  await mute(iris, otto)
  await assert.rejects(mute(iris, otto), refusal('User already muted'))
  await unmute(iris, otto)
})

test('one of several concurrent requests to mute the same user succeeds, with one event', async () => {
  const inbox = await openQueue(owner, { event_types: ['muted_users'] })

  const outcomes = await Promise.allSettled(
    (['a', 'b', 'a'] as const).map((node) => owner.on(node).mutedUsers.mute({ muted_user_id: otto.user_id })),
  )

  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
  await world.settled()
  assert.equal((await inbox.rest()).length, 1)
})
