import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OrganizationId, UserId } from '@oxbow/contract'
import { createTestDatabase, withApp } from '@oxbow/testkit'
import type { Db } from '../platform/database/database.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { buildRecordHeader, commitListeners, wakeSequencer } from './emit.ts'
import type { Emission } from './record.ts'

test('a header has all fields of the emission except the event', () => {
  const emission: Required<Emission> = {
    organization_id: 1 as OrganizationId,
    event: { type: 'message', message: {} },
    to: { stream: 4, received: { stream: 5, at: 6 } },
    parts: { 7: { own: true } },
    flags: { 7: ['read'] },
    flagsOfAll: ['wildcard_mentioned'],
    echo: { queue: 'a queue', user: 7 as UserId, local_id: '1.01' },
    isPublic: true,
    deferred: true,
    since: 371,
    until: 1_700_000_000_000,
    effects: [{ kind: 'organization' }],
    eventCount: 3,
  }
  const { organization_id, event, eventCount, ...header } = emission

  assert.deepEqual(buildRecordHeader(emission), { type: 'message', ...header })
  assert.deepEqual(buildRecordHeader({ organization_id, event, flags: {} }), { type: 'message', flags: {} })
  assert.deepEqual(buildRecordHeader({ organization_id, isPublic: false }), {})
})

test('wakeSequencer calls only the listener of its own database', () => {
  const [db, other] = [{}, {}] as [Db, Db]
  const notified: unknown[] = []
  commitListeners.set(db, (emissions) => notified.push(emissions))

  wakeSequencer(db)
  wakeSequencer(other)

  assert.deepEqual(notified, [[]])
})

test('wakeSequencer in a transaction calls the listener once, after the commit', async () => {
  await using database = await createTestDatabase()
  await withApp(database.url, async ({ db }) => {
    const notified: unknown[] = []
    commitListeners.set(db, (emissions) => notified.push(emissions))

    await inTransaction(db, async (tx) => {
      wakeSequencer(tx)
      assert.deepEqual(notified, [])
    })

    assert.deepEqual(notified, [[]])
  })
})
