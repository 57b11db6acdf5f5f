import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWindows } from '@oxbow/sdk/windows'
import { modelOptions } from '@oxbow/testkit/seed'
import { bySize } from '@oxbow/testkit/size'
import fc from 'fast-check'
import { histories, playHistory } from './history.ts'
import { Scene } from './scene.ts'
import { createCounts } from './screen.ts'

/**
 * The gate plays few histories with many rounds, because preparing a history takes as long as two of its
 * rounds.
 */
const { numRuns, rounds } = bySize({ gate: { numRuns: 27, rounds: 4 }, long: { numRuns: 500, rounds: 5 } })

test(`windows updated by events equal refetched windows: ${numRuns} histories`, async (t) => {
  await using scene = await Scene.start()
  const counts = createCounts()
  const onDifference = (error: Error) => {
    throw error
  }

  await fc.assert(
    fc.asyncProperty(fc.noBias(histories(rounds)), (history) =>
      playHistory(scene, history, [{ createWindows, counts, onDifference }]),
    ),
    { numRuns, ...modelOptions },
  )

  t.diagnostic(JSON.stringify({ ...counts, outcomes: scene.outcomes }))
  assert.equal(counts.stale, 0, 'every stale window was fetched again')
  assert.ok(counts.windows > 2 * counts.notLive, 'most windows were live')
})
