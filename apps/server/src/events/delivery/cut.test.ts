import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isIncludedInCut, parseCut } from './cut.ts'

const cut = parseCut(10, '100:105:101,103')

test('a record up to the position of the cut is included, even with a transaction id from before a failover', () => {
  for (const tx of [99, 101, 104, 9_000]) assert.ok(isIncludedInCut(cut, { seq: 10, tx }))
})

test('a later record is included if and only if its transaction had ended at the snapshot', () => {
  const included = [98, 99, 100, 101, 102, 103, 104, 105, 106].filter((tx) =>
    isIncludedInCut(cut, { seq: 11, tx }),
  )
  assert.deepEqual(included, [98, 99, 100, 102, 104])
})

test('a snapshot without running transactions includes all transactions below its end', () => {
  const still = parseCut(10, '105:105:')
  assert.deepEqual(
    [104, 105].map((tx) => isIncludedInCut(still, { seq: 11, tx })),
    [true, false],
  )
})
