import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { loadConfig, startNode } from '@oxbow/server'
import {
  createTestDatabase,
  eventually,
  freePort,
  LogCapture,
  launchNodeProcess,
  request,
  startPostgresServer,
  testSecret,
} from '@oxbow/testkit'

test('a node that cannot listen never becomes the sequencer', async () => {
  await using database = await createTestDatabase()
  const occupied = createServer()
  await new Promise<void>((resolve) => occupied.listen(0, '127.0.0.1', resolve))
  const { port } = occupied.address() as { port: number }
  const log = new LogCapture()
  const { config } = loadConfig(
    { database_url: database.url, secret: testSecret, port: String(port), log_level: 'debug' },
    {},
  )

  await assert.rejects(startNode(config, { logTo: log }), /Port \d+ of 127\.0\.0\.1 is in use/)

  occupied.close()
  assert.doesNotMatch(log.text, /this node is the sequencer now/)
  await eventually(async () => {
    const sessions = await database.query(
      `select from pg_stat_activity where datname = current_database() and application_name like 'oxbow %'`,
    )
    return sessions.length === 0
  })
})

test('a node that is started before PostgreSQL waits for PostgreSQL', async () => {
  await using postgres = await startPostgresServer()
  postgres.kill()
  await using node = await launchNodeProcess({ database_url: postgres.url('oxbow_late') })
  await eventually(() => /PostgreSQL cannot be reached yet/.test(node.output()))

  postgres.start()

  await eventually(async () => {
    assert.equal(node.hasExited(), false, node.output())
    const response = await request(node.url, { path: '/ready' }).catch(() => undefined)
    return response?.status === 200
  })
})

test('a node stops waiting for PostgreSQL after a while, and names the address it tried', async () => {
  const port = await freePort()
  const database_url = `postgres://someone:sesame@127.0.0.1:${port}/oxbow`
  const { config } = loadConfig({ database_url, secret: testSecret }, {})

  await assert.rejects(
    startNode(config, { logTo: new LogCapture(), waitForDatabaseMs: 600 }),
    (error: Error) => {
      assert.match(error.message, /PostgreSQL cannot be used as someone on 127\.0\.0\.1:\d+, database oxbow/)
      assert.match(error.message, /waited/)
      assert.doesNotMatch(error.message, /sesame/)
      return true
    },
  )
})
