import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OutboxFloor } from './floor.ts'

const pass = (given: Partial<Parameters<OutboxFloor['learn']>[0]>) => ({
  batches: [],
  taken: 0,
  highest: 0,
  isLimited: false,
  xmin: 100,
  xmax: 100,
  newest: 0,
  ...given,
})

test('the floor rises to an id once every transaction that could have taken it is over', () => {
  const floor = new OutboxFloor(0)

  floor.learn(pass({ newest: 50, xmin: 90, xmax: 100 }))
  assert.equal(floor.value, 0, 'noted: 50')
  floor.learn(pass({ newest: 60, xmin: 95, xmax: 110 }))
  assert.equal(floor.value, 0, 'transactions below 110 may hold ids up to 50, and 95 still runs')
  floor.learn(pass({ newest: 70, xmin: 109, xmax: 120 }))
  assert.equal(floor.value, 0)
  floor.learn(pass({ newest: 80, xmin: 110, xmax: 130 }))
  assert.equal(floor.value, 50)
})

test('the transaction ids of the pass that noted the id say nothing: they were read before it', () => {
  const floor = new OutboxFloor(0)

  floor.learn(pass({ newest: 50, xmin: 100, xmax: 100 }))

  assert.equal(floor.value, 0)
})

test('a pass that could not take everything raises it only to what it took', () => {
  const floor = new OutboxFloor(0)

  floor.learn(pass({ newest: 5_000 }))
  floor.learn(pass({ newest: 5_000, isLimited: true, taken: 2_000, highest: 2_000 }))
  assert.equal(floor.value, 2_000)
  floor.learn(pass({ newest: 5_000, isLimited: true, taken: 2_000, highest: 4_000 }))
  assert.equal(floor.value, 4_000)
  floor.learn(pass({ newest: 5_000, taken: 1_000, highest: 5_000 }))
  assert.equal(floor.value, 5_000)
})
