import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually, startWorld } from '@oxbow/testkit'
import pg from 'pg'
import { connectionOptions } from '../../platform/database/database.ts'

test('the age of the oldest outbox row keeps growing on both nodes while they take over from each other', async () => {
  await using world = await startWorld({ ownServer: true })
  const { nodes, database, organization_id, log } = world
  await world.settled()
  await using stack = new AsyncDisposableStack()
  const holder = new pg.Client(connectionOptions(database.url))
  await holder.connect()
  stack.defer(() => holder.end())
  // The lock of another program, for which the sequencer of every node has to wait.
  await holder.query('begin')
  await holder.query('select from event_head for update')
  await database.query(
    `insert into outbox (organization_id, header, event) values ($1,
      '{"type":"heartbeat","to":{"roles":"everyone"}}', '{"type":"heartbeat"}')`,
    [organization_id],
  )
  const readAges = () => Object.values(nodes).map(({ app }) => app.events.log.outboxAgeMs)
  const countTakeovers = () =>
    log.entries().filter(({ msg }) => msg === 'the sequencer stood still; this node ended its session').length
  await eventually(() => readAges().every((age) => age > 0))
  let ages = readAges()

  // Each of the nodes ends the session of the other at least once.
  await eventually(() => {
    const next = readAges()
    for (const [index, age] of next.entries())
      assert.ok(age >= (ages[index] ?? 0), `the age fell from ${ages[index]} to ${age} ms`)
    ages = next
    return countTakeovers() >= 3 && Math.min(...ages) > 5_000
  }, 60_000)

  await holder.query('rollback')
  await eventually(() => readAges().every((age) => age === 0))
})
