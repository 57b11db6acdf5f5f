import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { createClient } from '@oxbow/sdk'
import { createGarden, eventually, startFailoverDatabase, startNodeProcess, withApp } from '@oxbow/testkit'
import { withSession } from '../restore/dump.ts'
import { schedule } from '../scheduled.ts'

const count = 24
/**
 * Interval between the due times of messages, so that some are due before, during and after the
 * failover.
 */
const spacingMs = 500

test('scheduled messages due around a failover that loses commits are each sent once', async () => {
  await using database = await startFailoverDatabase('oxbow')
  const database_url = database.url
  const { email, api_key } = await withApp(database_url, createGarden)
  await using node = await startNodeProcess({ database_url })
  await using other = await startNodeProcess({ database_url })
  const client = createClient({ url: node.url, credentials: { email, api_key } })
  for (let number = 0; number < count; number++)
    await schedule(client, { to: 'general', topic: 'numbered', content: `${number}` })
  await database.addStandby()
  const query = <Row extends object>(text: string, values: unknown[] = []) =>
    withSession(database_url, async (session) => (await session.query<Row>(text, values)).rows)
  await query(
    `update scheduled_message set deliver_at = moment.due, attempt_at = moment.due
     from (select id, now() + make_interval(secs => $1 * row_number() over (order by id) / 1000.0) as due
           from scheduled_message) as moment
     where scheduled_message.id = moment.id`,
    [spacingMs],
  )
  const readSent = () =>
    query<{ content: string }>("select content from message where topic = 'numbered' order by content::int")
  const sentAtLeast = (minCount: number) => async () => (await readSent()).length >= minCount

  await eventually(sentAtLeast(4))
  database.stopReplication()
  const sentBefore = (await readSent()).length
  // These messages are committed only at the primary, so they are lost and must be sent again.
  await eventually(sentAtLeast(sentBefore + 3))
  await database.failOver()

  await eventually(() => sentAtLeast(count)().catch(() => false))
  // Waits, because a second delivery would follow at once.
  await setTimeout(2 * spacingMs)
  assert.deepEqual(
    (await readSent()).map(({ content }) => Number(content)),
    Array.from({ length: count }, (_, number) => number),
  )
  assert.deepEqual(await query('select id from scheduled_message'), [])
  assert.ok(!node.hasExited() && !other.hasExited(), node.output() + other.output())
})
