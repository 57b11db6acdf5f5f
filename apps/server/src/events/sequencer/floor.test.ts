import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OutboxFloor } from './floor.ts'

const pass = (fields: Partial<Parameters<OutboxFloor['observePass']>[0]>) => ({
  batches: [],
  taken: 0,
  highest: 0,
  isLimited: false,
  xmin: 1,
  xid: null,
  newest: 0,
  ...fields,
})

test('the floor rises to an id once every transaction that could have that id has ended', () => {
  const floor = new OutboxFloor(0)

  floor.observePass(pass({ newest: 50, xmin: 90 }))
  assert.equal(floor.needsTransaction, true, 'noted: 50')
  floor.observePass(pass({ newest: 60, xmin: 200, xid: 110 }))
  assert.equal(floor.value, 0, 'what this pass saw was seen before its transaction began')
  assert.equal(floor.needsTransaction, false)
  floor.observePass(pass({ newest: 70, xmin: 109 }))
  assert.equal(floor.value, 0, 'transactions below 110 may hold ids up to 50, and 109 still runs')
  floor.observePass(pass({ newest: 80, xmin: 110 }))
  assert.equal(floor.value, 50)
})

test('a limited pass raises the floor only to the highest id taken', () => {
  const floor = new OutboxFloor(0)

  floor.observePass(pass({ newest: 5_000 }))
  floor.observePass(pass({ newest: 5_000, xid: 10 }))
  floor.observePass(pass({ newest: 5_000, xmin: 11, isLimited: true, taken: 2_000, highest: 2_000 }))
  assert.equal(floor.value, 2_000)
  floor.observePass(pass({ newest: 5_000, xmin: 11, isLimited: true, taken: 2_000, highest: 4_000 }))
  assert.equal(floor.value, 4_000)
  floor.observePass(pass({ newest: 5_000, xmin: 11, taken: 1_000, highest: 5_000 }))
  assert.equal(floor.value, 5_000)
})

test('no transaction id is needed while the outbox assigns no ids', () => {
  const floor = new OutboxFloor(7)

  floor.observePass(pass({ newest: 7 }))

  assert.equal(floor.needsTransaction, false)
})
