import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InTurns } from './in-turns.ts'
import type { Queue } from './queue.ts'
import { Rounds } from './rounds.ts'

function roundsFor(listening: number) {
  const woken: Queue[] = []
  const turns = new InTurns<Queue>((queue) => woken.push(queue), assert.ifError)
  return { rounds: new Rounds(turns, () => listening), woken }
}

const queues = Array.from({ length: 3 }, () => ({}) as Queue) as [Queue, Queue, Queue]
const turn = () => new Promise((resolve) => setImmediate(resolve))

test('the more there are, the longer they wait, and all are woken together', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { rounds, woken } = roundsFor(5_000)

  rounds.add(queues[0])
  t.mock.timers.tick(4_999)
  rounds.add(queues[1])
  rounds.add(queues[0])
  await turn()
  assert.deepEqual(woken, [])

  t.mock.timers.tick(1)
  await turn()
  assert.deepEqual(woken, [queues[0], queues[1]])

  rounds.add(queues[2])
  t.mock.timers.tick(5_000)
  await turn()
  assert.deepEqual(woken, queues)
})

test('nobody waits as long as for a heartbeat', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { rounds, woken } = roundsFor(1_000_000)

  rounds.add(queues[0])
  t.mock.timers.tick(20_000)
  await turn()

  assert.deepEqual(woken, [queues[0]])
})
