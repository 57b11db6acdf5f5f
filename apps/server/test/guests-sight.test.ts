import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Role } from '@oxbow/contract'
import { drainQueue, expectSameState, startWorld } from '@oxbow/testkit'
import { makeBot } from '@oxbow/testkit/calls/bots'
import { readMessage, sendToStream } from '@oxbow/testkit/calls/messages'
import { nextWeek } from '@oxbow/testkit/calls/scheduled-messages'
import { addMembers, makeGroup, removeMembers } from '@oxbow/testkit/calls/user-groups'

// Guests learn neither of streams that they are not subscribed to nor of user groups: not from their state, and not
// from events.

const world = await startWorld({ ownServer: true })
after(() => world[Symbol.asyncDispose]())
const { owner, database } = world
// Gives streams and groups ids that differ from every other number.
await database.query(`select setval('stream_id_seq', 700000)`)
await database.query(`select setval('user_group_id_seq', 800000)`)
const iris = await world.person('iris')
const gus = await world.person('gus', 'guest')
const everyone = { owner, iris, gus }
const open = await world.stream('open', { members: [owner, iris, gus] })
const setRole = ({ user_id }: { user_id: number }, role: Role) =>
  owner.users.update({ user_id: user_id as never, role })
const checkState = (change: () => Promise<unknown>, people = {}) =>
  expectSameState(world, { ...everyone, ...people }, change, { mayDefer: true })

// Not the fractions of times, such as .700012.
const secrets = /secret|(?<![.\d])[78]000\d\d(?!\d)/i
const kept = await world.stream('kept', { members: [owner] })
const isOpen = new RegExp(`\\b(?:${open.stream_id}|${kept.stream_id})\\b`, 'g')

/** Asserts that a guest learns nothing secret from a fresh state. */
async function assertNothingShown(guest: typeof gus): Promise<void> {
  const { event_queue_longpoll_timeout_seconds: _, ...state } = (await guest.events.register({
    include_subscribers: true,
    fetch_event_types: null as never,
  })) as Record<string, unknown>
  for (const [field, value] of Object.entries(state))
    assert.doesNotMatch(JSON.stringify(value ?? null).replace(isOpen, 'open'), secrets, field)
}

/** Makes changes of all kinds that concern streams and groups which guests do not see. */
async function makeSecrets(label: string) {
  const shared = await world.stream(`secret ${label}`, { members: [owner, iris] })
  const hidden = await world.stream(`secret private ${label}`, { members: [owner, iris], invite_only: true })
  const group = await makeGroup(iris, `secret ${label}`, iris, gus)
  await owner.organization.update({
    notifications_stream_id: shared.stream_id,
    signup_notifications_stream_id: shared.stream_id,
  })
  await owner.defaultStreams.add(shared)
  await owner.defaultStreams.createGroup({
    group_name: `secret ${label}`,
    description: 'secret',
    stream_names: [hidden.name],
  })
  await sendToStream(iris, shared, 'secret', 'secret')
  await iris.subscriptions.muteTopic({ stream: shared.name, topic: 'secret', op: 'add' })
  await iris.scheduledMessages.create({
    type: 'stream',
    to: shared.stream_id,
    topic: 'secret',
    content: 'secret',
    scheduled_delivery_timestamp: nextWeek(),
  })
  await makeBot(world, iris, `robin${label}`, {
    default_sending_stream: shared.name,
    default_events_register_stream: hidden.name,
  })
  await owner.streams.update({
    stream_id: shared.stream_id,
    new_name: `Secret ${label}`,
    description: 'secret',
  })
  await owner.streams.update({ stream_id: shared.stream_id, is_private: true })
  await owner.streams.update({ stream_id: shared.stream_id, is_private: false })
  await iris.userGroups.update({ user_group_id: group, name: `Secret ${label}`, description: 'secret' })
  await addMembers(iris, group, owner)
  await removeMembers(iris, group, gus)
  await world.person(`newcomer${label}`)
  return { shared, hidden, group }
}

test('neither the state nor the events of a guest contain ids or names of hidden streams and groups', async () => {
  const registered = await gus.events.register({ all_public_streams: true })
  const { shared, hidden, group } = await makeSecrets('a')
  await iris.userGroups.remove({ user_group_id: group })
  await owner.streams.archive(hidden)
  await owner.streams.archive(shared)
  await makeSecrets('b')
  await world.settled()
  for (const event of await drainQueue(gus, registered))
    assert.doesNotMatch(JSON.stringify(event).replace(isOpen, 'open'), secrets)
  await assertNothingShown(gus)
})

test('a state updated by events equals a fresh state while hidden streams and groups change', async () => {
  await checkState(() => makeSecrets('c'))
  await checkState(async () => {
    const { shared, group } = await makeSecrets('d')
    await owner.streams.archive(shared)
    await iris.userGroups.remove({ user_group_id: group })
  })
})

test('a member who becomes a guest, and a guest who becomes a member, have the right state', async () => {
  // New people are subscribed to the default streams.
  for (const { stream_id } of (await owner.streams.list({ include_default: true })).streams)
    await owner.defaultStreams.remove({ stream_id }).catch(() => {})
  const mia = await world.person('mia')
  await makeSecrets('e')
  const robin = await makeBot(world, mia, 'robin')
  const hawk = await world.stream('secret hawk', { members: [owner] })
  await mia.subscriptions.subscribe({ subscriptions: [{ name: kept.name }] })
  await mia.bots.update({
    bot_id: robin.user_id,
    default_sending_stream: hawk.name,
    default_events_register_stream: kept.name,
  })
  const people = { mia, robin }
  for (const role of [Role.guest, Role.member, Role.guest, Role.member])
    await checkState(() => setRole(mia, role), people)
  await checkState(() => setRole(mia, Role.guest), people)
  await assertNothingShown(mia)
  await checkState(
    () => owner.streams.update({ stream_id: hawk.stream_id, new_name: 'secret falcon' }),
    people,
  )
  const [bot] = (await mia.events.register({ fetch_event_types: ['realm_bot'] })).realm_bots ?? []
  assert.deepEqual([bot?.default_sending_stream, bot?.default_events_register_stream], [null, kept.name])
  // An administrator cannot set such a stream either.
  await assert.rejects(
    owner.bots.update({ bot_id: robin.user_id, default_sending_stream: 'secret falcon' }),
    { message: "Invalid stream name 'secret falcon'" },
  )
  await checkState(
    () => owner.bots.update({ bot_id: robin.user_id, default_sending_stream: kept.name }),
    people,
  )
})

test('a guest cannot mention a user group, and learns of none by trying', async () => {
  await makeGroup(iris, 'bakers', iris, gus)
  const content = 'Ask @*bakers* and @*nobody*.'
  const id = await sendToStream(gus, open, 'bread', content)
  const shown = '<p>Ask @<em>bakers</em> and @<em>nobody</em>.</p>'

  assert.equal((await readMessage(iris, id)).content, shown)
  assert.equal((await gus.messages.render({ content })).rendered, shown)
  const byMember = await sendToStream(iris, open, 'bread', content)
  assert.match((await readMessage(gus, byMember)).content, /user-group-mention/)
  assert.ok((await readMessage(gus, byMember)).flags.includes('mentioned'))
})
