import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bySize } from '@oxbow/testkit/size'
import fc from 'fast-check'
import { alerted } from './model/model.ts'
import { startReal } from './server/real.ts'
import { assertTried, playStory, story } from './story/story.ts'

const numRuns = bySize({ gate: 2, long: 40 })
/** What fast-check prints of a story that went wrong; with it, a shorter one is looked for that does too. */
const { OXBOW_MODEL_SEED: seed } = process.env

test(`everyone reads what they may and hears of it, and nobody else: ${numRuns} stories`, async (t) => {
  await using real = await startReal(alerted)

  await fc.assert(
    fc.asyncProperty(fc.noBias(story), (told) => playStory(real, told)),
    {
      numRuns,
      ...(seed ? { seed: Number(seed) } : { endOnFailure: true }),
    },
  )

  t.diagnostic(JSON.stringify(real.outcomes))
  assertTried(real.outcomes)
  assert.deepEqual(real.world.log.entries(50), [])
})
