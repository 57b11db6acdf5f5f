import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bySize } from '@oxbow/testkit/size'
import fc from 'fast-check'
import { alerted } from './model/model.ts'
import { startTestedServer } from './server/tested-server.ts'
import { assertMostSucceeded, playStory, story } from './story/story.ts'

const numRuns = bySize({ gate: 1, long: 40 })
/** The seed that fast-check prints for a failed story. With it, the test shrinks that story. */
const { OXBOW_MODEL_SEED: seed } = process.env

test(`every user reads and receives exactly what the model allows: ${numRuns} stories`, async (t) => {
  await using server = await startTestedServer(alerted)

  await fc.assert(
    fc.asyncProperty(fc.noBias(story), (received) => playStory(server, received)),
    {
      numRuns,
      ...(seed ? { seed: Number(seed) } : { endOnFailure: true }),
    },
  )

  t.diagnostic(JSON.stringify(server.outcomes))
  assertMostSucceeded(server.outcomes)
  assert.deepEqual(server.world.log.entries(50), [])
})
