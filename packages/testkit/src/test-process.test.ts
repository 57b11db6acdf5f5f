import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addWarning, stopAll, takeWarnings } from './test-process.ts'

test('the end of a test process names what does not stop, and stops everything else', async () => {
  let isStopped = false
  takeWarnings()
  addWarning('this node waits for background jobs')
  const endings = [
    { name: 'the server', stop: () => new Promise<void>(() => {}) },
    {
      name: 'the browser',
      stop: async () => {
        isStopped = true
      },
    },
  ]

  await assert.rejects(stopAll(endings, 50), {
    message: 'the server did not stop within 50 ms\nthis node waits for background jobs',
  })
  assert.ok(isStopped)
})
