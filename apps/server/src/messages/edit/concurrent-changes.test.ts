import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { MessageId, StreamId } from '@oxbow/contract'
import { eventually, type Person, startWorld } from '@oxbow/testkit'
import { collectEvents } from '@oxbow/testkit/calls/events'
import { sendToStream } from '@oxbow/testkit/calls/messages'
import { refusal } from '@oxbow/testkit/calls/requests'
import { sql } from 'kysely'
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

/** Waits until an edit waits for a lock on `message_edit`. Returns the id of its PostgreSQL session. */
const findWaitingEdit = () =>
  eventually(async () => {
    const waiting = `select pid from pg_locks where relation = 'message_edit'::regclass and not granted
      and database = (select oid from pg_database where datname = current_database())`
    const [edit] = await world.database.query<{ pid: number }>(waiting)
    return edit?.pid
  })

/** Returns whether a session waits for a lock that this session holds. */
async function isWaitingFor(pid: number): Promise<boolean> {
  const waiting = `select from pg_stat_activity
    where datname = current_database() and $1 = any(pg_blocking_pids(pid))`
  return (await world.database.query(waiting, [pid])).length > 0
}

const firstMarks: Record<string, (visitor: Person, message_id: MessageId) => Promise<unknown>> = {
  'a reaction': (visitor, message_id) => visitor.messages.addReaction({ message_id, emoji_name: 'tada' }),
  'a star': (visitor, message_id) =>
    visitor.messages.changeFlags({ messages: [message_id], op: 'add', flag: 'starred' }),
}

for (const [name, mark] of Object.entries(firstMarks)) {
  test(`${name} of a user who did not receive the message waits until an edit has set its mentions`, async () => {
    const visitor = await world.person(name.replace(/.* /, ''))
    const { full_name } = await visitor.users.me()
    const message_id = await sendToStream(iris, garden, 'roses')
    let isMarked = false
    const requests = await inTransaction(world.nodes.b.app.db, async (tx) => {
      // The edit writes to this table after it has set the flags.
      await sql`lock table message_edit in share mode`.execute(tx)
      const edit = iris.messages.edit({ message_id, content: `For @**${full_name}**` })
      const session = await findWaitingEdit()
      const marking = mark(visitor, message_id).then(() => {
        isMarked = true
      })
      await eventually(async () => isMarked || (await isWaitingFor(session)))
      assert.equal(isMarked, false)
      return { edit, marking }
    })
    await Promise.all(Object.values(requests))
  })
}

test('a reaction of a user who received the message does not wait for an edit', async () => {
  const message_id = await sendToStream(iris, garden, 'roses')
  const { edit } = await inTransaction(world.nodes.b.app.db, async (tx) => {
    // The edit writes to this table after it has changed the message.
    await sql`lock table message_edit in share mode`.execute(tx)
    const edit = iris.messages.edit({ message_id, content: 'Pruned.' })
    await findWaitingEdit()
    await otto.messages.addReaction({ message_id, emoji_name: 'tada' })
    return { edit }
  })
  await edit
})
