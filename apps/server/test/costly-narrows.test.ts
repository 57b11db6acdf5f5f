import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Person, request, startStopwatch, startWorld, type World } from '@oxbow/testkit'
import { sql } from 'kysely'
import pg from 'pg'
import { connectionOptions } from '../src/platform/database/database.ts'
import { costlyNarrows } from './costly-narrows.ts'

const database_pool_size = 3
/**
 * Maximum growth of a PostgreSQL session in bytes. A session that cached the query plan of each narrow
 * would grow by megabytes with each of them.
 */
const maxGrowth = 4 * 2 ** 20
/**
 * Maximum duration of a request. PostgreSQL cancels the query after 2 s; the rest allows for a busy
 * machine.
 */
const maxMs = 6_000

let world: World
let iris: Person

before(async () => {
  world = await startWorld({ config: { database_pool_size }, adHocTimeoutMs: 2_000 })
  iris = await world.person('iris')
})
after(() => world[Symbol.asyncDispose]())

interface NarrowEndpoint {
  what: string
  path: string
  method?: 'POST'
  form: Record<string, string>
}

/** Requests to every endpoint that finds messages by a narrow. */
const reads: NarrowEndpoint[] = [
  {
    what: 'messages around an id',
    path: '/api/v1/messages',
    form: { anchor: '10', num_before: '100', num_after: '100' },
  },
  {
    what: 'messages around the first unread one',
    path: '/api/v1/messages',
    form: { anchor: 'first_unread', num_before: '2500', num_after: '2500' },
  },
  {
    what: 'matches_narrow',
    path: '/api/v1/messages/matches_narrow',
    form: { msg_ids: JSON.stringify(Array.from({ length: 200 }, (_, id) => id)) },
  },
]
/** Requests to every endpoint that takes a narrow. */
const endpoints: NarrowEndpoint[] = [
  ...reads,
  { what: 'register', path: '/api/v1/register', method: 'POST', form: { fetch_event_types: '[]' } },
  { what: 'a poll that opens a queue', path: '/api/v1/events', form: { dont_block: 'true' } },
]

function ask({ path, method, form }: NarrowEndpoint, terms: unknown) {
  const params = { ...form, narrow: JSON.stringify(terms) }
  const sent = method ? { method, form: params } : { query: params }
  return request(world.nodes.a.url, { path, credentials: iris, ...sent })
}

interface Session {
  pid: number
  bytes: number
  statements: number
}

/**
 * Reads the memory and the number of prepared statements of each database session of the node. Takes
 * all connections of the pool at the same time, so that each session is read once.
 */
async function readSessions(): Promise<Session[]> {
  const { db } = world.nodes.a.app
  const { promise: allAsked, resolve: release } = Promise.withResolvers<void>()
  // One connection of the pool is reserved for background jobs.
  const count = database_pool_size - 1
  let requestCount = 0
  const sessions = Array.from({ length: count }, () =>
    db.connection().execute(async (connection) => {
      const { rows } = await sql<Session>`
        select pg_backend_pid() as pid, (select sum(total_bytes)::bigint from pg_backend_memory_contexts) as bytes,
          (select count(*)::int from pg_prepared_statements) as statements`.execute(connection)
      requestCount++
      if (requestCount === count) release()
      await allAsked
      return rows[0] as Session
    }),
  )
  return Promise.all(sessions)
}

test('the 50 costliest narrows get responses in time and leave no query plans in PostgreSQL sessions', async (t) => {
  const narrows = await costlyNarrows(world, iris)
  assert.equal(narrows.length, 50)
  for (const read of reads) await ask(read, [])
  const earlier = await readSessions()

  await using stopwatch = startStopwatch(world.database)
  let slowest = { ms: 0, what: '' }
  for (const { what, terms } of narrows) {
    for (const read of reads) {
      const startMs = stopwatch.elapsedMs()
      const { status, body } = await ask(read, terms)
      const ms = stopwatch.elapsedMs() - startMs
      if (ms > slowest.ms) slowest = { ms, what: `${what} (${read.what})` }
      assert.ok(status === 200 || body.code === 'NARROW_TOO_SLOW', `${what}: ${JSON.stringify(body)}`)
    }
  }
  const later = await readSessions()

  t.diagnostic(`slowest: ${Math.round(slowest.ms)} ms, ${slowest.what}`)
  t.diagnostic(`sessions before: ${JSON.stringify(earlier)}, after: ${JSON.stringify(later)}`)
  assert.ok(slowest.ms < maxMs, `${slowest.what} took ${slowest.ms} ms`)
  const before = Math.max(...earlier.map(({ bytes }) => bytes))
  for (const { bytes } of later) assert.ok(bytes - before < maxGrowth, `${bytes - before} bytes more`)
})

for (const endpoint of endpoints) {
  test(`${endpoint.what} refuses more than 20 different terms`, async () => {
    const different = (count: number) => Array.from({ length: count }, (_, index) => ['topic', `t${index}`])
    const { status, body } = await ask(endpoint, different(21))
    assert.deepEqual([status, body.code], [400, 'BAD_NARROW'])
    assert.equal((await ask(endpoint, different(20))).status, 200)
  })

  test(`${endpoint.what} counts equal terms once`, async () => {
    const { status } = await ask(
      endpoint,
      Array.from({ length: 50 }, () => ['topic', 'roses']),
    )
    assert.equal(status, 200)
  })
}

test('every endpoint refuses a narrow that takes PostgreSQL too long, and states the reason', async () => {
  const terms = [['topic', 'roses']]
  const holder = new pg.Client(connectionOptions(world.database.url))
  await holder.connect()
  await holder.query('begin; lock table message in access exclusive mode')
  try {
    const responses = await Promise.all(reads.map((read) => ask(read, terms)))
    for (const { status, body } of responses) {
      assert.deepEqual([status, body.code], [400, 'NARROW_TOO_SLOW'])
      assert.match(String(body.msg), /longer than 2 s\b/)
    }
  } finally {
    await holder.query('rollback')
    await holder.end()
  }
  for (const read of reads) assert.equal((await ask(read, terms)).status, 200)
  assert.ok(!world.log.text.includes('PostgreSQL cannot be reached'))
})
