import assert from 'node:assert/strict'
import { test } from 'node:test'
import { streamId, userId } from '../../../test/ids.ts'
import type { SendTarget } from '../conversations/target.ts'
import { afterFailure, belongsTo, isTooOld, listNext, type OutboxEntry, retried } from './outbox-entry.ts'

const roses: SendTarget = { type: 'stream', stream_id: streamId(12), topic: 'roses' }
const iris: SendTarget = { type: 'private', user_ids: [9, 7].map(userId) }

const makeEntry = (changes: Partial<OutboxEntry> = {}): OutboxEntry => ({
  local_id: 'a',
  key: 'key of a',
  target: roses,
  content: 'Hello',
  html: '<p>Hello</p>',
  created_at: 0,
  state: 'sending',
  attempts: 0,
  ...changes,
})

for (const status of [undefined, 500, 503, 429, 401, 408])
  test(`a message is retried with the same idempotency key after ${status ?? 'no response'}`, () => {
    const entry = afterFailure(makeEntry(), { status, reason: 'no' })
    assert.deepEqual([entry.state, entry.attempts, entry.key], ['waiting', 1, 'key of a'])
    assert.equal(entry.reason, undefined)
  })

for (const status of [400, 403, 404])
  test(`a message that is refused with ${status} fails with the reason`, () => {
    const entry = afterFailure(makeEntry(), { status, reason: 'Not here.', refusal: 'NOT_AUTHORIZED' })
    assert.deepEqual([entry.state, entry.reason, entry.refusal], ['failed', 'Not here.', 'NOT_AUTHORIZED'])
  })

test('a message older than twenty hours is too old to be sent without asking', () => {
  assert.equal(isTooOld(makeEntry(), 20 * 3_600_000), false)
  assert.equal(isTooOld(makeEntry(), 20 * 3_600_000 + 1), true)
})

test('retrying a message clears the reason of its failure', () => {
  const failed = makeEntry({ state: 'failed', reason: 'Not here.', refusal: 'X', attempts: 3 })
  assert.deepEqual(retried(failed, 5, 'new key'), makeEntry({ key: 'new key', created_at: 5 }))
})

test('one message per conversation is sent at a time, the oldest that did not fail', () => {
  const entries = [
    makeEntry({ local_id: 'failed', state: 'failed' }),
    makeEntry({ local_id: 'first' }),
    makeEntry({ local_id: 'second' }),
    makeEntry({ local_id: 'other', target: iris }),
  ]
  const next = (busy: string) => listNext(entries, (key) => key === busy).map(({ local_id }) => local_id)
  assert.deepEqual(next(''), ['first', 'other'])
  assert.deepEqual(next('stream/12/topic/roses'), ['other'])
  assert.deepEqual(next('pm/7,9'), ['first'])
})

test('an unsent message is shown in its conversation and in its stream', () => {
  const entry = makeEntry()
  assert.ok(belongsTo(entry, { type: 'stream', stream_id: streamId(12), topic: 'Roses' }))
  assert.ok(belongsTo(entry, { type: 'stream', stream_id: streamId(12) }))
  assert.ok(!belongsTo(entry, { type: 'stream', stream_id: streamId(13) }))
  assert.ok(!belongsTo(entry, { type: 'stream', stream_id: streamId(12), topic: 'compost' }))
  assert.ok(belongsTo(makeEntry({ target: iris }), { type: 'private', user_ids: [7, 9].map(userId) }))
})
