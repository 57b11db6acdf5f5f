import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { faults, startFleet } from '@oxbow/testkit'
import { assertExactDelivery, assertNoQueueLost } from './assert-delivery.ts'

// The faults follow each other in one fleet: each check covers the events since the last one.
const fleet = await startFleet({ ownPostgres: true })
after(() => fleet[Symbol.asyncDispose]())

test('no event is lost when PostgreSQL crashes and restarts', async () => {
  await fleet.waitForEvents()

  await faults.restartPostgres(fleet)

  await fleet.waitForEvents()
  assertNoQueueLost('PostgreSQL restarted', await fleet.check())
})

test('no event is lost after a failover to a standby that has every acknowledged commit', async () => {
  await fleet.waitForEvents()

  await faults.failOverWithoutLoss(fleet)

  await fleet.waitForEvents()
  assertNoQueueLost('failover to a synchronous standby', await fleet.check())
})

test('after a failover to a standby that lacks the newest commits, each queue continues without gaps or duplicates, or is refused', async () => {
  await fleet.waitForEvents()

  await faults.failOver(fleet)

  await fleet.waitForEvents()
  const continuing = fleet.clients.filter((client) => client.sections.length === 1)
  const firstQueues = fleet.clients.map(
    ({ sections: [first] }) => `${first?.after}..${first?.entries.at(-1)?.id}`,
  )
  const check = await fleet.check()
  assertExactDelivery('failover', check)
  // Clients that had read lost events must register again. `failOver` paused a quarter of the clients before
  // those commits, so their queues continue.
  const quarter = fleet.clients.length / 4
  assert.ok(check.dead >= quarter, `${check.dead} queues died`)
  const holes = await fleet.query(
    'select organization_id, first_seq, last_seq from event_batch where records is null',
  )
  assert.ok(
    continuing.length >= quarter,
    `${continuing.length} queues continued; first queues ${firstQueues.join(' ')}; holes ${JSON.stringify(holes)}`,
  )
})

test('when the machine of the primary and the sequencer fails, only commits that the standby lacks are lost', async () => {
  // Nodes drop all notifications and find events only by polling, so the other node is always
  // slightly behind.
  await using fleet = await startFleet({ ownPostgres: true, env: { FAULT_DROP_HINTS_PERCENT: '100' } })
  await fleet.waitForEvents()

  await faults.loseMachine(fleet)

  await fleet.waitForEvents()
  assertExactDelivery('a machine lost', await fleet.check())
})
