import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { MessageId } from '@oxbow/contract'
import type { WindowMessage } from '@oxbow/sdk/windows'
import { useFakeTimers } from '../../../test/fake-timers.ts'
import { client } from '../client.ts'
import { pendingEvents } from '../pending.ts'
import { changeFlag } from './change-flag.ts'
import { flushReadMarks, markRead, sendReadMarks } from './read-marks.ts'

const ids = (...numbers: number[]) => numbers as MessageId[]
const message = (id: number) => ({ id, user_ids: [2], sender_id: 2, flags: 1 }) as unknown as WindowMessage

/** Advances the clock of the current test. */
let tick: (milliseconds: number) => void = () => {}

/**
 * Replaces the server and the clock. Returns its log: each request when it arrives, and its outcome. The first
 * requests fail with the given errors.
 */
function startServer(t: TestContext, ...errors: unknown[]): string[] {
  const log: string[] = []
  tick = useFakeTimers(t)
  const window = new EventTarget()
  for (const method of ['addEventListener', 'removeEventListener'] as const)
    Object.assign(globalThis, { [method]: window[method].bind(window) })
  t.mock.method(client.messages, 'changeFlags', async (request: { op: string; messages: MessageId[] }) => {
    const name = `${request.op} ${request.messages.join()}`
    log.push(name)
    await setImmediate()
    const error = errors.shift()
    log.push(`${error ? 'failed' : 'done'}: ${name}`)
    if (error) throw error
    return { messages: request.messages }
  })
  return log
}

/** Advances the clock, and waits for the requests that this causes. */
async function pass(milliseconds: number): Promise<void> {
  tick(milliseconds)
  for (let turn = 0; turn < 5; turn++) await setImmediate()
}

const settled = 2_000

test('marking as unread waits until marks that were made before it are stored', async (t) => {
  const log = startServer(t)
  markRead(ids(5, 6))
  await changeFlag([message(5)], 'read', 'remove')
  assert.deepEqual(log, ['add 5,6', 'done: add 5,6', 'remove 5', 'done: remove 5'])
  await pass(settled)
  assert.deepEqual(log.length, 4)
})

test('marking as unread waits for marks that are sent again after a failure', async (t) => {
  const log = startServer(t, { status: 503 })
  markRead(ids(5, 6))
  await pass(1_500)
  void changeFlag([message(5)], 'read', 'remove')
  await pass(0)
  assert.deepEqual(log, ['add 5,6', 'failed: add 5,6'])
  await pass(1_000)
  assert.deepEqual(log.slice(2), ['add 5,6', 'done: add 5,6', 'remove 5', 'done: remove 5'])
  await pass(settled)
})

test('marks wait as long as the server asks when the view is left, but not when the page is closed', async (t) => {
  const log = startServer(t, { status: 429 })
  markRead(ids(1))
  await pass(1_500)
  markRead(ids(2))
  void flushReadMarks()
  await pass(500)
  assert.deepEqual(log, ['add 1', 'failed: add 1'])
  sendReadMarks()
  await pass(0)
  assert.deepEqual(log.slice(2), ['add 1,2', 'done: add 1,2'])
  await pass(settled)
})

test('marks that wait for the server are one pending change, except those after another change', async (t) => {
  startServer(t, { status: 503 })
  assert.deepEqual(pendingEvents.peek(), [])
  markRead(ids(1))
  await pass(1_500)
  for (const id of [2, 3, 4]) markRead(ids(id))
  const shown = () => pendingEvents.peek().map((event) => 'messages' in event && event.messages)
  assert.deepEqual(shown(), [[1, 2, 3, 4]])
  void changeFlag([message(2)], 'read', 'remove')
  markRead(ids(2))
  markRead(ids(7))
  assert.deepEqual(shown(), [[1, 2, 3, 4], [2], [2, 7]])
  await pass(1_000)
  await pass(settled)
  assert.deepEqual(pendingEvents.peek(), [])
})

test('marks that the server refuses are shown as unread again', async (t) => {
  startServer(t, { status: 400 })
  markRead(ids(1))
  assert.equal(pendingEvents.peek().length, 1)
  await flushReadMarks()
  assert.deepEqual(pendingEvents.peek(), [])
})
