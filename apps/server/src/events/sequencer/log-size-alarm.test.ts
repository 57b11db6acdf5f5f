import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually, startWorld } from '@oxbow/testkit'
import type { Node } from '../../index.ts'

const limit = 4 * 1_048_576

test('the log size is a metric of the sequencer, and a warning is logged before events are dropped', async () => {
  await using world = await startWorld({ config: { events_log_limit_mb: 4 } })
  const { database, organization_id, log, nodes } = world
  const endSequencer = () =>
    database.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name like 'oxbow sequencer%'`)
  const warnings = () => log.entries().filter(({ msg }) => String(msg).includes('events_log_limit_mb'))
  const [row] = await database.query<{ part: number }>('select max(part) as part from event_part')
  assert.deepEqual(warnings(), [])

  // Inserts data that cannot be compressed, about as much as is left after a busy day.
  await database.query(
    `insert into event_batch (part, organization_id, first_seq, last_seq, records)
     select $1, $2, -n, -n, (select string_agg(md5(random()::text || n || k), '') from generate_series(1, 1000) as k)
     from generate_series(1, 105) as n`,
    [row?.part, organization_id],
  )
  await endSequencer()

  const [warning] = await eventually(() => warnings().length > 0 && warnings())
  assert.equal(warning?.limit, limit)
  const findLeader = () => eventually(() => Object.values(nodes).find(({ app }) => app.events.leads))
  const read = async ({ app }: Node, name: string) =>
    Number(new RegExp(`^${name} (.*)$`, 'm').exec(await app.metrics.registry.metrics())?.[1])
  const leader = await findLeader()
  assert.equal(await read(leader, 'oxbow_events_log_limit_bytes'), limit)
  const bytes = await read(leader, 'oxbow_events_log_bytes')
  assert.ok(bytes > 0.75 * limit, `${bytes}`)

  // The alert about the log would not end if a node kept its last measurement.
  await eventually(async () => {
    await endSequencer()
    return (await findLeader()) !== leader
  }, 60_000)
  assert.equal(await read(leader, 'oxbow_events_log_bytes'), 0)
})
