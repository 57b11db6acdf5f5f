import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { connectionOptions } from '@oxbow/server'
import { createTestDatabase, eventually, request, type TestDatabase } from '@oxbow/testkit'
import pg from 'pg'
import {
  type CommandEnvironment,
  environmentFor,
  installedProgram,
  runOxbow,
  serveOxbow,
} from './run-oxbow.ts'

let database: TestDatabase
let environment: CommandEnvironment
let owner: { email: string; api_key: string; user_id: number }

before(async () => {
  database = await createTestDatabase()
  await database.query('delete from server')
  environment = environmentFor(database.url)
  const ownerOptions = ['--owner-email', 'me@example.com', '--owner-name', 'My Name', '--json']
  owner = JSON.parse(
    (await runOxbow(environment, 'organization', 'create', '--name', 'Our team', ...ownerOptions)).stdout,
  )
})
after(() => database[Symbol.asyncDispose]())

test('an idle node uses at most 155 MB if its code is already in the cache', async () => {
  const limit = 155_000_000
  // The first start of a release compiles all code, which takes another 20 MB, and saves it at exit. The memory
  // that V8 keeps depends on when it collects garbage during the start.
  let least = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < 4 && least >= limit; tries++) least = Math.min(least, await measureIdleNode())

  process.stdout.write(`resident memory of an idle node: ${Math.round(least / 1e6)} MB\n`)
  assert.ok(least > 10_000_000 && least < limit, `${least} bytes`)
})

/** Starts a node, sends requests to it, and returns the bytes of memory that it uses afterwards. */
async function measureIdleNode(): Promise<number> {
  await using served = await serveOxbow(environment, { program: installedProgram })
  for (let i = 0; i < 50; i++) {
    const { status } = await request(served.url, { path: '/api/v1/users', credentials: owner })
    assert.equal(status, 200)
  }
  const [, kilobytes] =
    /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${served.process.pid}/status`, 'utf8')) ?? []
  served.process.kill('SIGINT')
  await served.exited
  return Number(kilobytes) * 1024
}

test('stopping waits for running requests and accepts no new ones', async () => {
  // Without a drain time, new requests are refused before the running request has waited too long for its lock.
  const env = { ...environment.env, OXBOW_DRAIN_SECONDS: '0' }
  await using served = await serveOxbow({ ...environment, env })
  // Locks a row that the request needs, so that the test controls how long the request takes.
  const holder = new pg.Client(connectionOptions(database.url))
  await holder.connect()
  await holder.query('begin')
  await holder.query('select from user_account where id = $1 for update', [owner.user_id])
  const path = `/api/v1/users/${owner.user_id}`
  const underWay = request(served.url, {
    method: 'PATCH',
    path,
    credentials: owner,
    form: { full_name: 'Later Name' },
  })
  await eventually(async () => {
    const [waiting] = await database.query(
      "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
    )
    return waiting !== undefined
  })

  served.process.kill('SIGTERM')

  await eventually(() =>
    request(served.url, { path: '/health' }).then(
      () => false,
      () => true,
    ),
  )
  assert.equal(served.process.exitCode, null)
  await holder.query('rollback')
  await holder.end()
  const { status, body } = await underWay
  assert.deepEqual([status, body.result], [200, 'success'])
  assert.equal(await served.exited, 0)
  // The last log lines are written before the process ends.
  assert.match(served.output(), /"endpoint":"users\.update"/)
})

test('serve explains that a port is in use', async () => {
  await using served = await serveOxbow(environment)
  const { status, stderr } = await runOxbow(environment, 'serve', '--port', new URL(served.url).port)
  assert.equal(status, 1)
  assert.match(stderr, /^Port \d+ of 127\.0\.0\.1 is in use.*--port/)
})

test('/health and /ready need no credentials, /metrics requires the token', async () => {
  const token = 'a token for metrics 51'
  await using served = await serveOxbow({
    ...environment,
    env: { ...environment.env, OXBOW_METRICS_TOKEN: token },
  })
  const get = (path: string, headers = {}) => request(served.url, { path, headers })

  assert.deepEqual((await get('/health')).body, { status: 'ok' })
  assert.deepEqual((await get('/ready')).body, { status: 'ready' })
  await request(served.url, { path: '/api/v1/users/me', credentials: owner })
  const { text } = await get('/metrics', { authorization: `Bearer ${token}` })
  assert.match(text, /oxbow_http_request_seconds_count\{endpoint="users\.me",status="200"\} 1/)
  assert.match(text, /oxbow_database_connections\{state="idle"\} \d/)
  assert.equal((await get('/metrics')).status, 403)
})
