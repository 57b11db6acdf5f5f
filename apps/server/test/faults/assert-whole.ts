import assert from 'node:assert/strict'
import type { FleetCheck } from '@oxbow/testkit'
import { bySize } from '@oxbow/testkit/size'

/** A check of fewer than these shows nothing. */
const least = bySize({
  gate: { ledgers: 60, events: 1_200, deliveries: 300 },
  long: { ledgers: 200, events: 4_000, deliveries: 1_000 },
})

/** Everybody got everything once, in order and as it is in the log, and nobody had to begin anew. */
export function assertWhole(name: string, check: FleetCheck): void {
  assertExact(name, check)
  assert.equal(check.dead, 0, 'queues died')
}

/** As `assertWhole`, where queues may have died for a reason. */
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
    sends >= 15 && attempts > sends && deliveries >= least.deliveries,
    `${deliveries} deliveries of ${sends} messages after ${attempts} attempts show nothing`,
  )
  assert.ok(
    ledgers >= least.ledgers && events >= least.events,
    `${events} events in ${ledgers} ledgers show nothing`,
  )
}
