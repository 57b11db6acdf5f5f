import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepOrder, readOrder } from './recent-order.ts'

const item = (key: string, newest: number) => ({ key, newest })
const keysOf = (items: readonly { key: string }[]) => items.map(({ key }) => key).join('')

test('a frozen order does not change with new messages, and the conversations with new ones are counted', () => {
  const kept = readOrder([item('a', 30), item('b', 20), item('c', 10)])
  const { items, movedCount } = keepOrder([item('c', 40), item('a', 30), item('b', 20)], kept)
  assert.equal(keysOf(items), 'abc')
  assert.equal(items[2]?.newest, 40)
  assert.equal(movedCount, 1)
})

test('a frozen order omits new conversations, and appends older ones that were loaded later', () => {
  const kept = readOrder([item('a', 30), item('b', 20)])
  const { items, movedCount } = keepOrder(
    [item('x', 50), item('a', 30), item('b', 20), item('c', 10), item('d', 5)],
    kept,
  )
  assert.equal(keysOf(items), 'abcd')
  assert.equal(movedCount, 1)
})

test('a frozen order omits conversations that no longer exist', () => {
  const kept = readOrder([item('a', 30), item('b', 20), item('c', 10)])
  assert.deepEqual(keepOrder([item('a', 30), item('c', 10)], kept), {
    items: [item('a', 30), item('c', 10)],
    movedCount: 0,
  })
})
