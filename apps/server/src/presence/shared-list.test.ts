import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { SharedList } from './shared-list.ts'

function counting(took = 0) {
  let count = 0
  let underWay = 0
  const most = { underWay: 0 }
  const list = new SharedList(async () => {
    most.underWay = Math.max(most.underWay, ++underWay)
    await setTimeout(took)
    underWay--
    return ++count
  })
  return { list, most }
}

test('all who ask together share one reading', async () => {
  const { list } = counting(5)
  const now = performance.now()

  const read = await Promise.all([list.readAfter(now), list.readAfter(now), list.readAfter(now)])

  assert.deepEqual(read, [1, 1, 1])
})

test('whoever asks while one is under way gets the next, unless an older one will do', async () => {
  const { list, most } = counting(5)
  const before = performance.now()
  const first = list.readAfter(before)
  await setTimeout(2)

  const second = list.readAfter(performance.now())

  assert.deepEqual(await Promise.all([first, second]), [1, 2])
  assert.equal(await list.readAfter(before), 2)
  assert.equal(most.underWay, 1)
})

test('between two readings there is a rest, longer than they take', async () => {
  const { list } = counting(10)
  await list.readAfter(performance.now())

  const asked = performance.now()
  await list.readAfter(asked)

  assert.ok(performance.now() - asked > 30)
})

test('after a reading that failed the next one is tried', async () => {
  let failures = 1
  const list = new SharedList(async () => {
    if (failures-- > 0) throw new Error('not now')
    return 'read'
  })

  await assert.rejects(list.readAfter(performance.now()), /not now/)
  assert.equal(await list.readAfter(performance.now()), 'read')
})
