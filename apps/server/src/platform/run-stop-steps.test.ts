import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { pino } from 'pino'
import { runStopSteps } from './run-stop-steps.ts'

test('the steps of a stop run in order, and one that takes long is logged', async () => {
  const lines: string[] = []
  const log = pino({}, { write: (line) => lines.push(line) })
  const done: string[] = []
  await runStopSteps(
    log,
    {
      'open requests': async () => {
        await setTimeout(300)
        done.push('requests')
      },
      PostgreSQL: () => done.push('database'),
    },
    20,
  )

  assert.deepEqual(done, ['requests', 'database'])
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).msg),
    ['this node stops, but still waits for open requests'],
  )
})
