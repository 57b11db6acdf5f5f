import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { MessageId } from '@oxbow/contract'
import { type MadeStream, type Person, startWorld } from '@oxbow/testkit'
import { sendToStream } from '@oxbow/testkit/calls/messages'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const iris = await world.person('iris')

const move = (message_id: MessageId | undefined, { stream_id }: MadeStream) =>
  owner.messages.edit({
    message_id: message_id as MessageId,
    stream_id,
    send_notification_to_new_thread: false,
    send_notification_to_old_thread: false,
  })

/**
 * Filters `sent` to the messages that are listed without a narrow. Lists them from both ends,
 * newest and oldest.
 */
async function listShown(by: Person, sent: readonly MessageId[]): Promise<number[]> {
  const page = { num_before: 0, num_after: 0 }
  const older = await by.messages.list({ ...page, anchor: 'newest', num_before: 100 })
  const newer = await by.messages.list({ ...page, anchor: 'oldest', num_after: 100 })
  const idsOf = ({ messages }: typeof older) =>
    messages.map(({ id }) => id as MessageId).filter((id) => sent.includes(id))
  assert.deepEqual(idsOf(older), idsOf(newer))
  return idsOf(older)
}

test('messages moved to a stream that became private are not listed', async () => {
  const garden = await world.stream('garden', { members: [owner, iris] })
  const field = await world.stream('field', { members: [owner] })
  const attic = await world.stream('attic', { members: [owner] })
  const ids: MessageId[] = []
  for (let count = 0; count < 7; count++) ids.push(await sendToStream(owner, garden, `topic ${count}`))
  const [one, two, three, four, five, six, seven] = ids
  await move(two, attic)
  await move(four, field)
  await move(six, attic)
  await owner.streams.update({ stream_id: attic.stream_id, is_private: true })
  await owner.messages.edit({ message_id: three as MessageId, content: 'Weeded.' })

  assert.deepEqual(await listShown(iris, ids), [one, three, four, five, seven])
  assert.deepEqual(await listShown(owner, ids), ids)
})

test('a former subscriber of a private stream sees its messages except those edited later', async () => {
  const cellar = await world.stream('cellar', { members: [owner, iris], invite_only: true })
  const [one, two, three] = [
    await sendToStream(owner, cellar, 'jam'),
    await sendToStream(owner, cellar, 'jam'),
    await sendToStream(owner, cellar, 'jam'),
  ]
  await owner.messages.edit({ message_id: one, content: 'Known.' })
  await iris.subscriptions.unsubscribe({ subscriptions: [cellar.name] })
  await owner.messages.edit({ message_id: two, content: 'Unknown.' })

  assert.deepEqual(await listShown(iris, [one, two, three]), [one, three])
})
