import assert from 'node:assert/strict'
import { test } from 'node:test'
import { modelOptions } from '@oxbow/testkit/seed'
import { bySize } from '@oxbow/testkit/size'
import fc from 'fast-check'
import { alerted } from './model/model.ts'
import { startTestedServer } from './server/tested-server.ts'
import { assertMostSucceeded, playStory, story } from './story/story.ts'

const numRuns = bySize({ gate: 1, long: 40 })

test(`every user reads and receives exactly what the model allows: ${numRuns} stories`, async (t) => {
  await using server = await startTestedServer(alerted)

  await fc.assert(
    fc.asyncProperty(fc.noBias(story), (received) => playStory(server, received)),
    { numRuns, ...modelOptions },
  )

  t.diagnostic(JSON.stringify(server.outcomes))
  assertMostSucceeded(server.outcomes)
  assert.deepEqual(server.world.log.entries(50), [])
})
