import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testSeed } from '@oxbow/testkit/seed'
import { bySize } from '@oxbow/testkit/size'
import fc from 'fast-check'
import type { Model } from './model/model.ts'
import { assertEnoughSucceeded, makeFirstStreams, steps } from './model/steps.ts'
import { startTestedServer, type TestedServer } from './model/tested-server.ts'

const numRuns = bySize({ gate: 4, long: 250 })
const maxCommands = 25
/** Number of steps in each story of the gate, which has too few stories to draw the number at random. */
const gateSteps = 12
type Story = Iterable<fc.AsyncCommand<Model, TestedServer>>
const stories = bySize<() => fc.Arbitrary<Story>>({
  gate: () => fc.array(fc.oneof(...steps), { minLength: gateSteps, maxLength: gateSteps }),
  long: () => fc.commands(steps, { maxCommands, size: 'max' }),
})

test(`every user sees exactly the streams and subscribers that the model allows: ${numRuns} stories`, async (t) => {
  await using server = await startTestedServer()

  await fc.assert(
    fc.asyncProperty(stories(), async (story) => {
      const begin = async () => {
        const model = await server.beginRun()
        await makeFirstStreams(model, server)
        return { model, real: server }
      }
      await fc.asyncModelRun(begin, story)
    }),
    { numRuns, seed: testSeed },
  )

  t.diagnostic(JSON.stringify(server.outcomes))
  assertEnoughSucceeded(server)
  assert.deepEqual(server.world.log.entries(50), [])
})
