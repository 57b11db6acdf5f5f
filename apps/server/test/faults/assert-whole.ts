import assert from 'node:assert/strict'
import type { FleetCheck } from '@oxbow/testkit'

/** Everybody got everything once, in order and as it is in the log, and nobody had to begin anew. */
export function assertWhole(name: string, check: FleetCheck): void {
  assertExact(name, check)
  assert.equal(check.dead, 0, 'queues died')
}

/** As `assertWhole`, where queues may have died for a reason. */
export function assertExact(name: string, check: FleetCheck): void {
  const { ledgers, events, dead, longestPause, surprises, ...wrong } = check
  process.stdout.write(
    `${name}: ${ledgers} ledgers, ${events} events, ${dead} dead, longest pause ${longestPause} ms\n`,
  )
  assert.deepEqual(surprises, [])
  assert.deepEqual(wrong, {
    missing: 0,
    duplicates: 0,
    disorder: 0,
    uncalledFor: 0,
    altered: 0,
    deadWithoutReason: 0,
  })
  assert.ok(ledgers >= 200 && events >= 4000, `${events} events in ${ledgers} ledgers show nothing`)
}
