import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '@oxbow/testkit'
import pg from 'pg'
import { connectionOptions } from './database.ts'

test('bigint and bigint[] are parsed as numbers, and NULL stays NULL', async () => {
  await using database = await createTestDatabase()
  const client = new pg.Client(connectionOptions(database.url))
  await client.connect()
  try {
    const { rows } = await client.query(`
      select 7::bigint as id, null::bigint as nothing, array[1, null, 3]::bigint[] as ids,
        '{}'::bigint[] as none, array[null]::bigint[] as nulls`)

    assert.deepEqual(rows, [{ id: 7, nothing: null, ids: [1, null, 3], none: [], nulls: [null] }])
  } finally {
    await client.end()
  }
})
