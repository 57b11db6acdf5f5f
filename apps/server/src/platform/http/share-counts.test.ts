import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { eventually } from '@oxbow/testkit'
import type { Peers } from '../peers.ts'
import { makeNetworkLimiter, makeRateLimiter } from './share-counts.ts'

/** Returns the peers of processes that are connected in memory. */
function connectProcesses(count: number): Peers[] {
  const emitters = Array.from({ length: count }, () => new EventEmitter())
  return emitters.map((own, index) => ({
    number: index + 1,
    count,
    broadcast: (topic, content) => {
      for (const other of emitters) if (other !== own) other.emit(topic, structuredClone(content))
    },
    onBroadcast: (topic, listener) => void own.on(topic, listener as (content: unknown) => void),
    readMetrics: async () => '',
  }))
}

test("processes share one count of an account's requests", async () => {
  const [one, other] = connectProcesses(2).map((peers) => makeRateLimiter({ peers }, 'requests', 5))
  for (let i = 0; i < 3; i++) assert.equal(one?.count(7)?.allowed, true)
  await eventually(() => other?.size === 1)

  assert.deepEqual(
    [1, 2, 3].map(() => other?.count(7)?.allowed),
    [true, true, false],
  )
  // This count arrives after those above.
  other?.count(8)
  await eventually(() => one?.size === 2)
  assert.equal(one?.count(7)?.allowed, false)
  assert.equal(one?.count(7)?.remaining, 0)
})

test("processes share one count of a network's requests, and forgiven requests are subtracted from it", async () => {
  const [one, other] = connectProcesses(2).map((peers) =>
    makeNetworkLimiter({ peers }, 'strangers', 2, 60_000),
  )
  assert.deepEqual([one?.tryCount('10.0.0.1'), one?.tryCount('10.0.0.1')], [0, 0])
  await eventually(() => other?.size === 1)
  assert.notEqual(other?.tryCount('10.0.0.1'), 0)
  one?.forgive('10.0.0.1')
  await eventually(() => other?.tryCount('10.0.0.1') === 0)
})
