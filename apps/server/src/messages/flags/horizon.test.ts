import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MessageHorizon, type Sighting } from './horizon.ts'

const seen = (newest: number, xid: number | null, xmin: number, timeline = '1'): Sighting => ({
  newest,
  xid,
  xmin,
  timeline,
})

test('where no older transaction runs, everything up to the newest id is settled', () => {
  const horizon = new MessageHorizon()

  assert.equal(horizon.learn(seen(10, 100, 100)), 10)
})

test('while an older one runs nothing more is settled, and once it is over what was newest then is', () => {
  const horizon = new MessageHorizon()
  horizon.learn(seen(10, 100, 100))

  assert.equal(horizon.learn(seen(20, 110, 105)), 10)
  assert.equal(horizon.learn(seen(30, 120, 109)), 10)
  assert.equal(horizon.learn(seen(40, 130, 125)), 20)
  assert.equal(horizon.learn(seen(50, 140, 131)), 40)
})

test('a transaction that had an id before it looked settles nothing by itself, but what others noted', () => {
  const horizon = new MessageHorizon()

  assert.equal(horizon.learn(seen(10, null, 100)), 0)
  horizon.learn(seen(20, 110, 105))
  assert.equal(horizon.learn(seen(30, null, 111)), 20)
})

test('answers that come in another order settle no more than they saw', () => {
  const horizon = new MessageHorizon()
  horizon.learn(seen(50, 140, 130))

  assert.equal(horizon.learn(seen(10, 100, 100)), 10)
  assert.equal(horizon.learn(seen(60, 150, 141)), 50)
})

test('what was known of a database is forgotten when a standby takes over, which may give out ids again', () => {
  const horizon = new MessageHorizon()
  horizon.learn(seen(1_000, 100, 100))
  horizon.learn(seen(1_100, 200, 150))

  assert.equal(horizon.learn(seen(900, 90, 80, '2')), 0)
  assert.equal(horizon.learn(seen(910, 95, 91, '2')), 900)
})
