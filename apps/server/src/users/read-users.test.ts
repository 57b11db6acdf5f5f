import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startWorld } from '@oxbow/testkit'

test('everyone sees everyone, from either node', async () => {
  await using world = await startWorld()
  const [iris] = await world.people('iris', 'otto')

  const { members } = await iris.on('b').users.list()

  assert.deepEqual(
    members.map((member) => member.full_name),
    ['Olive Owner', 'Iris Gardener', 'Otto Gardener'],
  )
})
