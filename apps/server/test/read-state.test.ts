import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bySize } from '@oxbow/testkit/size'
import fc from 'fast-check'
import { steps } from './read-state/steps.ts'
import { startTestedServer } from './read-state/tested-server.ts'

const numRuns = bySize({ gate: 4, long: 40 })
const maxCommands = 30
/** The seed that fast-check prints for a failed story. With it, the test shrinks that story. */
const { OXBOW_MODEL_SEED: seed } = process.env

test(`unread messages are those that a user received and has not marked as read: ${numRuns} stories`, async (t) => {
  await using server = await startTestedServer()
  const story = fc.noBias(fc.commands(steps, { maxCommands, size: 'max' }))

  await fc.assert(
    fc.asyncProperty(story, async (commands) => {
      const model = await server.beginRun()
      await fc.asyncModelRun(() => ({ model, real: server }), commands)
    }),
    { numRuns, ...(seed ? { seed: Number(seed) } : { endOnFailure: true }) },
  )

  t.diagnostic(JSON.stringify(server.outcomes))
  const succeeded = Object.values(server.outcomes).filter(({ done }) => done > 0)
  assert.ok(succeeded.length > 10, 'too few kinds of steps succeeded')
  assert.deepEqual(server.world.log.entries(50), [])
})
