import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '@oxbow/contract'
import { useFakeTimers } from '../../test/fake-timers.ts'
import { applyOptimistically, pendingEvents } from './pending.ts'

const makeEvent = (fields: object) => fields as Event
const settled = 2_000
const makeReaction = (message_id: number) =>
  makeEvent({ type: 'reaction', message_id, reaction_type: 'unicode_emoji', emoji_code: '1f44d' })
const reaction = makeReaction(1)
const makeFlags = (flag: string, ...messages: number[]) =>
  makeEvent({ type: 'update_message_flags', flag, messages })

test('calls for changes of one object are made in their order, also after a refusal', async (t) => {
  const tick = useFakeTimers(t)
  const made: string[] = []
  const first = Promise.withResolvers<void>()
  const refused = applyOptimistically([reaction], () => {
    made.push('first')
    return first.promise
  })
  const second = applyOptimistically([reaction], async () => made.push('second'))
  await applyOptimistically([makeReaction(2)], async () => made.push('of another object'))
  assert.deepEqual(made, ['first', 'of another object'])
  assert.equal(pendingEvents.value.length, 3)

  first.reject(new Error('refused'))
  await assert.rejects(refused, /refused/)
  await second
  assert.deepEqual(made, ['first', 'of another object', 'second'])
  assert.equal(pendingEvents.value.length, 2)
  tick(settled)
  assert.deepEqual(pendingEvents.value, [])
})

test('a call that changes a flag does not wait for calls that change other flags', async (t) => {
  const tick = useFakeTimers(t)
  const reading = Promise.withResolvers<void>()
  const read = applyOptimistically([makeFlags('read', 1, 2)], () => reading.promise)
  await applyOptimistically([makeFlags('starred', 1)], async () => {})
  reading.resolve()
  await read
  tick(settled)
  assert.deepEqual(pendingEvents.value, [])
})

test('calls that change a flag wait for calls that change it for one of the same messages', async (t) => {
  const tick = useFakeTimers(t)
  const made: string[] = []
  const first = Promise.withResolvers<void>()
  const starred = applyOptimistically([makeFlags('starred', 1, 2)], () => first.promise)
  const removed = applyOptimistically([makeFlags('starred', 2, 3)], async () => made.push('the same'))
  await applyOptimistically([makeFlags('starred', 4)], async () => made.push('other'))
  assert.deepEqual(made, ['other'])
  first.resolve()
  await Promise.all([starred, removed])
  tick(settled)
  assert.deepEqual(made, ['other', 'the same'])
})

test('a call that is not answered in time is aborted and reverted, and the next call is made', async (t) => {
  const tick = useFakeTimers(t)
  const limits: AbortController[] = []
  t.mock.method(AbortSignal, 'timeout', () => {
    const limit = new AbortController()
    limits.push(limit)
    return limit.signal
  })
  const hanging = applyOptimistically(
    [reaction],
    ({ signal }) =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
  )
  const next = applyOptimistically([reaction], async () => 'answered')
  // The time of a call begins when the call is made.
  assert.equal(limits.length, 1)
  limits[0]?.abort(new DOMException('Too late', 'TimeoutError'))
  await assert.rejects(hanging, { name: 'TimeoutError' })
  assert.equal(await next, 'answered')
  tick(settled)
  assert.deepEqual(pendingEvents.value, [])
})
