import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bySize } from '@oxbow/testkit/size'
import fc from 'fast-check'
import { startReal } from './read-state/real.ts'
import { steps } from './read-state/steps.ts'

const numRuns = bySize({ gate: 4, long: 40 })
const maxCommands = 30
/** What fast-check prints of a story that went wrong; with it, a shorter one is looked for that does too. */
const { OXBOW_MODEL_SEED: seed } = process.env

test(`what is unread for someone is what came to them and nobody marked: ${numRuns} stories`, async (t) => {
  await using real = await startReal()
  const story = fc.noBias(fc.commands(steps, { maxCommands, size: 'max' }))

  await fc.assert(
    fc.asyncProperty(story, async (told) => {
      const model = await real.beginRun()
      await fc.asyncModelRun(() => ({ model, real }), told)
    }),
    { numRuns, ...(seed ? { seed: Number(seed) } : { endOnFailure: true }) },
  )

  t.diagnostic(JSON.stringify(real.outcomes))
  const tried = Object.values(real.outcomes).filter(({ done }) => done > 0)
  assert.ok(tried.length > 10, 'hardly anything was tried')
  assert.deepEqual(real.world.log.entries(50), [])
})
