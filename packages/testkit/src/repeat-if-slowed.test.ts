import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { repeatIfSlowed } from './repeat-if-slowed.ts'

const slowDatabase = { query: () => setTimeout(60, []) }

test('an attempt that fails while the database is slow is repeated until one succeeds', async () => {
  const attempts: number[] = []
  const result = await repeatIfSlowed(slowDatabase, 20, async (number) => {
    attempts.push(number)
    await setTimeout(100)
    if (number < 3) throw new Error('too late')
    return 'in time'
  })
  assert.deepEqual([result, attempts], ['in time', [1, 2, 3]])
})

test('an attempt that always fails is repeated four times, and its last error is thrown', async () => {
  const attempts: number[] = []
  const running = repeatIfSlowed(slowDatabase, 20, async (number) => {
    attempts.push(number)
    await setTimeout(100)
    throw new Error(`failure ${number}`)
  })
  await assert.rejects(running, { message: 'failure 5' })
  assert.equal(attempts.length, 5)
})

test('an attempt that fails is not repeated if the machine has lost less time than allowed', async () => {
  const attempts: number[] = []
  const running = repeatIfSlowed({ query: async () => [] }, 60_000, async (number) => {
    attempts.push(number)
    throw new Error('wrong')
  })
  await assert.rejects(running, { message: 'wrong' })
  assert.deepEqual(attempts, [1])
})
