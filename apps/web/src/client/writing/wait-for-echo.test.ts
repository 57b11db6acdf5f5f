import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { MessageId } from '@oxbow/contract'
import { useFakeTimers } from '../../../test/fake-timers.ts'
import { messageId, streamId, userId } from '../../../test/ids.ts'
import { connection } from '../connection.ts'
import type { SendTarget } from '../conversations/target.ts'
import { noteCaughtUp } from '../follow.ts'
import { accountState } from '../store.ts'
import { waitForEcho } from './wait-for-echo.ts'

accountState.value = { subscriptions: [{ stream_id: streamId(7), name: 'garden' }] } as never

/** Waits for the event of a message that never arrives. Returns a function that advances the clock. */
function startWaiting(t: TestContext, message_id: MessageId, target: SendTarget) {
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

const toGarden: SendTarget = { type: 'stream', stream_id: streamId(7), topic: 'roses' }

test('a missing event is awaited until all events of the server were received', async (t) => {
  for (const target of [toGarden, { type: 'private', user_ids: [2].map(userId) } satisfies SendTarget]) {
    const pass = startWaiting(t, messageId(5), target)
    noteCaughtUp()
    assert.equal(await pass(5_000), false)
    // The network may be silent for any time without a failed request.
    assert.equal(await pass(600_000), false)
    noteCaughtUp()
    assert.equal(await pass(0), true)
    t.mock.restoreAll()
  }
})

test('no event is missing of a stream that the account is not in', async (t) => {
  const pass = startWaiting(t, messageId(5), { type: 'stream', stream_id: streamId(8), topic: 'soup' })
  assert.equal(await pass(4_000), false)
  assert.equal(await pass(1_000), true)
})
