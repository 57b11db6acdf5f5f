import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openQueue, startWorld } from '@oxbow/testkit'
import { bySize } from '@oxbow/testkit/size'
import { emitEvents, makeNote, namesOf } from '../test/emit-events.ts'

test('a backlog of three-byte characters that needs many passes is numbered completely', async () => {
  await using world = await startWorld({ checked: false })
  const iris = await world.person('iris')
  const queue = await openQueue(iris, { event_types: ['note'] })
  const names = Array.from({ length: bySize({ gate: 150, long: 400 }) }, (_, index) => `note ${index}`)
  // The backlog needs four passes in the gate and nine in the long lane, because a pass is limited in bytes. If
  // characters were counted, each pass would seem complete.
  const filling = '漢'.repeat(30_000)

  await emitEvents(world, ...names.map((name) => makeNote(name, { event: { type: 'note', name, filling } })))
  await world.settled()

  const received: unknown[] = []
  for (let events = await queue.rest(); events.length > 0; events = await queue.rest())
    received.push(...namesOf(events))
  assert.deepEqual(received, names)
})
