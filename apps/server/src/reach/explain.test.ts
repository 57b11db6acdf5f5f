import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { MessageId } from '@oxbow/contract'
import { type Person, startWorld } from '@oxbow/testkit'
import { sendPrivately, sendToStream } from '@oxbow/testkit/calls/messages'
import { refusal } from '@oxbow/testkit/calls/requests'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris, otto, fern] = await world.people('iris', 'otto', 'fern')
const garden = await world.stream('garden', { members: [owner, iris, otto] })
const { stream_id } = garden

async function explain(person: Person, message_id: MessageId, about?: Person) {
  const { reasons, channels } = await person
    .on('b')
    .notifications.explain({ message_id, ...(about && { user_id: about.user_id }) })
  const [screen, , push, mail] = channels.map(({ outcome, rule }) => `${outcome} ${rule}`)
  return { reasons, screen, push, mail }
}
const screenOf = async (person: Person, id: MessageId) => (await explain(person, id)).screen

test('a private message and a mention notify on the screen, and say that nothing is pushed or mailed', async () => {
  const told = { push: 'not D2', mail: 'not D5' }
  const privately = await sendPrivately(otto, [iris], 'Tea?')
  assert.deepEqual(await explain(iris, privately), { reasons: ['R1'], screen: 'told R1', ...told })
  const mention = await sendToStream(otto, garden, 'roses', '@**Iris Gardener** look')
  assert.deepEqual(await explain(iris, mention), { reasons: ['R2', 'R9'], screen: 'told R2', ...told })
})

test('the answers of a newcomer are given by the right rules', async () => {
  const plain = await sendToStream(otto, garden, 'roses', 'Pruned.')
  const toAll = await sendToStream(otto, garden, 'roses', '@**all** come')
  await iris.alertWords.add({ alert_words: ['aphids'] })
  await world.settled()
  const alert = await sendToStream(otto, garden, 'roses', 'Beware of aphids')
  const change = (property: string, value: boolean | null) =>
    iris.subscriptions.setProperties({ subscription_data: [{ stream_id, property, value }] as never })

  // Why not this one? My own message, one of a stream that I did not join, an ordinary one.
  assert.equal(await screenOf(otto, plain), 'not S1')
  assert.equal(await screenOf(fern, plain), 'not S3')
  assert.equal(await screenOf(iris, plain), 'not R9')
  // Why this one?
  assert.equal(await screenOf(iris, toAll), 'told R6')
  assert.equal(await screenOf(iris, alert), 'told R4')
  // I turned it on for the stream, and off for mentions of everyone.
  await change('desktop_notifications', true)
  assert.equal(await screenOf(iris, plain), 'told R9')
  await change('wildcard_mentions_notify', false)
  assert.equal(await screenOf(iris, toAll), 'told R9')
  await change('desktop_notifications', null)
  assert.equal(await screenOf(iris, toAll), 'not R6')
  // I muted the topic, then the stream, then the person.
  await iris.subscriptions.muteTopic({ stream_id, topic: 'roses', op: 'add' })
  assert.equal(await screenOf(iris, alert), 'not P1')
  await iris.subscriptions.muteTopic({ stream_id, topic: 'roses', op: 'remove' })
  await change('is_muted', true)
  assert.equal(await screenOf(iris, alert), 'not P2')
  await change('is_muted', false)
  await iris.mutedUsers.mute({ muted_user_id: otto.user_id })
  assert.equal(await screenOf(iris, alert), 'not S7')
})

test('a followed topic notifies of every message, also if its stream is muted', async () => {
  const plain = await sendToStream(otto, garden, 'tulips', 'Planted.')
  const attend = (visibility_policy: number) =>
    iris.subscriptions.setAttention({
      stream_id,
      topic: 'Tulips',
      visibility_policy: visibility_policy as never,
    })
  const muteStream = (value: boolean) =>
    iris.subscriptions.setProperties({ subscription_data: [{ stream_id, property: 'is_muted', value }] })
  await iris.mutedUsers.unmute({ muted_user_id: otto.user_id })

  await attend(3)
  assert.deepEqual((await explain(iris, plain)).reasons, ['R8', 'R9'])
  await muteStream(true)
  assert.equal(await screenOf(iris, plain), 'told R8')
  await attend(2)
  assert.equal(await screenOf(iris, plain), 'not R9')
  await attend(0)
  assert.equal(await screenOf(iris, plain), 'not P2')
  await muteStream(false)
  await iris.mutedUsers.mute({ muted_user_id: otto.user_id })
})

test('administrators learn the rule for others, but not whom they muted', async () => {
  const id = await sendPrivately(otto, [iris, owner], 'Tea for three?')
  assert.equal((await explain(owner, id, iris)).screen, 'not S5')
  assert.equal((await explain(owner, id)).screen, 'told R1')
  await iris.mutedUsers.unmute({ muted_user_id: otto.user_id })
  assert.equal((await explain(owner, id, iris)).screen, 'told R1')
})

test('others, hidden messages and unknown users are refused', async () => {
  const id = await sendPrivately(otto, [iris], 'Between us')
  const ask = (person: Person, user_id: number) =>
    person.notifications.explain({ message_id: id, user_id: user_id as never })
  await assert.rejects(ask(otto, iris.user_id), refusal('Insufficient permission'))
  await assert.rejects(ask(owner, iris.user_id), refusal('Invalid message(s)'))
  const shared = await sendToStream(otto, garden, 'roses', 'For all')
  await assert.rejects(
    owner.notifications.explain({ message_id: shared, user_id: 99_999_999 as never }),
    refusal('No such user'),
  )
})
