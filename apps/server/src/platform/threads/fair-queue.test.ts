import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FairQueue, QueueFullError } from './fair-queue.ts'

const open = () => new FairQueue({ maxWaitingPerAccount: 3, maxWaiting: 5 })

test('a fair queue runs one call at a time and takes accounts in turn', async () => {
  const queue = open()
  const ran: string[] = []
  let running = 0
  const call = (name: string) => async () => {
    assert.equal(++running, 1)
    await new Promise(setImmediate)
    ran.push(name)
    running--
    return name
  }

  const results = await Promise.all([
    queue.run(1, call('a1')),
    queue.run(1, call('a2')),
    queue.run(1, call('a3')),
    queue.run(2, call('b1')),
    queue.run(2, call('b2')),
  ])

  assert.deepEqual(results, ['a1', 'a2', 'a3', 'b1', 'b2'])
  assert.deepEqual(ran, ['a1', 'a2', 'b1', 'a3', 'b2'])
})

test('a fair queue refuses calls beyond the limits of an account and of all accounts', async () => {
  const queue = open()
  const { promise, resolve } = Promise.withResolvers<void>()
  const started = [queue.run(1, () => promise)]
  for (const account of [1, 1, 1, 2, 2]) started.push(queue.run(account, async () => {}))

  await assert.rejects(
    queue.run(1, async () => {}),
    QueueFullError,
  )
  await assert.rejects(
    queue.run(3, async () => {}),
    QueueFullError,
  )
  resolve()
  await Promise.all(started)
  assert.equal(await queue.run(1, async () => 7), 7)
})

test('a failed call rejects only its own promise', async () => {
  const queue = open()
  const failed = queue.run(1, () => Promise.reject(new Error('broken')))
  const fine = queue.run(1, async () => 'fine')

  await assert.rejects(failed, { message: 'broken' })
  assert.equal(await fine, 'fine')
})

test('a closed queue finishes the running call and starts no further calls', async () => {
  const queue = open()
  const { promise, resolve } = Promise.withResolvers<string>()
  const running = queue.run(1, () => promise)
  let isStarted = false
  const dropped = assert.rejects(
    queue.run(1, async () => {
      isStarted = true
    }),
    QueueFullError,
  )

  const closed = queue.close()
  resolve('done')
  await closed

  assert.equal(await running, 'done')
  await dropped
  assert.equal(isStarted, false)
  await assert.rejects(
    queue.run(1, async () => {}),
    QueueFullError,
  )
})
