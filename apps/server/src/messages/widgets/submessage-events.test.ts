import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Event, MessageId } from '@oxbow/contract'
import { expectSameSubmessages, type Person, startWorld } from '@oxbow/testkit'
import { collectEvents } from '@oxbow/testkit/calls/events'
import { readMessage, sendPrivately, sendToStream } from '@oxbow/testkit/calls/messages'
import { react } from '@oxbow/testkit/calls/reactions'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris, otto, nora, fern] = await world.people('iris', 'otto', 'nora', 'fern')
const gus = await world.person('gus', 'guest')
const cast = { owner, iris, otto, nora, fern, gus }

const vote = (by: Person, message_id: MessageId, key = 'canned,0', value = 1, node: 'a' | 'b' = 'a') =>
  by.on(node).messages.addSubmessage({
    ...{ message_id, msg_type: 'widget' },
    content: JSON.stringify({ type: 'vote', key, vote: value }),
  })
const leave = (person: Person, stream: { name: string }) =>
  person.subscriptions.unsubscribe({ subscriptions: [stream.name] })
const onlySubmessages = { event_types: ['submessage'] }
const listReceivers = (events: Record<string, Event[]>) =>
  Object.keys(events).filter((name) => events[name]?.length)

test('submessage events reach subscribers and other users who starred the message or reacted to it', async () => {
  const garden = await world.stream('garden', { members: [iris, otto, gus] })
  const message_id = await sendToStream(iris, garden, 'beds', '/poll Which?\nRoses')
  await react(nora, message_id, 'tada')

  const events = await collectEvents(world, cast, () => vote(otto, message_id), onlySubmessages)

  assert.deepEqual(listReceivers(events), ['iris', 'otto', 'nora', 'gus'])
  const [event] = events.gus ?? []
  assert.ok(event?.type === 'submessage')
  const { id, type, submessage_id, ...fields } = event
  const added = (await readMessage(gus, message_id)).submessages.at(-1)
  assert.deepEqual({ id: submessage_id, ...fields }, added)
  assert.equal(fields.sender_id, otto.user_id)
})

test('a former member of a private stream gets no later submessages and cannot add any', async () => {
  const cellar = await world.stream('cellar', { members: [iris, otto, nora], invite_only: true, by: iris })
  const message_id = await sendToStream(iris, cellar, 'plans', '/poll Which?\nRoses')
  await vote(otto, message_id)
  await react(otto, message_id, 'tada')
  await leave(otto, cellar)

  const events = await collectEvents(world, cast, () => vote(nora, message_id), onlySubmessages)

  assert.deepEqual(listReceivers(events), ['iris', 'nora'])
  const bySender = async (person: Person) =>
    (await readMessage(person, message_id)).submessages.map(({ sender_id }) => sender_id)
  assert.deepEqual(await bySender(otto), [iris.user_id, otto.user_id])
  assert.deepEqual(await bySender(iris), [iris.user_id, otto.user_id, nora.user_id])
  const hidden = { errorName: 'INVALID_MESSAGE' }
  for (const outsider of [otto, fern, owner, gus]) await assert.rejects(vote(outsider, message_id), hidden)
  await iris.subscriptions.subscribe({ subscriptions: [{ name: 'cellar' }], principals: [otto.user_id] })
  assert.equal((await bySender(otto)).length, 3)
})

test('submessages of a private message reach exactly its conversation', async () => {
  const message_id = await sendPrivately(iris, [otto, gus], '/todo')
  const task = '{"type":"new_task","key":1,"task":"Weed","desc":"","completed":false}'
  const events = await collectEvents(
    world,
    cast,
    () => gus.messages.addSubmessage({ message_id, msg_type: 'widget', content: task }),
    { ...onlySubmessages, all_public_streams: true },
  )

  assert.deepEqual(listReceivers(events), ['iris', 'otto', 'gus'])
  await assert.rejects(vote(nora, message_id), { errorName: 'INVALID_MESSAGE' })
})

test('twenty clients that vote concurrently all see the same poll', async () => {
  const names = Array.from({ length: 16 }, (_, index) => `voter${index}`)
  const voters = [iris, otto, nora, fern, ...(await world.people(...names))]
  const hall = await world.stream('hall', { members: voters })
  const message_id = await sendToStream(iris, hall, 'beds', '/poll Which?\nRoses\nTulips\nFigs')
  const watching = Object.fromEntries(voters.map((person, index) => [String(index), person]))

  const received = await expectSameSubmessages(world, watching, message_id, () =>
    Promise.all(
      voters.map(async (person) => {
        for (let round = 0; round < 3; round++) {
          const value = Math.random() < 0.3 ? -1 : 1
          const option = `canned,${Math.floor(Math.random() * 3)}`
          await vote(person, message_id, option, value, Math.random() < 0.5 ? 'a' : 'b')
        }
      }),
    ),
  )

  for (const events of Object.values(received)) {
    assert.equal(events.length, 60)
    // Events arrive in the order of their ids, so clients that apply them on arrival and clients
    // that sort them show the same poll.
    const ids = events.map(({ submessage_id }) => submessage_id)
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => a - b),
    )
  }
})

test('a vote during the deletion of its message leaves no row behind', async () => {
  const shed = await world.stream('shed', { members: [iris, otto] })
  for (let round = 0; round < 6; round++) {
    const message_id = await sendToStream(iris, shed, 'tools', '/poll Which?\nRake')
    const outcomes = await Promise.allSettled([
      vote(otto, message_id),
      owner.messages.remove({ message_id }),
      vote(iris, message_id, 'canned,0', 1, 'b'),
    ])

    for (const outcome of outcomes)
      if (outcome.status === 'rejected') assert.equal(outcome.reason.body.msg, 'Invalid message(s)')
    assert.deepEqual(
      await world.database.query('select from submessage where message_id = $1', [message_id]),
      [],
    )
  }
})
