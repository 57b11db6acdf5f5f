import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bySize } from '@oxbow/testkit/size'
import fc from 'fast-check'
import { startReal } from './read-state/real.ts'
import { steps } from './read-state/steps.ts'

const numRuns = bySize({ gate: 4, long: 40 })
const maxCommands = 30
/** The seed that fast-check prints for a failed story. With it, the test shrinks that story. */
const { OXBOW_MODEL_SEED: seed } = process.env

test(`unread messages are those that a user received and did not mark as read: ${numRuns} stories`, async (t) => {
  await using real = await startReal()
  const story = fc.noBias(fc.commands(steps, { maxCommands, size: 'max' }))

  await fc.assert(
    fc.asyncProperty(story, async (commands) => {
      const model = await real.beginRun()
      await fc.asyncModelRun(() => ({ model, real }), commands)
    }),
    { numRuns, ...(seed ? { seed: Number(seed) } : { endOnFailure: true }) },
  )

  t.diagnostic(JSON.stringify(real.outcomes))
  const tried = Object.values(real.outcomes).filter(({ done }) => done > 0)
  assert.ok(tried.length > 10, 'hardly anything was tried')
  assert.deepEqual(real.world.log.entries(50), [])
})
