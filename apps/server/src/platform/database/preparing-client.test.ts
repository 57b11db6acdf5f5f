import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '@oxbow/testkit'
import { connectionOptions } from './database.ts'
import { PreparingClient } from './preparing-client.ts'

test('statements are prepared, but those with a long list are planned for what they are given', async () => {
  await using database = await createTestDatabase()
  const client = new PreparingClient(connectionOptions(database.url))
  await client.connect()
  try {
    const asked = async (text: string, ids: number[]) => {
      await client.query(text, [ids])
      const { rows } = await client.query('select statement from pg_prepared_statements')
      return rows.some(({ statement }) => statement === text)
    }

    assert.equal(await asked('select 1 where 1 = any($1::int[])', [1, 2, 3]), true)
    assert.equal(await asked('select 2 where 1 = any($1::int[])', Array.from(Array(1_000).keys())), false)
  } finally {
    await client.end()
  }
})
