import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClient } from '@oxbow/sdk'
import { connectionOptions, createOrganization, loadConfig, startNode } from '@oxbow/server'
import {
  eventually,
  LogCapture,
  request,
  startPostgresServer,
  startStopwatch,
  testSecret,
} from '@oxbow/testkit'
import pg from 'pg'
import { startTcpProxy } from '../../../packages/testkit/src/tcp-proxy.ts'

test('while PostgreSQL hangs without closing connections, no request waits for long, and service later recovers without a restart', async () => {
  await using postgres = await startPostgresServer({ database: 'oxbow_silent' })
  await using connections = new AsyncDisposableStack()
  const direct = connections.adopt(new pg.Pool(connectionOptions(postgres.url('oxbow_silent'))), (pool) =>
    pool.end(),
  )
  // Asks PostgreSQL directly, so that the stopwatch also runs while the network of the node is cut.
  await using stopwatch = startStopwatch({
    query: async (text, values) => (await direct.query(text, values)).rows,
  })
  await using network = await startTcpProxy(postgres.port)
  const settings = {
    database_url: `postgres://postgres@127.0.0.1:${network.port}/oxbow_silent`,
    secret: testSecret,
    port: '0',
    rate_limit_per_minute: '0',
  }
  const log = new LogCapture()
  const node = await startNode(loadConfig(settings, {}).config, { logTo: log, passwordCost: 'cheap' })
  try {
    const owner = { email: 'owner@garden.example', full_name: 'Olive Owner' }
    const account = await createOrganization(node.app, { name: 'The Garden', subdomain: '', owner })
    const ask = (path: string) => request(node.url, { path, credentials: account })
    const { events, users } = createClient({ url: node.url, credentials: account })
    const { queue_id, last_event_id } = await events.register({
      event_types: ['realm_user'],
      fetch_event_types: [],
    })
    await events.poll({ queue_id, last_event_id, dont_block: true })
    const poll = ask(`/api/v1/events?queue_id=${queue_id}&last_event_id=${last_event_id}`)
    const listening = () =>
      [...node.app.events.log.organizations.values()].some((organization) => organization.listening.size)
    await eventually(listening)

    const started = performance.now()
    const startedMs = stopwatch.elapsedMs()
    network.cut()

    const ended = await poll
    assert.deepEqual([ended.status, ended.body.code], [503, 'SERVICE_UNAVAILABLE'])
    const took = performance.now() - started
    const countedMs = stopwatch.elapsedMs() - startedMs
    assert.ok(took > 2_500 && countedMs < 8_000, `after ${took} ms, ${countedMs} without stalls`)
    for (const path of ['/api/v1/users/me', `/api/v1/events?queue_id=${queue_id}`, '/ready']) {
      const askedMs = stopwatch.elapsedMs()
      const refused = await ask(path)
      assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '5'], path)
      // A request that asked PostgreSQL would wait for five seconds.
      assert.ok(stopwatch.elapsedMs() - askedMs < 4_000, `${path} was not refused at once`)
    }
    assert.equal((await ask('/health')).status, 200)

    network.heal()

    await eventually(async () => (await ask('/ready')).status === 200)
    const again = events.poll({ queue_id, last_event_id })
    await eventually(listening)
    await users.update({ user_id: account.user_id, full_name: 'Olive Gardener' })
    assert.deepEqual(
      (await again).events.map(({ type }) => type),
      ['realm_user'],
    )
  } finally {
    await node.stop()
  }
})
