import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { MessageId } from '@oxbow/contract'
import { expectSameState, type MadeStream, type Person, startWorld } from '@oxbow/testkit'
import { sendPrivately, sendToStream } from '@oxbow/testkit/calls/messages'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const [iris, otto, nora, lara] = await world.people('iris', 'otto', 'nora', 'lara')
const ada = await world.person('ada', 'administrator')
const gus = await world.person('gus', 'guest')
const gil = await world.person('gil', 'guest')
const everyone = { iris, otto, nora, lara, ada, gus, gil }

const quietly = { send_notification_to_old_thread: false, send_notification_to_new_thread: false }
const registrations = [{}, { client_capabilities: { bulk_message_deletion: true } }]

let count = 0

const newStream = (members: Person[], options = {}) =>
  world.stream(`stream ${++count}`, { members, ...options })

const star = (person: Person, messages: MessageId[]) =>
  person.messages.changeFlags({ messages, op: 'add', flag: 'starred' })
const leave = (person: Person, { name }: MadeStream) =>
  person.subscriptions.unsubscribe({ subscriptions: [name] })
const expectSame = (change: () => Promise<unknown>) =>
  expectSameState(world, everyone, change, { registrations, followsOtherChanges: true })

/**
 * Sends everyone a message that is never deleted. After the deletion of the newest message, a
 * client that applies events could not find out which message is the newest.
 */
const sendNewest = () => sendPrivately(iris, [otto, nora, lara, ada, gus, gil])

/** Sends two messages to a topic. Lara stars them and then leaves the stream. */
async function topicIn(stream: MadeStream, topic: string, content?: string): Promise<MessageId[]> {
  const ids = [
    await sendToStream(iris, stream, topic, content),
    await sendToStream(iris, stream, topic, content),
  ]
  await star(lara, ids)
  await leave(lara, stream)
  await sendNewest()
  return ids
}

test('applying events of edits that add or remove mentions gives the same state as a new register', async () => {
  const stream = await newStream([iris, otto, lara, gus])
  const [message_id] = (await topicIn(stream, 'roses')) as [MessageId]
  await otto.subscriptions.muteTopic({ stream_id: stream.stream_id, topic: 'roses', op: 'add' })

  for (const content of [
    '@**Otto Gardener** @**Gus Gardener** @**Nora Gardener** @**Lara Gardener**',
    '@**all**',
    '@**everyone** @**Gus Gardener**',
    'Nobody',
  ])
    await expectSame(() => iris.messages.edit({ message_id, content }))
})

test('applying events of edited mentions in private messages gives the same state as a new register', async () => {
  const pair = await sendPrivately(iris, [otto])
  const group = await sendPrivately(iris, [otto, nora, gus])

  for (const content of ['@**Otto Gardener**', 'Nobody'])
    await expectSame(async () => {
      await iris.messages.edit({ message_id: pair, content })
      await iris.messages.edit({ message_id: group, content })
    })
})

test('applying events of topic changes gives the same state as a new register, for muted and unmuted topics', async () => {
  const stream = await newStream([iris, otto, nora, lara, gus])
  const [message_id] = (await topicIn(stream, 'roses', '@**all**')) as [MessageId]
  for (const person of [otto, gus])
    await person.subscriptions.muteTopic({ stream_id: stream.stream_id, topic: 'tulips', op: 'add' })

  for (const [topic, propagate_mode] of [
    ['tulips', 'change_one'],
    ['oaks', 'change_all'],
    ['Tulips', 'change_later'],
    ['roses', 'change_all'],
    ['✔ roses', 'change_all'],
    ['roses', 'change_all'],
  ] as const)
    await expectSame(() => iris.messages.edit({ message_id, topic, propagate_mode }))
})

test('applying topic changes with protected history and changing members gives the same state as a new register', async () => {
  const cellar = await newStream([iris, otto, lara, ada], { invite_only: true })
  const ids = await topicIn(cellar, 'plans')
  await iris.subscriptions.subscribe({ subscriptions: [{ name: cellar.name }], principals: [nora.user_id] })
  ids.push(await sendToStream(iris, cellar, 'plans'))
  await sendNewest()
  const [message_id] = ids as [MessageId]

  await expectSame(() => iris.messages.edit({ message_id, topic: 'schemes', propagate_mode: 'change_all' }))
  await expectSame(() => ada.streams.deleteTopic({ stream_id: cellar.stream_id, topic_name: 'schemes' }))
})

test('applying events of moves between streams and back gives the same state as a new register', async () => {
  const [from, by, to] = [
    await newStream([iris, otto, nora, lara, gus, gil]),
    await newStream([iris, otto, gil]),
    await newStream([iris, otto, nora, gil, gus]),
  ]
  const [message_id] = (await topicIn(from, 'roses', '@**all** and @**Gus Gardener**')) as [MessageId]
  await star(gus, [message_id])
  const move = (stream: MadeStream, params = {}) =>
    expectSame(() =>
      ada.messages.edit({
        message_id,
        stream_id: stream.stream_id,
        propagate_mode: 'change_all',
        ...quietly,
        ...params,
      }),
    )

  await move(by)
  await leave(nora, from)
  await otto.subscriptions.setProperties({
    subscription_data: [{ stream_id: to.stream_id, property: 'is_muted', value: true }],
  })
  await move(to, { topic: 'tulips' })
  await move(from)
  await move(to, { propagate_mode: 'change_one' })
})

test("applying events gives the same state as a new register if a stream's first message is moved or deleted", async () => {
  const [from, to] = [await newStream([iris, otto, gus]), await newStream([iris, nora])]
  const message_id = await sendToStream(iris, from, 'roses')
  const last = await sendToStream(iris, from, 'other')
  await sendNewest()

  await expectSame(() => ada.messages.edit({ message_id, stream_id: to.stream_id, ...quietly }))
  await expectSame(() => ada.messages.remove({ message_id }))
  await expectSame(() => ada.messages.remove({ message_id: last }))
})

test("applying the deletion of a private default stream's first message gives the same state as a new register", async () => {
  const cellar = await newStream([iris, ada], { invite_only: true })
  await ada.defaultStreams.add({ stream_id: cellar.stream_id })
  const message_id = await sendToStream(iris, cellar, 'roses')
  await sendToStream(iris, cellar, 'other')
  await sendNewest()

  const received = await expectSame(() => ada.messages.remove({ message_id }))

  assert.deepEqual(
    received.otto?.map(({ type }) => type),
    ['default_streams'],
  )
})

test('applying deletions of unread and starred messages gives the same state as a new register', async () => {
  const stream = await newStream([iris, otto, nora, lara, gus])
  const [message_id] = (await topicIn(stream, 'roses', '@**all** @**Otto Gardener**')) as [MessageId]
  const note = await sendPrivately(iris, [ada, otto])
  await star(otto, [message_id, note])
  await sendPrivately(iris, [ada, otto])
  await sendNewest()

  await expectSame(() => ada.messages.remove({ message_id }))
  await expectSame(() => ada.messages.remove({ message_id: note }))
  await expectSame(() => ada.streams.deleteTopic({ stream_id: stream.stream_id, topic_name: 'roses' }))
})
