import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { MessageId, StreamId } from '@oxbow/contract'
import { eventually, startWorld } from '@oxbow/testkit'
import { collectEvents, sendToStream } from '../../../test/conversation.ts'
import { refusal } from '../../../test/refusal.ts'
import { lockStreamsExclusive } from '../../platform/database/locks.ts'
import { inTransaction } from '../../platform/database/transaction.ts'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris, otto] = await world.people('iris', 'otto')
const garden = await world.stream('garden', { members: [iris, otto] })
const shed = await world.stream('shed', { members: [iris, otto] })
const cellar = await world.stream('cellar', { members: [iris, owner], invite_only: true })

/**
 * Locks the stream, starts a request that waits for the lock, runs `sql`, and unlocks the stream.
 * Returns the request's result.
 */
async function meanwhile<Result>(
  { stream_id }: { stream_id: StreamId },
  begin: () => Promise<Result>,
  sql: string,
  values: unknown[],
): Promise<Result> {
  let begun: Promise<Result> | undefined
  await inTransaction(world.nodes.b.app.db, async (tx) => {
    await lockStreamsExclusive(tx, [stream_id])
    begun = begin()
    begun.catch(() => {})
    const waiting = `select from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`
    await eventually(async () => (await world.database.query(waiting)).length > 0)
    await world.database.query(sql, values)
  })
  return begun as Promise<Result>
}

const move = 'update message set recipient_id = $2 where id = $1'
const remove = 'delete from message where id = $1'

test('an edit that waited while the message was deleted reports a missing message', async () => {
  const message_id = await sendToStream(iris, garden, 'roses')

  const edit = () => iris.messages.edit({ message_id, content: 'x' })

  await assert.rejects(meanwhile(garden, edit, remove, [message_id]), refusal('Invalid message(s)'))
})

test('a deletion that waited while the message was deleted reports that it is already deleted', async () => {
  const message_id = await sendToStream(iris, garden, 'roses')

  const again = () => owner.messages.remove({ message_id })

  await assert.rejects(meanwhile(garden, again, remove, [message_id]), refusal('Message already deleted'))
})

test('an edit or deletion that waited while the message moved applies in its new stream', async () => {
  const ids: MessageId[] = [
    await sendToStream(iris, garden, 'roses'),
    await sendToStream(iris, garden, 'roses'),
  ]
  const [edited, deleted] = ids as [MessageId, MessageId]

  const events = await collectEvents(
    world,
    { otto },
    async () => {
      const edit = () => iris.messages.edit({ message_id: edited, topic: 'tulips' })
      await meanwhile(garden, edit, move, [edited, shed.stream_id])
      const again = () => owner.messages.remove({ message_id: deleted })
      await meanwhile(garden, again, move, [deleted, shed.stream_id])
    },
    { event_types: ['update_message', 'delete_message'] },
  )

  assert.deepEqual(
    events.otto?.map((event) => 'stream_id' in event && event.stream_id),
    [shed.stream_id, shed.stream_id],
  )
})

test('a deletion that waited while access was lost reports a missing message', async () => {
  const message_id = await sendToStream(iris, garden, 'roses')

  const again = () => owner.messages.remove({ message_id })

  const hidden = meanwhile(garden, again, move, [message_id, cellar.stream_id])
  // The owner is subscribed now, but did not receive the message.
  await assert.rejects(hidden, refusal('Invalid message(s)'))
})

test('deleting a message of a stream that becomes private meanwhile still emits its events', async () => {
  const message_id = await sendToStream(iris, shed, 'roses')

  const close = 'update stream set invite_only = true, history_public_to_subscribers = true where id = $1'
  const again = () => iris.messages.remove({ message_id })
  await world.database.query('update organization set allow_message_deleting = true')
  const { otto: events } = await collectEvents(
    world,
    { otto },
    () => meanwhile(shed, again, close, [shed.stream_id]),
    { event_types: ['delete_message'] },
  )

  assert.equal(events?.length, 1)
})
