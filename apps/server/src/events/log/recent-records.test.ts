import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Role, type UserId } from '@oxbow/contract'
import type { Header, LogRecord } from '../record.ts'
import { estimateRecordBytes, RecentRecords } from './recent-records.ts'

const recordOf = (seq: number, header: Header): LogRecord => ({
  seq,
  eventCount: 1,
  tx: 1,
  outboxId: seq,
  header,
  event: null,
})

const users = Array.from({ length: 10_000 }, (_, index) => index as UserId)

test('the size estimate of a record includes its ten thousand changed subscriptions', () => {
  const effect = { kind: 'subscriptions', users, stream: 1, subscribed: true, at: 1 } as const
  const small = recordOf(1, { effects: [{ kind: 'archive', stream: 1, at: 1 }] })
  const large = recordOf(2, { effects: [effect, effect] })
  const recent = new RecentRecords(0)

  recent.add(large)

  assert.equal(estimateRecordBytes(large) - estimateRecordBytes(small), 160_000)
  assert.equal(recent.dropOldest(), estimateRecordBytes(large))
  assert.equal(recent.bytes, 0)
})

test('the size estimate of a record includes the length of its local_id', () => {
  const echo = { queue: 'a', user: 7 as UserId, local_id: 'x'.repeat(10_000) }
  const plain = recordOf(1, { flags: {} })

  assert.ok(estimateRecordBytes(recordOf(2, { flags: {}, echo })) - estimateRecordBytes(plain) >= 20_000)
})

test('candidates for a former subscriber include records whose audience has former subscribers', () => {
  const recent = new RecentRecords(0)
  for (let seq = 1; seq <= 50; seq++) recent.add(recordOf(seq, { to: { users: [] } }))
  const expected = [
    recordOf(51, { to: { stream: 4, former: true } }),
    recordOf(52, { to: { roles: [Role.guest], unless: { stream: 4 } } }),
  ]
  for (const record of expected) recent.add(record)

  const user = 7 as UserId
  const interests = { user, roles: [Role.guest], streams: [4], allPublic: false }

  assert.deepEqual(recent.candidates(0, interests), expected)
})
