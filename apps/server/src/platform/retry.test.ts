import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Backoff, retry } from './retry.ts'

class Temporary extends Error {}
const shouldRetry = (error: unknown) => error instanceof Temporary

test('retry repeats the work after temporary errors, and returns its result', async () => {
  const waits: number[] = []
  const delayMs = (attempt: number) => {
    waits.push(attempt)
    return 0
  }
  const work = async (attempt: number) => {
    if (attempt < 3) throw new Temporary()
    return `done at attempt ${attempt}`
  }

  assert.equal(await retry(work, { maxAttempts: 5, shouldRetry, delayMs }), 'done at attempt 3')
  assert.deepEqual(waits, [1, 2])
})

test('retry throws the error of the last attempt, and throws other errors at once', async () => {
  let attempts = 0
  const fail = (error: Error) => async () => {
    attempts++
    throw error
  }

  await assert.rejects(retry(fail(new Temporary()), { maxAttempts: 4, shouldRetry }), Temporary)
  assert.equal(attempts, 4)
  await assert.rejects(retry(fail(new TypeError()), { maxAttempts: 4, shouldRetry }), TypeError)
  assert.equal(attempts, 5)
})

test('waits of a backoff double up to the maximum and start again after a reset', () => {
  const backoff = new Backoff({ firstMs: 100, maxMs: 350 })

  assert.deepEqual(
    [1, 2, 3, 4].map(() => backoff.next()),
    [100, 200, 350, 350],
  )
  backoff.reset()
  assert.equal(backoff.next(), 100)
})
