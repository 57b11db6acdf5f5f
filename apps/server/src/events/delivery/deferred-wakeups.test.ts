import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DeferredWakeups } from './deferred-wakeups.ts'
import type { Queue } from './queue.ts'
import { YieldingQueue } from './yielding-queue.ts'

function makeWakeups(listening: number) {
  const woken: Queue[] = []
  const wakeQueue = new YieldingQueue<Queue>((queue) => woken.push(queue), assert.ifError)
  return { wakeups: new DeferredWakeups(wakeQueue, () => listening), woken }
}

const queues = Array.from({ length: 3 }, () => ({}) as Queue) as [Queue, Queue, Queue]
const nextTick = () => new Promise((resolve) => setImmediate(resolve))

test('the delay grows with the number of listeners, and all queues are woken together', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { wakeups, woken } = makeWakeups(5_000)

  wakeups.add(queues[0])
  t.mock.timers.tick(4_999)
  wakeups.add(queues[1])
  wakeups.add(queues[0])
  await nextTick()
  assert.deepEqual(woken, [])

  t.mock.timers.tick(1)
  await nextTick()
  assert.deepEqual(woken, [queues[0], queues[1]])

  wakeups.add(queues[2])
  t.mock.timers.tick(5_000)
  await nextTick()
  assert.deepEqual(woken, queues)
})

test('the delay is always shorter than a heartbeat', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { wakeups, woken } = makeWakeups(1_000_000)

  wakeups.add(queues[0])
  t.mock.timers.tick(20_000)
  await nextTick()

  assert.deepEqual(woken, [queues[0]])
})
