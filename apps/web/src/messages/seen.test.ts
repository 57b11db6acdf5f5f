import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MessageId } from '@oxbow/contract'
import { SeenTracker, seenAfterMs } from './seen.ts'

const ids = (...list: number[]) => list as MessageId[]

test('a message is seen after it was in view long enough', () => {
  const tracker = new SeenTracker()
  assert.deepEqual(tracker.look(ids(1, 2), true, 0), { seen: [], nextMs: seenAfterMs })
  assert.deepEqual(tracker.look(ids(1, 2, 3), true, 300), { seen: [], nextMs: 100 })
  assert.deepEqual(tracker.look(ids(1, 2, 3), true, seenAfterMs), { seen: [1, 2], nextMs: 300 })
})

test('a message that leaves the view is timed from the beginning when it returns', () => {
  const tracker = new SeenTracker()
  tracker.look(ids(1), true, 0)
  tracker.look(ids(), true, 200)
  assert.deepEqual(tracker.look(ids(1), true, 390), { seen: [], nextMs: seenAfterMs })
  assert.deepEqual(tracker.look(ids(1), true, 500), { seen: [], nextMs: 290 })
})

test('no message is seen while the user is away, and timing starts again afterwards', () => {
  const tracker = new SeenTracker()
  tracker.look(ids(1), true, 0)
  assert.deepEqual(tracker.look(ids(1), false, 5_000), { seen: [] })
  assert.deepEqual(tracker.look(ids(1), true, 5_100), { seen: [], nextMs: seenAfterMs })
})
