import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bySize } from '@oxbow/testkit/size'
import fc from 'fast-check'
import { assertEnoughSucceeded, makeFirstStreams, steps } from './model/steps.ts'
import { startTestedServer } from './model/tested-server.ts'

const numRuns = bySize({ gate: 10, long: 250 })
const maxCommands = 25
/** The seed that fast-check prints for a failed story. */
const { OXBOW_MODEL_SEED: seed } = process.env

test(`every user sees exactly the streams and subscribers that the model allows: ${numRuns} stories`, async (t) => {
  await using server = await startTestedServer()

  await fc.assert(
    fc.asyncProperty(fc.commands(steps, { maxCommands, size: 'max' }), async (story) => {
      const begin = async () => {
        const model = await server.beginRun()
        await makeFirstStreams(model, server)
        return { model, real: server }
      }
      await fc.asyncModelRun(begin, story)
    }),
    { numRuns, ...(seed && { seed: Number(seed) }) },
  )

  t.diagnostic(JSON.stringify(server.outcomes))
  assertEnoughSucceeded(server)
  assert.deepEqual(server.world.log.entries(50), [])
})
