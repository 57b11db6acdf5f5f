import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listSliceRanges } from './select-by-index.ts'

const slice = 2 ** 20
const gaps = [
  { first: 3 * slice + 5, last: 1_000_000 * slice + 7 },
  { first: 1_000_002 * slice, last: 1_000_004 * slice - 1 },
]

/** Lists slices in search order. */
const walk = (from: number, to: number) =>
  [...listSliceRanges(from, to, gaps)].flatMap(([first, last]) => {
    const slices = Array.from({ length: last - first + 1 }, (_, index) => first + index)
    return to > from ? slices : slices.reverse()
  })

test('slices within a gap are skipped, and other slices are searched once, nearest first', () => {
  const inhabited = [0, 1, 2, 3, 1_000_000, 1_000_001, 1_000_004]
  const newest = 1_000_004 * slice + 9

  assert.deepEqual(walk(0, newest), inhabited)
  assert.deepEqual(walk(newest, 0), inhabited.toReversed())
  assert.deepEqual(walk(500 * slice, 0), [3, 2, 1, 0])
  assert.deepEqual(walk(500 * slice, newest), [1_000_000, 1_000_001, 1_000_004])
})
