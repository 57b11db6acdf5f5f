import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type HorizonObservation, MessageHorizon } from './horizon.ts'

const observation = (
  newest: number,
  xid: number | null,
  xmin: number,
  timeline = '1',
): HorizonObservation => ({
  newest,
  xid,
  xmin,
  timeline,
})

test('the horizon is the newest id if no older transaction runs', () => {
  const horizon = new MessageHorizon()

  assert.equal(horizon.observe(observation(10, 100, 100)), 10)
})

test('the horizon stays while an older transaction runs, and rises to the observed id afterwards', () => {
  const horizon = new MessageHorizon()
  horizon.observe(observation(10, 100, 100))

  assert.equal(horizon.observe(observation(20, 110, 105)), 10)
  assert.equal(horizon.observe(observation(30, 120, 109)), 10)
  assert.equal(horizon.observe(observation(40, 130, 125)), 20)
  assert.equal(horizon.observe(observation(50, 140, 131)), 40)
})

test('an observation without a transaction id raises the horizon only to ids observed earlier', () => {
  const horizon = new MessageHorizon()

  assert.equal(horizon.observe(observation(10, null, 100)), 0)
  horizon.observe(observation(20, 110, 105))
  assert.equal(horizon.observe(observation(30, null, 111)), 20)
})

test('observations in any order raise the horizon only to observed ids', () => {
  const horizon = new MessageHorizon()
  horizon.observe(observation(50, 140, 130))

  assert.equal(horizon.observe(observation(10, 100, 100)), 10)
  assert.equal(horizon.observe(observation(60, 150, 141)), 50)
})

test('a new timeline resets the horizon, because ids may be allocated again', () => {
  const horizon = new MessageHorizon()
  horizon.observe(observation(1_000, 100, 100))
  horizon.observe(observation(1_100, 200, 150))

  assert.equal(horizon.observe(observation(900, 90, 80, '2')), 0)
  assert.equal(horizon.observe(observation(910, 95, 91, '2')), 900)
})
