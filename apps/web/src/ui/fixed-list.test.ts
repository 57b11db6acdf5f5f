import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findNextRow, findRowRange, scrollTopFor } from './fixed-list.ts'

test('a list of 100,000 rows renders every visible row and only a few others', () => {
  fc.assert(
    fc.property(fc.nat(100_000), fc.nat(2_000), fc.nat(4_000_000), (count, height, scrolled) => {
      const rowHeight = 40
      const scrollTop = Math.min(scrolled, Math.max(0, count * rowHeight - height))
      const { first, last } = findRowRange(scrollTop, height, rowHeight, count)
      assert.ok(first * rowHeight <= scrollTop)
      assert.ok(last === count || last * rowHeight >= scrollTop + height)
      assert.ok(last - first <= height / rowHeight + 20)
    }),
  )
})

test('an empty list renders no row', () => {
  assert.deepEqual(findRowRange(0, 500, 40, 0), { first: 0, last: 0 })
})

test('keys move through the rows of a list and stop at both ends', () => {
  assert.equal(findNextRow('ArrowDown', 4, 10, 100), 5)
  assert.equal(findNextRow('ArrowUp', 0, 10, 100), 0)
  assert.equal(findNextRow('PageDown', 95, 10, 100), 99)
  assert.equal(findNextRow('End', 0, 10, 100), 99)
  assert.equal(findNextRow('x', 0, 10, 100), undefined)
})

test('a list scrolls only as far as needed to show a row', () => {
  assert.equal(scrollTopFor(5, 0, 400, 40), 0)
  assert.equal(scrollTopFor(10, 0, 400, 40), 40)
  assert.equal(scrollTopFor(2, 200, 400, 40), 80)
})
