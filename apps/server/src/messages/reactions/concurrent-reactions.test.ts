import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { MessageId } from '@oxbow/contract'
import { expectSameReactions, type Person, startWorld } from '@oxbow/testkit'
import { sendPrivately, sendToStream } from '@oxbow/testkit/calls/messages'
import { react, readReactions } from '@oxbow/testkit/calls/reactions'
import { bySize } from '@oxbow/testkit/size'

const world = await startWorld({ config: { database_pool_size: 10 } })
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const people = await world.people('iris', 'otto', 'nora', 'fern', 'rose', 'hazel')
const [iris, otto] = people
const garden = await world.stream('garden', { members: people })
const shed = await world.stream('shed', { members: people })
const names = ['tada', 'congratulations']
const rounds = bySize({ gate: 4, long: 8 })

const reactAt = (by: Person, node: number, message_id: MessageId, emoji_name = 'tada') =>
  by.on(node % 2 === 0 ? 'a' : 'b').messages.addReaction({ message_id, emoji_name })

test('concurrent first reactions with an emoji are stored under one name', async () => {
  for (let round = 0; round < rounds; round++) {
    const id =
      round % 2 === 0 ? await sendToStream(iris, garden, 'roses') : await sendPrivately(iris, people.slice(1))

    await Promise.all(people.map((person, index) => reactAt(person, index, id, names[index % 2])))

    const reactions = await readReactions(iris, id)
    assert.equal(reactions.length, people.length)
    assert.equal(new Set(reactions.map(({ emoji_name }) => emoji_name)).size, 1)
  }
})

test('an emoji keeps one name while reactions are added and removed', async () => {
  const id = await sendToStream(iris, garden, 'roses')
  const comeAndGo = async (person: Person, index: number) => {
    for (let round = 0; round < bySize({ gate: 6, long: 12 }); round++) {
      await reactAt(person, index + round, id, names[(index + round) % 2])
      const reactions = await readReactions(person, id)
      assert.equal(new Set(reactions.map(({ emoji_name }) => emoji_name)).size, 1)
      await person.messages.removeReaction({ message_id: id, emoji_name: 'tada' })
    }
  }

  await Promise.all(people.map(comeAndGo))

  assert.deepEqual(await readReactions(iris, id), [])
})

test('one of several concurrent requests to add or remove the same reaction of a user succeeds', async () => {
  for (const isThere of [false, true]) {
    const id = await sendToStream(iris, garden, 'roses')
    if (isThere) await react(iris, id, 'congratulations')

    const added = await Promise.allSettled(
      Array.from({ length: 6 }, (_, index) => reactAt(otto, index, id, names[index % 2])),
    )
    const remove = () => otto.messages.removeReaction({ message_id: id, emoji_name: 'tada' })
    const removed = await Promise.allSettled(Array.from({ length: 6 }, remove))

    for (const [outcomes, text] of [
      [added, 'Reaction already exists.'],
      [removed, "Reaction doesn't exist."],
    ] as const) {
      assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') assert.equal(outcome.reason.body.msg, text)
    }
  }
})

test('reacting to a message during its deletion leaves no row behind', async () => {
  for (let round = 0; round < rounds; round++) {
    const inStream = await sendToStream(iris, garden, 'roses')
    const inPrivate = await sendPrivately(iris, [otto, owner])

    const outcomes = await Promise.allSettled(
      [inStream, inPrivate].flatMap((message_id) => [
        reactAt(otto, 1, message_id),
        owner.messages.remove({ message_id }),
        reactAt(iris, 0, message_id),
      ]),
    )

    for (const outcome of outcomes)
      if (outcome.status === 'rejected') assert.equal(outcome.reason.body.msg, 'Invalid message(s)')
    for (const table of ['reaction', 'user_message']) {
      const ids = [[inStream, inPrivate]]
      const rows = await world.database.query(`select from ${table} where message_id = any($1)`, ids)
      assert.equal(rows.length, 0, table)
    }
  }
})

test('a reaction during a move applies in the new stream, with one event per user', async () => {
  for (let round = 0; round < bySize({ gate: 4, long: 6 }); round++) {
    const message_id = await sendToStream(iris, round % 2 === 0 ? garden : shed, 'roses')
    const stream_id = (round % 2 === 0 ? shed : garden).stream_id

    const watching = Object.fromEntries(people.map((person, index) => [String(index), person]))
    const events = await expectSameReactions(world, watching, [message_id], () =>
      Promise.all([
        reactAt(otto, 0, message_id),
        owner.messages.edit({
          message_id,
          stream_id,
          send_notification_to_old_thread: false,
          send_notification_to_new_thread: false,
        }),
        reactAt(iris, 1, message_id),
      ]),
    )

    for (const list of Object.values(events)) assert.equal(list.length, 2)
  }
})
