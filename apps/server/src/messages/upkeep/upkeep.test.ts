import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { MessageId } from '@oxbow/contract'
import { startWorld } from '@oxbow/testkit'
import { sendPrivately, sendToStream } from '@oxbow/testkit/calls/messages'
import { countTraffic } from './count-traffic.ts'
import { deleteOldMessages } from './retention.ts'

const world = await startWorld({ ownServer: true })
after(() => world[Symbol.asyncDispose]())
const [iris, otto] = await world.people('iris', 'otto')
const { app } = world.nodes.a

/** Sets the time of messages to noon in UTC, so that it is on the same day whenever the test runs. */
const sentDaysAgo = (days: number, ids: MessageId[]) =>
  world.database.query(
    `update message set sent_at = (date_trunc('day', now() at time zone 'utc') + interval '12 hours' - $2 * interval '1 day') at time zone 'utc'
     where id = any($1::bigint[])`,
    [ids, days],
  )
const listRemaining = async (ids: MessageId[]) => {
  const rows = await world.database.query<{ id: number }>(
    'select id::int from message where id = any($1::bigint[]) order by id',
    [ids],
  )
  return rows.map(({ id }) => id)
}

test('messages are deleted after the retention time of their stream, or otherwise of the organization', async () => {
  const { stream_id } = await world.stream('garden', { members: [iris, otto] })
  await world.stream('archive', { members: [iris], message_retention_days: 'forever' })
  await world.stream('gossip', { members: [iris, otto], message_retention_days: 2 as never })
  const ids: Record<string, MessageId[]> = {}
  for (const to of ['garden', 'archive', 'gossip'])
    ids[to] = [
      await sendToStream(iris, to, 'roses'),
      await sendToStream(iris, to, 'roses'),
      await sendToStream(iris, to, 'roses'),
    ]
  ids.private = [await sendPrivately(iris, [otto]), await sendPrivately(iris, [otto])]
  const [old, middle] = [0, 1].map((index) =>
    Object.values(ids).map((messageIds) => messageIds[index] as MessageId),
  )
  await sentDaysAgo(9, old as MessageId[])
  await sentDaysAgo(3, middle as MessageId[])
  await otto.messages.changeFlags({ messages: [ids.garden?.[0] as MessageId], op: 'add', flag: 'starred' })

  await deleteOldMessages.run(app, {})
  // The organization has no retention yet.
  assert.deepEqual(await listRemaining(ids.garden as MessageId[]), ids.garden)
  assert.deepEqual(await listRemaining(ids.gossip as MessageId[]), ids.gossip?.slice(2))

  await world.database.query('update organization set message_retention_days = 7')
  await deleteOldMessages.run(app, {})
  assert.deepEqual(await listRemaining(ids.garden as MessageId[]), ids.garden?.slice(1))
  assert.deepEqual(await listRemaining(ids.archive as MessageId[]), ids.archive)
  assert.deepEqual(await listRemaining(ids.private as MessageId[]), ids.private?.slice(1))
  assert.deepEqual(
    await world.database.query('select from user_message where message_id = $1', [ids.garden?.[0]]),
    [],
  )
  const { streams } = await iris.streams.list()
  const garden = streams.find((stream) => stream.stream_id === stream_id)
  assert.ok((garden?.first_message_id ?? 0) !== ids.garden?.[0])
})

test('all expired messages are deleted even if there are more than one batch', async () => {
  await world.stream('flood', { members: [iris], message_retention_days: 1 as never })
  const first = await sendToStream(iris, 'flood', 'roses')
  await world.database.query(
    `insert into message select (jsonb_populate_record(m, jsonb_build_object('id', nextval('message_id')))).*
     from message m, generate_series(1, 2500) where m.id = $1`,
    [first],
  )
  await world.database.query(
    `update message set sent_at = now() - interval '3 days', arrived_id = id
     where recipient_id = (select recipient_id from message where id = $1)`,
    [first],
  )
  await deleteOldMessages.run(app, {})
  const { streams } = await iris.streams.list()
  assert.equal(streams.find(({ name }) => name === 'flood')?.first_message_id, null)
})

test('each message is counted once in the traffic of its stream and day', async () => {
  const { stream_id } = await world.stream('square', { members: [iris] })
  const ids = [
    await sendToStream(iris, 'square', 'roses'),
    await sendToStream(iris, 'square', 'roses'),
    await sendToStream(iris, 'square', 'roses'),
  ]
  await sentDaysAgo(2, ids.slice(0, 2))
  await sendPrivately(iris, [otto])
  const counted = () =>
    world.database.query(
      `select messages, (now() at time zone 'utc')::date - day as days from stream_traffic
       where stream_id = $1 order by day`,
      [stream_id],
    )
  await world.database.query(`update message set sent_at = sent_at - interval '10 minutes'`)
  await countTraffic.run(app, {})
  const once = await counted()
  await Promise.all([countTraffic.run(app, {}), countTraffic.run(world.nodes.b.app, {})])

  assert.deepEqual(await counted(), once)
  assert.deepEqual(once[0], { messages: 2, days: 2 })
  const last = await sendToStream(iris, 'square', 'roses')
  await countTraffic.run(app, {})
  // Messages of the last minutes are not counted yet.
  assert.deepEqual(await counted(), once)
  await sentDaysAgo(2, [last])
  await countTraffic.run(app, {})
  assert.deepEqual((await counted())[0], { messages: 3, days: 2 })
})
