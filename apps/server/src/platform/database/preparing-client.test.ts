import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { test } from 'node:test'
import { createTestDatabase } from '@oxbow/testkit'
import pg from 'pg'
import { connectionOptions } from './database.ts'
import { PreparingClient, plannedOncePrefix } from './preparing-client.ts'

test('statements are prepared, except those with a long list', async () => {
  await using database = await createTestDatabase()
  const client = new PreparingClient(connectionOptions(database.url))
  await client.connect()
  try {
    const runQuery = async (text: string, ids: number[]) => {
      await client.query(text, [ids])
      const { rows } = await client.query('select statement from pg_prepared_statements')
      return rows.some(({ statement }) => statement === text)
    }

    assert.equal(await runQuery('select 1 where 1 = any($1::int[])', [1, 2, 3]), true)
    assert.equal(await runQuery('select 2 where 1 = any($1::int[])', Array.from(Array(1_000).keys())), false)
  } finally {
    await client.end()
  }
})

test('a session that breaks during setup rejects connect without an unhandled error', async () => {
  await using database = await createTestDatabase()
  const direct = new pg.Client(connectionOptions(database.url))
  // Forwards everything until the first statement, and then closes the connection.
  const proxy = createServer((client) => {
    const server = direct.host.startsWith('/')
      ? connect(`${direct.host}/.s.PGSQL.${direct.port}`)
      : connect(direct.port, direct.host)
    for (const socket of [client, server]) socket.on('error', () => {})
    server.pipe(client)
    client.on('data', (data) => (data.includes('set jit') ? client.destroy() : server.write(data)))
    client.on('close', () => server.destroy())
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const { port } = proxy.address() as AddressInfo
  const pool = new pg.Pool({
    ...connectionOptions(database.url),
    host: '127.0.0.1',
    port,
    Client: PreparingClient,
  })

  await assert.rejects(pool.query('select 1'), /Connection terminated/)

  await pool.end()
  proxy.close()
})

test('a statement that is planned once has one plan for all values, keeps the time limit, and leaves the session as it was', async () => {
  await using database = await createTestDatabase()
  const client = new PreparingClient({ ...connectionOptions(database.url), adHocTimeoutMs: 100 })
  await client.connect()
  try {
    const text = `${plannedOncePrefix}select count(*)::int as count from generate_series(1, $1::int)`
    for (const size of [0, 10, 1_000, 7, 12, 40, 90])
      assert.deepEqual((await client.query(text, [size])).rows, [{ count: size }])
    const { rows } = await client.query(
      'select generic_plans::int, custom_plans::int from pg_prepared_statements where statement = $1',
      [text],
    )
    assert.deepEqual(rows, [{ generic_plans: 7, custom_plans: 0 }])

    const slow = `${plannedOncePrefix}select pg_sleep($1::int)`
    await assert.rejects(client.query(slow, [10]), { code: '57014' })

    const { rows: settings } = await client.query(
      `select current_setting('plan_cache_mode') as mode, current_setting('statement_timeout') as timeout`,
    )
    assert.deepEqual(settings, [{ mode: 'auto', timeout: '30s' }])
  } finally {
    await client.end()
  }
})

test('a statement that is planned once is planned again after a migration changed its result', async () => {
  await using database = await createTestDatabase({ isEmpty: true })
  const client = new PreparingClient(connectionOptions(database.url))
  await client.connect()
  try {
    await database.query('create table bed (id int)')
    await database.query('insert into bed values (1)')
    const text = `${plannedOncePrefix}select * from bed where id = $1::int`
    assert.deepEqual((await client.query(text, [1])).rows, [{ id: 1 }])
    await database.query('alter table bed add column flower text')
    assert.deepEqual((await client.query(text, [1])).rows, [{ id: 1, flower: null }])
  } finally {
    await client.end()
  }
})
