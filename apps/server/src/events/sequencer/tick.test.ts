import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestDatabase } from '@oxbow/testkit'
import { bySize } from '@oxbow/testkit/size'
import pg from 'pg'
import { connectionOptions } from '../../platform/database/database.ts'
import { ensurePart } from './parts.ts'
import { maxOrganizationsPerTick, tick } from './take-batches.ts'

const organizations = bySize({ gate: 5_000, long: 100_000 })
/** Every second organization has a queue. */
const queued = organizations / 2
/** Limit of pages per tick: some pages for each organization that it visits. */
const maxPages = 40 * maxOrganizationsPerTick

const database = await createTestDatabase()
const client = new pg.Client(connectionOptions(database.url))
await client.connect()
after(async () => {
  await client.end()
  await database[Symbol.asyncDispose]()
})
const part = await ensurePart(client)
await client.query(
  `with made as (
     insert into organization (subdomain, name) select 'o' || n, 'O' from generate_series(1, $1::int) as n returning id
   ), account as (
     insert into user_account (organization_id, delivery_email, full_name, role, api_key_hash, api_key_sealed)
     select id, 'o@o.example', 'O', 100, int8send(id), '' from made returning organization_id, id
   ), queue as (
     insert into event_queue (id, organization_id, user_id, cut_seq, cut_snapshot, options, lifespan_seconds)
     select id::text, organization_id, id, 0, '1:1:', '{}', 600 from account where organization_id % 2 = 0
   )
   insert into event_head (organization_id, last_seq, moved_at) select id, 5, now() - interval '1 hour' from made`,
  [organizations],
)
await client.query('vacuum analyze')

interface Explained {
  'QUERY PLAN': [{ Plan: Record<'Shared Hit Blocks' | 'Shared Read Blocks', number> }]
}

test('a tick touches a bounded number of pages, regardless of the number of organizations', async () => {
  const statements: { text: string; values: unknown[] }[] = []
  const recording = {
    query(query: { text: string; values: unknown[] }) {
      statements.push(query)
      return { rows: [{ next: null, organization_id: null }] }
    },
  } as unknown as pg.ClientBase
  await tick(recording, { part, quietSeconds: 20, after: 0 })
  const [{ text, values } = { text: '', values: [] }] = statements
  await client.query('begin')

  const { rows } = await client.query<Explained>(`explain (analyze, buffers, format json) ${text}`, values)

  await client.query('rollback')
  const plan = rows[0]?.['QUERY PLAN'][0].Plan
  const pages = (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0)
  assert.ok(pages > 0 && pages <= maxPages, `${pages} pages`)
})

test('successive ticks advance every quiet organization with a queue once, and no other', async () => {
  const moved: number[] = []
  let after = 0
  do {
    const { batches, next } = await tick(client, { part, quietSeconds: 600, after })
    assert.ok(batches.length <= maxOrganizationsPerTick)
    moved.push(...batches.map(({ organization_id }) => organization_id))
    after = next
  } while (after > 0)

  assert.equal(moved.length, queued)
  assert.equal(new Set(moved).size, queued)
  assert.ok(moved.every((id) => id % 2 === 0))
  const again = await tick(client, { part, quietSeconds: 600, after: 0 })
  assert.deepEqual(again.batches, [])
})
