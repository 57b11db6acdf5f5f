import assert from 'node:assert/strict'
import type { FleetCheck } from '@oxbow/testkit'
import { bySize } from '@oxbow/testkit/size'

/** Minimum counts. With fewer events or clients, a check would prove nothing. */
const minCounts = bySize({
  gate: { ledgers: 60, events: 1_200, deliveries: 300 },
  long: { ledgers: 200, events: 4_000, deliveries: 1_000 },
})

const minSends = 15

/** Asserts that every queue got every event once, in log order, and that no client had to register again. */
export function assertNoQueueLost(name: string, check: FleetCheck): void {
  assertExactDelivery(name, check)
  assert.equal(check.dead, 0, 'queues died')
}

/** Asserts the same as `assertNoQueueLost`, except that queues may have ended for a known reason. */
export function assertExactDelivery(name: string, check: FleetCheck): void {
  const { ledgers, events, dead, longestPause, unexplainedErrors, messages, ...wrong } = check
  const { sends, acknowledged, attempts, deliveries, lostInFailover, ...wrongMessages } = messages
  process.stdout.write(
    `${name}: ${ledgers} ledgers, ${events} events, ${dead} dead, longest pause ${longestPause} ms\n` +
      `  ${sends} sends, ${acknowledged} acknowledged after ${attempts} attempts, ${deliveries} expected deliveries, ${lostInFailover} lost in the failover\n`,
  )
  assert.deepEqual(unexplainedErrors, [])
  assert.deepEqual(wrong, {
    missing: 0,
    duplicateEvents: 0,
    disorder: 0,
    unexpected: 0,
    altered: 0,
    deadWithoutReason: 0,
  })
  assert.deepEqual(wrongMessages, {
    unacknowledged: 0,
    lost: 0,
    storedTwice: 0,
    renumbered: 0,
    logMismatches: 0,
    missing: 0,
    deliveredTwice: 0,
    disorder: 0,
    unexpected: 0,
    listingMismatches: 0,
  })
  assert.ok(
    sends >= minSends && attempts > sends && deliveries >= minCounts.deliveries,
    `too few to prove anything: ${deliveries} deliveries (at least ${minCounts.deliveries} needed) of ${sends} messages (at least ${minSends} needed) after ${attempts} attempts`,
  )
  assert.ok(
    ledgers >= minCounts.ledgers && events >= minCounts.events,
    `too few to prove anything: ${events} events (at least ${minCounts.events} needed) in ${ledgers} ledgers (at least ${minCounts.ledgers} needed)`,
  )
}
