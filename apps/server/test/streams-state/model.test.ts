import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bySize } from '@oxbow/testkit/size'
import fc from 'fast-check'
import { startReal } from './model/real.ts'
import { assertTried, makeFirstStreams, steps } from './model/steps.ts'

const numRuns = bySize({ gate: 10, long: 250 })
const maxCommands = 25
/** The seed that fast-check prints for a failed story. */
const { OXBOW_MODEL_SEED: seed } = process.env

test(`every user knows exactly what the model says of streams: ${numRuns} stories`, async (t) => {
  await using real = await startReal()

  await fc.assert(
    fc.asyncProperty(fc.commands(steps, { maxCommands, size: 'max' }), async (story) => {
      const begin = async () => {
        const model = await real.beginRun()
        await makeFirstStreams(model, real)
        return { model, real }
      }
      await fc.asyncModelRun(begin, story)
    }),
    { numRuns, ...(seed && { seed: Number(seed) }) },
  )

  t.diagnostic(JSON.stringify(real.outcomes))
  assertTried(real)
  assert.deepEqual(real.world.log.entries(50), [])
})
