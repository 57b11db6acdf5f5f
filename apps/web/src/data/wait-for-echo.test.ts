import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { useFakeTimers } from '../../test/fake-timers.ts'
import { connection } from './connection.ts'
import type { SendTarget } from './outbox-entry.ts'
import { base } from './store.ts'
import { waitForEcho } from './wait-for-echo.ts'

base.value = { max_message_id: 3, subscriptions: [{ stream_id: 7, name: 'garden' }] } as never

/** Waits for the event of a message that never arrives. Returns a function that advances the clock. */
function startWaiting(t: TestContext, message_id: number, target: SendTarget) {
  const tick = useFakeTimers(t)
  connection.value = { status: 'live' }
  let hasEnded = false
  void waitForEcho(message_id, () => target).then(() => {
    hasEnded = true
  })
  return async (milliseconds: number): Promise<boolean> => {
    tick(milliseconds)
    for (let turn = 0; turn < 3; turn++) await setImmediate()
    return hasEnded
  }
}

const toGarden: SendTarget = { type: 'stream', stream_id: 7, topic: 'roses' }

test('a missing event is awaited until the connection that replaces a dead one is back', async (t) => {
  for (const target of [toGarden, { type: 'private', user_ids: [2] } satisfies SendTarget]) {
    const pass = startWaiting(t, 5, target)
    assert.equal(await pass(5_000), false)
    connection.value = { status: 'troubled', since: 0, retryAt: 0 }
    assert.equal(await pass(60_000), false)
    connection.value = { status: 'live' }
    assert.equal(await pass(0), false)
    assert.equal(await pass(4_000), false)
    assert.equal(await pass(1_000), true)
    t.mock.restoreAll()
  }
})

test('a missing event is awaited once more on a new connection that works', async (t) => {
  const pass = startWaiting(t, 5, toGarden)
  assert.equal(await pass(5_000), false)
  assert.equal(await pass(5_000), true)
})

test('no event is missing of a stream that the account is not in, or of a message that arrived before', async (t) => {
  const pass = startWaiting(t, 5, { type: 'stream', stream_id: 8, topic: 'soup' })
  assert.equal(await pass(5_000), true)
  t.mock.restoreAll()
  assert.equal(await startWaiting(t, 3, toGarden)(0), true)
})
