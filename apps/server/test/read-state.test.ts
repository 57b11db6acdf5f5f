import assert from 'node:assert/strict'
import { test } from 'node:test'
import { modelOptions } from '@oxbow/testkit/seed'
import { bySize } from '@oxbow/testkit/size'
import fc from 'fast-check'
import { type Step, steps } from './read-state/steps.ts'
import { startTestedServer } from './read-state/tested-server.ts'

const numRuns = bySize({ gate: 2, long: 40 })
const maxCommands = 30
/** Number of steps in each story of the gate, which has too few stories to draw the number at random. */
const gateSteps = 15
const stories = bySize<() => fc.Arbitrary<Iterable<Step>>>({
  gate: () => fc.array(fc.oneof(...steps), { minLength: gateSteps, maxLength: gateSteps }),
  long: () => fc.commands(steps, { maxCommands, size: 'max' }),
})
const minKinds = bySize({ gate: 5, long: 10 })

test(`unread messages are those that a user received and has not marked as read: ${numRuns} stories`, async (t) => {
  await using server = await startTestedServer()
  const story = fc.noBias(stories())

  await fc.assert(
    fc.asyncProperty(story, async (commands) => {
      const model = await server.beginRun()
      await fc.asyncModelRun(() => ({ model, real: server }), commands)
    }),
    { numRuns, ...modelOptions },
  )

  t.diagnostic(JSON.stringify(server.outcomes))
  const succeeded = Object.values(server.outcomes).filter(({ done }) => done > 0)
  assert.ok(succeeded.length > minKinds, 'too few kinds of steps succeeded')
  assert.deepEqual(server.world.log.entries(50), [])
})
