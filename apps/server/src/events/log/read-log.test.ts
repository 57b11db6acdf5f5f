import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { OrganizationId } from '@oxbow/contract'
import { createTestDatabase } from '@oxbow/testkit'
import { bySize } from '@oxbow/testkit/size'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { connectionOptions } from '../../platform/database/database.ts'
import type { Tables } from '../../platform/database/tables.ts'
import type { DirectConnection } from '../direct-connection.ts'
import { findLogState, readBatches, readBatchesBetween } from './read-log.ts'

const isLong = bySize({ gate: false, long: true })
const batchesPerPart = isLong ? 20_834 : 2_084
const parts = 24
const organizations = 100
/** Limit of pages per read. Each part adds some pages, but the length of the log does not matter. */
const maxPages = 300

const database = await createTestDatabase()
const pool = new pg.Pool({ ...connectionOptions(database.url), max: 1 })
const statements: { text: string; values: readonly unknown[] }[] = []
const db = new Kysely<Tables>({
  dialect: new PostgresDialect({ pool }),
  log: ({ query }) => {
    statements.push({ text: query.sql, values: query.parameters })
  },
})
const connection = {
  async query(text: string, values: unknown[]) {
    statements.push({ text, values })
    return (await pool.query(text, values)).rows
  },
} as unknown as DirectConnection
after(async () => {
  await db.destroy()
  await database[Symbol.asyncDispose]()
})

for (let part = 1; part <= parts; part++) {
  await pool.query(
    `create table event_batch_${part} (like event_batch including all, check (part = ${part}))`,
  )
  await pool.query(`alter table event_batch attach partition event_batch_${part} for values in (${part})`)
  await pool.query(
    `insert into event_batch (part, organization_id, first_seq, last_seq, records)
     select $1, n % $3, n, n, '[]' from generate_series(($1 - 1) * $2 + 1, $1 * $2) as n`,
    [part, batchesPerPart, organizations],
  )
}
await pool.query('vacuum analyze')

interface Explained {
  'QUERY PLAN': [{ Plan: Record<'Shared Hit Blocks' | 'Shared Read Blocks', number> }]
}

/** Returns the number of pages that the statements of `work` touch. */
async function countPages(work: () => Promise<unknown>): Promise<number> {
  statements.length = 0
  await work()
  assert.ok(statements.length > 0)
  let pages = 0
  for (const { text, values } of [...statements]) {
    const explained = await pool.query<Explained>(`explain (analyze, buffers, format json) ${text}`, [
      ...values,
    ])
    const plan = explained.rows[0]?.['QUERY PLAN'][0].Plan
    pages += (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0)
  }
  return pages
}

const id = 7 as OrganizationId
const end = batchesPerPart * parts
const reads = {
  'a hint': () => readBatches(connection, [{ id, position: end - 500 }]),
  'a node that is far behind': () => readBatches(connection, [{ id, position: 1_000 }]),
  'a node that begins to follow an organization': () => findLogState(db, id),
  'a client that reads records too old to be in memory': () => readBatchesBetween(db, id, end - 2_000, end),
}

for (const [reader, read] of Object.entries(reads)) {
  test(`a read of the log for ${reader} touches few pages, regardless of the length of the log`, async () => {
    const pages = await countPages(read)

    assert.ok(pages <= maxPages, `${pages} pages`)
  })
}
