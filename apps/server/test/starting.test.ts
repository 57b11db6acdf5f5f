import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
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
import type { Feature } from '../src/feature.ts'
import { features } from '../src/features.ts'

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

test('a node that fails when it already listens stops everything that it started', async () => {
  await using database = await createTestDatabase()
  const port = await freePort()
  const { config } = loadConfig({ database_url: database.url, secret: testSecret, port: String(port) }, {})
  const stopped: string[] = []
  const parts = features as Feature[]
  /** Returns whether the kernel has a socket that listens (state 0A) at the port. */
  const isListening = () => {
    const address = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`
    return readFileSync('/proc/self/net/tcp', 'utf8').includes(`${address} 00000000:0000 0A`)
  }
  let listenedAtFailure = false
  parts.push(
    { start: () => ({ stop: async () => void stopped.push('an earlier feature') }) },
    {
      start() {
        listenedAtFailure = isListening()
        throw new Error('this feature cannot start')
      },
    },
  )

  try {
    await assert.rejects(startNode(config, { logTo: new LogCapture() }), /this feature cannot start/)
  } finally {
    parts.splice(-2)
  }

  assert.deepEqual([listenedAtFailure, isListening()], [true, false])
  assert.deepEqual(stopped, ['an earlier feature'])
  assert.deepEqual(await database.query('select from node_secret'), [])
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
