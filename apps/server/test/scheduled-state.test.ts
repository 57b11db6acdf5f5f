import { after, test } from 'node:test'
import type { ScheduledMessageId } from '@oxbow/contract'
import { expectSameState, startWorld } from '@oxbow/testkit'
import { listScheduled, nextWeek, schedule } from '@oxbow/testkit/calls/scheduled-messages'
import { bySize } from '@oxbow/testkit/size'
import { deliverNow } from '../src/messages/scheduled/test/deliver-now.ts'

// Each test makes changes and asserts that states updated by events equal fresh states.

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris, otto] = await world.people('iris', 'otto')
const garden = await world.stream('garden', { members: [owner, iris, otto] })
const lawn = await world.stream('lawn', { members: [owner, iris] })
const checkState = (change: () => Promise<unknown>) =>
  expectSameState(world, { iris, otto }, change, { registrations: [{}] })

test('scheduled messages are added, changed, delivered and deleted', async () => {
  let ids: ScheduledMessageId[] = []
  await checkState(async () => {
    ids = [
      await schedule(iris, { to: garden.stream_id, at: nextWeek() + 5 }),
      await schedule(iris, { to: [otto.user_id] }),
      await schedule(iris, { to: lawn.stream_id, at: nextWeek() + 9 }),
      await schedule(otto, { to: [iris.user_id, owner.user_id] }),
    ]
  })
  const [first, second, third] = ids as [ScheduledMessageId, ScheduledMessageId, ScheduledMessageId]
  await checkState(async () => {
    await iris.scheduledMessages.edit({
      scheduled_message_id: first,
      scheduled_delivery_timestamp: nextWeek() + 100,
    })
    await iris.scheduledMessages.edit({ scheduled_message_id: second, content: 'Changed.' })
  })
  await checkState(() => deliverNow(world, [first]))
  // One message is refused, the other is sent.
  await owner.subscriptions.unsubscribe({ subscriptions: ['lawn'], principals: [iris.user_id] })
  await owner.streams.update({ stream_id: lawn.stream_id, is_private: true })
  await checkState(() => deliverNow(world, [second, third]))
  await checkState(() =>
    iris.scheduledMessages.edit({
      scheduled_message_id: third,
      to: garden.stream_id,
      scheduled_delivery_timestamp: nextWeek(),
    }),
  )
  await checkState(() => iris.scheduledMessages.remove({ scheduled_message_id: third }))
})

const changes = bySize({ gate: 12, long: 300 })

test('after random concurrent changes by two clients, the state updated by events equals a fresh state', async () => {
  const findScheduled = (list: { scheduled_message_id: ScheduledMessageId }[]) =>
    list[Math.floor(Math.random() * list.length)]?.scheduled_message_id as ScheduledMessageId
  const change = async (on: 'a' | 'b') => {
    const client = iris.on(on)
    const at = nextWeek() + Math.floor(Math.random() * 5)
    const id = findScheduled(await listScheduled(client))
    const kind = Math.floor(Math.random() * 5)
    if (!id || kind <= 1) await schedule(client, { to: garden.stream_id, at })
    else if (kind === 2)
      await client.scheduledMessages.edit({ scheduled_message_id: id, scheduled_delivery_timestamp: at })
    else if (kind === 3) await client.scheduledMessages.remove({ scheduled_message_id: id })
    else await deliverNow(world, [id])
  }
  await checkState(async () => {
    for (let count = 0; count < changes; count++)
      // Of two concurrent changes of one message, the second may find it deleted.
      await Promise.allSettled([change('a'), change('b')])
  })
})
