import assert from 'node:assert/strict'
import type { FleetCheck } from '@oxbow/testkit'
import { bySize } from '@oxbow/testkit/size'

/** Minimum counts, below which a check proves nothing. */
const minCounts = bySize({
  gate: { ledgers: 60, events: 1_200, deliveries: 300 },
  long: { ledgers: 200, events: 4_000, deliveries: 1_000 },
})

/** Asserts that every queue got every event once, in log order, and that no client had to register again. */
export function assertWhole(name: string, check: FleetCheck): void {
  assertExact(name, check)
  assert.equal(check.dead, 0, 'queues died')
}

/** Asserts the same as `assertWhole`, except that queues may have died for a known reason. */
export function assertExact(name: string, check: FleetCheck): void {
  const { ledgers, events, dead, longestPause, surprises, messages, ...wrong } = check
  const { sends, acknowledged, attempts, deliveries, lostWithTail, ...wrongMessages } = messages
  process.stdout.write(
    `${name}: ${ledgers} ledgers, ${events} events, ${dead} dead, longest pause ${longestPause} ms\n` +
      `  ${sends} sends, ${acknowledged} acknowledged after ${attempts} attempts, ${deliveries} to be seen, ${lostWithTail} lost with the tail\n`,
  )
  assert.deepEqual(surprises, [])
  assert.deepEqual(wrong, {
    missing: 0,
    duplicates: 0,
    disorder: 0,
    unexpected: 0,
    altered: 0,
    deadWithoutReason: 0,
  })
  assert.deepEqual(wrongMessages, {
    unacknowledged: 0,
    lost: 0,
    doubled: 0,
    renumbered: 0,
    wronglyLogged: 0,
    missing: 0,
    twice: 0,
    disorder: 0,
    unexpected: 0,
    wronglyShown: 0,
  })
  assert.ok(
    sends >= 15 && attempts > sends && deliveries >= minCounts.deliveries,
    `${deliveries} deliveries of ${sends} messages after ${attempts} attempts show nothing`,
  )
  assert.ok(
    ledgers >= minCounts.ledgers && events >= minCounts.events,
    `${events} events in ${ledgers} ledgers show nothing`,
  )
}
