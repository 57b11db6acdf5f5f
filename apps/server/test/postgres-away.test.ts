import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createOrganization, loadConfig, startNode } from '@oxbow/server'
import { eventually, LogCapture, request, startPostgresServer, testSecret } from '@oxbow/testkit'

test('while PostgreSQL is unreachable every endpoint responds with 503 and Retry-After, and recovers later without a restart', async () => {
  await using postgres = await startPostgresServer({ database: 'oxbow_away' })
  const settings = {
    database_url: postgres.url('oxbow_away'),
    secret: testSecret,
    port: '0',
    rate_limit_per_minute: '0',
  }
  const log = new LogCapture()
  const node = await startNode(loadConfig(settings, {}).config, {
    logTo: log,
    passwordCost: 'cheap',
    checked: true,
  })
  try {
    const owner = { email: 'owner@garden.example', full_name: 'Olive Owner' }
    const account = await createOrganization(node.app, { name: 'The Garden', subdomain: '', owner })
    const ask = (path: string) => request(node.url, { path, credentials: account })
    assert.equal((await ask('/api/v1/users/me')).status, 200)
    assert.equal((await ask('/ready')).status, 200)

    postgres.kill()

    const refused = await ask('/api/v1/users/me')
    assert.equal(refused.status, 503, refused.text)
    assert.equal(refused.headers.get('retry-after'), '5')
    assert.equal(refused.body.code, 'SERVICE_UNAVAILABLE')
    const { status, body } = await ask('/ready')
    assert.deepEqual([status, body], [503, { status: 'not ready', reason: 'PostgreSQL cannot be reached' }])
    assert.equal((await ask('/health')).status, 200)
    // Concurrent requests use connections that broke without notice.
    const burst = await Promise.all(Array.from({ length: 20 }, () => ask('/api/v1/users')))
    assert.deepEqual(new Set(burst.map((response) => response.status)), new Set([503]))

    postgres.start()

    await eventually(async () => (await ask('/ready')).status === 200)
    assert.equal((await ask('/api/v1/users/me')).status, 200)
    assert.deepEqual(log.entries(50), [])
    const warnings = Map.groupBy(log.entries(40), ({ msg, err }) => `${msg}: ${(err as Error)?.message}`)
    assert.ok(
      [...warnings.keys()].some((text) => text.startsWith('the heads of the event log could not be read')),
    )
    for (const [text, lines] of warnings) assert.ok(lines.length <= 3, `${lines.length} times: ${text}`)
    await eventually(() => log.text.includes('the heads of the event log are read again'))
  } finally {
    await node.stop()
  }
})

test('a node that cannot reach PostgreSQL does not start, and names the address it tried', async () => {
  const { config } = loadConfig(
    { database_url: 'postgres://someone:sesame@127.0.0.1:1/oxbow', secret: testSecret },
    {},
  )
  await assert.rejects(startNode(config), (error: Error) => {
    assert.match(error.message, /PostgreSQL cannot be used as someone on 127\.0\.0\.1:1, database oxbow/)
    assert.ok(!error.message.includes('sesame'))
    return true
  })
})
