import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Person, startWorld } from '@oxbow/testkit'
import { sendPrivately, sendToStream } from '@oxbow/testkit/calls/messages'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const iris = await world.person('iris')

async function findNewestReport(person: Person): Promise<number | undefined> {
  const state = await person.events.register({ fetch_event_types: ['message'] })
  return state.max_message_id
}

test('max_message_id is the newest message that the account received in any stream or conversation', async () => {
  const otto = await world.person('otto')
  const garden = await world.stream('garden', { members: [iris, otto] })
  const shed = await world.stream('shed', { members: [iris] })
  assert.equal(await findNewestReport(otto), -1)

  await sendToStream(iris, shed, 'spades')
  assert.equal(await findNewestReport(otto), -1)
  const said = await sendToStream(iris, garden, 'roses')
  assert.equal(await findNewestReport(otto), said)
  await otto.subscriptions.unsubscribe({ subscriptions: ['garden'] })
  const missed = await sendToStream(iris, garden, 'roses')
  assert.equal(await findNewestReport(otto), said)
  await otto.messages.changeFlags({ messages: [missed], op: 'add', flag: 'starred' })
  assert.equal(await findNewestReport(otto), said)
  const letter = await sendPrivately(iris, [otto])
  assert.equal(await findNewestReport(otto), letter)
})

test('starred messages are listed in the order of their ids', async () => {
  const otto = await world.person('otto2')
  const garden = await world.stream('roses', { members: [iris, otto] })
  const ids = [
    await sendToStream(iris, garden, 'a'),
    await sendToStream(iris, garden, 'b'),
    await sendPrivately(iris, [otto]),
  ]

  for (const id of ids.toReversed())
    await otto.messages.changeFlags({ messages: [id], op: 'add', flag: 'starred' })

  const state = await otto.events.register({ fetch_event_types: ['starred_messages'] })
  assert.deepEqual(state.starred_messages, ids)
})

test('recent conversations are listed newest first, with their other members', async () => {
  const [otto, nora] = await world.people('otto3', 'nora3')
  await sendPrivately(iris, [otto])
  const round = await sendPrivately(nora, [otto, iris])
  const note = await sendPrivately(otto, [otto])
  const latest = await sendPrivately(otto, [iris])

  const state = await otto.events.register({ fetch_event_types: ['recent_private_conversations'] })

  assert.deepEqual(state.recent_private_conversations, [
    { max_message_id: latest, user_ids: [iris.user_id] },
    { max_message_id: note, user_ids: [] },
    { max_message_id: round, user_ids: [iris.user_id, nora.user_id] },
  ])
})
