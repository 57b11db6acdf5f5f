import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MessageId } from '@oxbow/contract'
import {
  cutRange,
  extendDistances,
  extendDown,
  extendUp,
  hiddenParts,
  isFull,
  limitRange,
  maxRows,
  openRange,
  type Range,
} from './range.ts'

/** Returns even ids from 2 on; tests use the odd ids as ids of deleted messages. */
const listIds = (count: number) => Array.from({ length: count }, (_, index) => (index + 1) * 2) as MessageId[]
const ends = (ids: readonly MessageId[], range: Range) => {
  const shown = cutRange(ids, range)
  return [shown[0], shown.at(-1), shown.length]
}
const infinity = Number.POSITIVE_INFINITY

test('a list without a target opens with the newest messages and shows new ones', () => {
  const range = openRange(listIds(1000), undefined, true)
  assert.deepEqual(range, { first: 1942, last: infinity })
  assert.deepEqual(ends(listIds(1003), range), [1942, 2006, 33])
})

test('a list opens with rows before and after a message, even if the message was deleted', () => {
  for (const id of [1000, 999])
    assert.deepEqual(ends(listIds(1000), openRange(listIds(1000), id, true)), [940, 1058, 60])
  assert.deepEqual(ends(listIds(3), openRange(listIds(3), 4, true)), [2, 6, 3])
  assert.deepEqual(ends([], openRange([], 4, true)), [undefined, undefined, 0])
})

test('a range grows by some rows at a time and never exceeds the maximum number of rows', () => {
  const ids = listIds(2000)
  let range = openRange(ids, undefined, true)
  for (let step = 0; step < 90; step++) {
    range = extendUp(ids, range, true)
    assert.ok(cutRange(ids, range).length <= maxRows)
  }
  assert.deepEqual(ends(ids, range), [2, 800, maxRows])
  assert.deepEqual(hiddenParts(ids, range), { above: false, below: true })
  for (let step = 0; step < 90; step++) {
    range = extendDown(ids, range, true)
    assert.ok(cutRange(ids, range).length <= maxRows)
  }
  assert.deepEqual(range, { first: 3202, last: infinity })
})

test('a range ends at the last message of its segment if the segment lacks the newest message', () => {
  assert.deepEqual(openRange(listIds(150), 300, false), { first: 240, last: 300 })
})

test('new messages replace the oldest rows at the bottom, and stay hidden elsewhere', () => {
  const ids = listIds(maxRows + 5)
  const range = { first: 2, last: infinity }
  assert.deepEqual(limitRange(ids, range, true), { first: 12, last: infinity })
  assert.deepEqual(limitRange(ids, range, false), { first: 2, last: maxRows * 2 })
  const shortRange = { first: 20, last: infinity }
  assert.equal(limitRange(ids, shortRange, false), shortRange)
})

test('a full list comes to rest, however tall the window and wherever the reader is', () => {
  const ids = listIds(5000)
  const rowHeight = 24
  for (const clientHeight of [600, 1_400, 2_400, 3_600, 5_000, 7_000])
    for (const at of [2, 1_200, 5_000, 9_990]) {
      let range = openRange(ids, at, true)
      let steps = 0
      for (let isChanged = true; isChanged; steps++) {
        assert.ok(steps < 60, `${clientHeight} px at ${at} changes without end`)
        const before = range
        const rows = cutRange(ids, range)
        const scrollHeight = Math.max(rows.length * rowHeight, clientHeight)
        const above = rows.findIndex((id) => id >= at) * rowHeight
        const scrollTop = Math.max(0, Math.min(above, scrollHeight - clientHeight))
        const { near, ahead } = extendDistances({ clientHeight, scrollHeight }, isFull(ids, range))
        const mayExtend = (distance: number) => distance < ahead && (distance < near || !isFull(ids, range))
        if (hiddenParts(ids, range).above && mayExtend(scrollTop)) range = extendUp(ids, range, true)
        if (hiddenParts(ids, range).below && mayExtend(scrollHeight - scrollTop - clientHeight))
          range = extendDown(ids, range, true)
        isChanged = before.first !== range.first || before.last !== range.last
      }
      const rows = cutRange(ids, range)
      assert.ok(rows.includes(at as MessageId), `${clientHeight} px at ${at} lost its message`)
    }
})
