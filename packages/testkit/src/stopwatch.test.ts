import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { eventually } from './eventually.ts'
import { startStopwatch } from './stopwatch.ts'

test('a stopwatch runs while the database answers, never ahead of the clock', async () => {
  const begun = performance.now()
  await using stopwatch = startStopwatch({ query: async () => [] })
  await eventually(() => stopwatch.elapsedMs() > 100)
  assert.ok(stopwatch.elapsedMs() <= performance.now() - begun)
})

test('a stopwatch stands still while the database does not answer', async () => {
  let answer = (_rows: never[]) => {}
  const waiting = new Promise<never[]>((resolve) => {
    answer = resolve
  })
  await using stopwatch = startStopwatch({ query: () => waiting })
  await setTimeout(200)
  assert.equal(stopwatch.elapsedMs(), 0)
  answer([])
  await eventually(() => stopwatch.elapsedMs() > 0)
})
