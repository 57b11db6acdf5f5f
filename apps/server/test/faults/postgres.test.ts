import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faults, startFleet } from '@oxbow/testkit'
import { assertExact, assertWhole } from './assert-whole.ts'

test('no event is lost when PostgreSQL crashes and comes back', async () => {
  await using fleet = await startFleet({ ownPostgres: true })
  await fleet.waitForEvents()

  await faults.restartPostgres(fleet)

  await fleet.waitForEvents()
  assertWhole('PostgreSQL restarted', await fleet.check())
})

test('after a failover to a standby that lacks the newest commits, queues continue exactly or are refused', async () => {
  await using fleet = await startFleet({ ownPostgres: true })
  await fleet.waitForEvents()

  await faults.failOver(fleet)

  await fleet.waitForEvents()
  const wentOn = fleet.clients.filter((client) => client.sections.length === 1)
  const check = await fleet.check()
  // Clients that had read lost events must register again; all others continue.
  const held = fleet.clients.length / 4
  assert.ok(check.dead >= held, `${check.dead} queues died`)
  assert.ok(wentOn.length >= held, `${wentOn.length} queues went on`)
  assertExact('failover', check)
})

test('no event is lost after a failover to a standby that has every acknowledged commit', async () => {
  await using fleet = await startFleet({ ownPostgres: true })
  await fleet.waitForEvents()

  await faults.failOverWhole(fleet)

  await fleet.waitForEvents()
  assertWhole('failover to a synchronous standby', await fleet.check())
})

test('when the machine of the primary and the sequencer fails, only commits that the standby lacks are lost', async () => {
  // The other node gets no notification and finds out by polling, so it is always slightly behind.
  await using fleet = await startFleet({ ownPostgres: true, env: { FAULT_DROP_HINTS_PERCENT: '100' } })
  await fleet.waitForEvents()

  await faults.loseMachine(fleet)

  await fleet.waitForEvents()
  assertExact('a machine lost', await fleet.check())
})
