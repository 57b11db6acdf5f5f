import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { StreamId, UserId } from '@oxbow/contract'
import { type Person, startWorld } from '@oxbow/testkit'
import { refusal } from '@oxbow/testkit/calls/requests'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris, otto, fern] = await world.people('iris', 'otto', 'fern')
const ada = await world.person('ada', 'administrator')
const gus = await world.person('gus', 'guest')
const robin = await world.bot('robin', iris)
const garden = await world.stream('garden', { members: [robin, gus, iris] })
const den = await world.stream('den', { members: [otto, fern, gus], invite_only: true })
await fern.subscriptions.unsubscribe({ subscriptions: ['den'] })
const gone = await world.stream('gone', { members: [owner, iris] })
await owner.streams.archive(gone)

const members = (person: Person, stream_id: StreamId) => person.on('b').streams.members({ stream_id })
const unknown = refusal('Invalid stream id')
const nowhere = 999_999 as StreamId

test('GET /streams/{id}/members lists ids in ascending order, including bots and guests', async () => {
  const inGarden = [iris, gus, robin].map(({ user_id }) => user_id)
  for (const person of [owner, ada, iris, otto, gus, robin])
    assert.deepEqual(await members(person, garden.stream_id), { subscribers: inGarden })
  const inDen = [otto, gus].map(({ user_id }) => user_id)
  for (const person of [owner, ada, otto, gus])
    assert.deepEqual(await members(person, den.stream_id), { subscribers: inDen })
})

test('listing the members of an invisible stream gives the same error as an unknown stream', async () => {
  const open = await world.stream('open', { members: [iris] })
  const hidden: [person: Person, stream_id: StreamId][] = [
    [iris, den.stream_id],
    [robin, den.stream_id],
    // Fern is a former subscriber.
    [fern, den.stream_id],
    [gus, open.stream_id],
    [owner, gone.stream_id],
    [iris, gone.stream_id],
    [owner, nowhere],
  ]
  for (const [person, stream_id] of hidden) await assert.rejects(members(person, stream_id), unknown)
})

test('deactivated users are not listed as members until reactivated', async () => {
  const lena = await world.person('lena')
  const { stream_id } = await world.stream('lake', { members: [lena, iris] })

  await owner.users.deactivate({ user_id: lena.user_id })
  assert.deepEqual(await members(iris, stream_id), { subscribers: [iris.user_id] })
  await owner.users.reactivate({ user_id: lena.user_id })

  assert.deepEqual(await members(iris, stream_id), { subscribers: [iris.user_id, lena.user_id] })
})

test('subscription status is shown only to users who may read the stream', async () => {
  const status = (asker: Person, { user_id }: { user_id: UserId }, stream_id: StreamId) =>
    asker.on('b').subscriptions.status({ user_id, stream_id })

  assert.deepEqual(await status(otto, iris, garden.stream_id), { is_subscribed: true })
  assert.deepEqual(await status(otto, otto, garden.stream_id), { is_subscribed: false })
  assert.deepEqual(await status(gus, iris, garden.stream_id), { is_subscribed: true })
  assert.deepEqual(await status(robin, gus, garden.stream_id), { is_subscribed: true })
  assert.deepEqual(await status(otto, fern, den.stream_id), { is_subscribed: false })
  assert.deepEqual(await status(otto, gus, den.stream_id), { is_subscribed: true })
  // Administrators have no special rights here.
  for (const asker of [ada, owner, iris, fern])
    await assert.rejects(status(asker, otto, den.stream_id), unknown)
  await assert.rejects(status(owner, iris, gone.stream_id), unknown)
  await assert.rejects(status(owner, iris, nowhere), unknown)
})

test('the subscription status endpoint checks the user before the stream, and refuses bots', async () => {
  const left = await world.person('left')
  await owner.users.deactivate({ user_id: left.user_id })
  const status = (user_id: UserId, stream_id: StreamId) => iris.subscriptions.status({ user_id, stream_id })

  for (const stream_id of [garden.stream_id, nowhere]) {
    await assert.rejects(status(robin.user_id, stream_id), refusal('No such user'))
    await assert.rejects(status(999_999 as UserId, stream_id), refusal('No such user'))
    await assert.rejects(status(left.user_id, stream_id), refusal('User is deactivated'))
  }
})
