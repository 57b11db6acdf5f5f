import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { createClient } from '@oxbow/sdk'
import { createGarden, eventually, startFailoverDatabase, startNodeProcess, withApp } from '@oxbow/testkit'
import { schedule } from '@oxbow/testkit/calls/scheduled-messages'
import { withSession } from '@oxbow/testkit/garden/database-dump'

const count = 24
/** Messages that are sent before the standby stops, and messages whose sending the standby does not get. */
const [keptCount, lostCount] = [4, 3]
/** Interval between the due times of the other messages, so that they are due during and after the failover. */
const spacingMs = 500

test('scheduled messages due around a failover that loses commits are each sent once', async () => {
  await using database = await startFailoverDatabase('oxbow')
  const database_url = database.url
  const { email, api_key } = await withApp(database_url, createGarden)
  await using node = await startNodeProcess({ database_url })
  await using other = await startNodeProcess({ database_url })
  const client = createClient({ url: node.url, credentials: { email, api_key } })
  const ids: number[] = []
  for (let number = 0; number < count; number++)
    ids.push(await schedule(client, { to: 'general', topic: 'numbered', content: `${number}` }))
  const keptIds = ids.slice(0, keptCount)
  const lostIds = ids.slice(keptCount, keptCount + lostCount)
  const otherIds = ids.slice(keptCount + lostCount)
  await database.addStandby()
  const query = <Row extends object>(text: string, values: unknown[] = []) =>
    withSession(database_url, async (session) => (await session.query<Row>(text, values)).rows)
  /** Makes messages due, the first one now and each other one this much later than the one before. */
  const makeDue = (messageIds: number[], intervalMs = 0) =>
    query(
      `update scheduled_message set deliver_at = moment.due, attempt_at = moment.due
       from (select id, now() + make_interval(secs => $2 * (number - 1) / 1000.0) as due
             from unnest($1::bigint[]) with ordinality as listed (id, number)) as moment
       where scheduled_message.id = moment.id`,
      [messageIds, intervalMs],
    )
  const readSent = () =>
    query<{ content: string }>("select content from message where topic = 'numbered' order by content::int")
  const areSent = (messageIds: number[]) => async () => {
    const sent = new Set((await readSent()).map(({ content }) => ids[Number(content)]))
    return messageIds.every((id) => sent.has(id))
  }

  await makeDue(keptIds)
  await eventually(areSent(keptIds))
  await makeDue(otherIds, spacingMs)
  const [now] = await query<{ lsn: string }>('select pg_current_wal_lsn()::text as lsn')
  const reached = `select from pg_stat_replication where flush_lsn >= '${now?.lsn}'`
  await eventually(async () => (await query(reached)).length > 0)
  database.stopReplication()
  // These messages are committed only at the primary, so they are lost and must be sent again.
  await makeDue(lostIds)
  await eventually(areSent(lostIds))
  await database.failOver()
  // The standby does not know that these messages are due.
  await eventually(() =>
    makeDue(lostIds).then(
      () => true,
      () => false,
    ),
  )

  await eventually(() => areSent(ids)().catch(() => false))
  // Waits, because a second delivery would follow at once.
  await setTimeout(2 * spacingMs)
  assert.deepEqual(
    (await readSent()).map(({ content }) => Number(content)),
    Array.from({ length: count }, (_, number) => number),
  )
  assert.deepEqual(await query('select id from scheduled_message'), [])
  assert.ok(!node.hasExited() && !other.hasExited(), node.output() + other.output())
})
