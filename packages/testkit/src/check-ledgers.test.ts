import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { checkLedgers, type LedgerCheck } from './check-ledgers.ts'
import { createTestDatabase, type TestDatabase } from './databases.ts'
import type { LedgerClient, LedgerEntry, LedgerSection } from './ledger-client.ts'
import type { QueueCut } from './queue-cuts.ts'

let database: TestDatabase

/**
 * Creates a log of ten events, in which transaction 100 + n wrote event n. Event 4 is for
 * administrators; events 7 and 8 were lost.
 */
before(async () => {
  database = await createTestDatabase()
  await database.query('create table event_batch_1 partition of event_batch for values in (1)')
  const packed = (first: number, last: number) =>
    JSON.stringify(
      Array.from({ length: last - first + 1 }, (_, index) => {
        const seq = first + index
        const header = { type: 'realm_user', to: { roles: seq === 4 ? [100, 200] : 'everyone' } }
        return [100 + seq, 1000 + seq, 1, header, JSON.stringify({ type: 'realm_user', number: seq })]
      }),
    )
  const insert = 'insert into event_batch values (1, 1, $1, $2, $3)'
  await database.query(insert, [1, 6, packed(1, 6)])
  await database.query(insert, [7, 8, null])
  await database.query(insert, [9, 10, packed(9, 10)])
  await database.query(
    "insert into organization (id, name, subdomain) overriding system value values (1, 'A', '')",
  )
  await database.query(`insert into user_account (organization_id, id, delivery_email, full_name, role, api_key_hash, api_key_sealed)
    overriding system value values (1, 7, 'a@b.example', 'A B', 400, 'x', 'x')`)
  await database.query('insert into role_period values (1, 7, 400, 1, null, 1, null)')
  await database.query(`insert into event_queue (id, organization_id, user_id, cut_seq, cut_snapshot, options, lifespan_seconds)
    values ('q', 1, 7, 1, '103:104:', '{}', 600)`)
})
after(() => database[Symbol.asyncDispose]())

const entry = (id: number): LedgerEntry => ({
  id,
  body: JSON.stringify({ id, type: 'realm_user', number: id }),
})

/**
 * Checks the ledger of a queue that starts after event 1 and whose state includes transactions up to
 * 103. The queue must deliver events 5, 6, 9 and 10.
 */
async function check(
  entries: LedgerEntry[],
  more: Partial<LedgerSection> = {},
): Promise<Partial<LedgerCheck>> {
  const section: LedgerSection = { queue_id: 'q', after: 1, entries, isDead: false, ...more }
  const cut: QueueCut = {
    id: 'q',
    user_id: 7,
    cut_seq: 1,
    cut_snapshot: '103:104:',
    event_types: null,
    all_public_streams: false,
  }
  const clients = [{ sections: [section] } as unknown as LedgerClient]
  const found = await checkLedgers(database.query, clients, new Map([['q', cut]]), 10)
  return Object.fromEntries(Object.entries(found).filter(([, count]) => count !== 0))
}

const complete = [5, 6, 9, 10].map(entry)
const cases: [string, LedgerEntry[], Partial<LedgerSection>, Partial<LedgerCheck>][] = [
  ['reports no flaw in a complete ledger', complete, {}, {}],
  ['ignores heartbeats', [...complete.slice(0, 2), { id: 8, body: null }, ...complete.slice(2)], {}, {}],
  ['reports a missing event', complete.toSpliced(1, 1), {}, { missing: 1 }],
  ['reports an event that was delivered twice', [...complete, entry(10)], {}, { duplicateEvents: 1 }],
  ['reports events in another order', [6, 5, 9, 10].map(entry), {}, { disorder: 1 }],
  ['reports an event that the registered state included', [3, 5, 6, 9, 10].map(entry), {}, { unexpected: 1 }],
  ['reports an event for other accounts', [4, 5, 6, 9, 10].map(entry), {}, { unexpected: 1 }],
  [
    'reports a body that differs from the log',
    complete.with(0, { id: 5, body: '{"id":5,"type":"realm_user"}' }),
    {},
    { altered: 1 },
  ],
  ['reports a lost event in a queue that continues', [5, 6, 7, 9, 10].map(entry), {}, { unexpected: 1 }],
  ['accepts a queue that a failover ended', [5, 6, 7].map(entry), { isDead: true }, { events: 2, dead: 1 }],
  [
    'reports a gap in a queue that a failover ended',
    [5, 7].map(entry),
    { isDead: true },
    { events: 2, dead: 1, missing: 1 },
  ],
  [
    'reports a queue that ended without a reason',
    [entry(5)],
    { isDead: true },
    { events: 1, dead: 1, deadWithoutReason: 1 },
  ],
]

for (const [name, entries, more, expected] of cases) {
  test(`the ledger check ${name}`, async () => {
    assert.deepEqual(await check(entries, more), { ledgers: 1, events: 4, ...expected })
  })
}
