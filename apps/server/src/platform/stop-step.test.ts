import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { pino } from 'pino'
import { stopStep } from './stop-step.ts'

test('a step of a stop that takes long is logged, and others are not', async () => {
  const lines: string[] = []
  const log = pino({}, { write: (line) => lines.push(line) })
  const done: string[] = []
  const slow = stopStep(
    log,
    'open requests',
    async () => {
      await setTimeout(300)
      done.push('requests')
    },
    20,
  )

  await slow()
  await stopStep(log, 'PostgreSQL', () => done.push('database'))()

  assert.deepEqual(done, ['requests', 'database'])
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).msg),
    ['this node stops, but still waits for open requests'],
  )
})
