import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openQueue, startWorld } from '@oxbow/testkit'
import { namesOf, note, tell } from '../../../test/tell.ts'

test('a backlog that is larger than one pass is numbered to its end, also where its letters take three bytes', async () => {
  await using world = await startWorld({ checked: false })
  const iris = await world.person('iris')
  const queue = await openQueue(iris, { event_types: ['note'] })
  const names = Array.from({ length: 1_500 }, (_, place) => `note ${place}`)
  const filling = '漢'.repeat(3_300)

  await tell(world, ...names.map((name) => note(name, { event: { type: 'note', name, filling } })))
  await tell(world, note('the last'))

  const heard: unknown[] = []
  while (!heard.includes('the last')) heard.push(...namesOf(await queue.take(1)))
  assert.deepEqual(heard, [...names, 'the last'])
  assert.deepEqual(await world.database.query('select id from outbox'), [])
})
