import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createOrganization, loadConfig, startNode } from '@oxbow/server'
import { eventually, LogCapture, request, startPostgresServer, testSecret } from '@oxbow/testkit'
import { sql } from 'kysely'

test('a node on a demoted primary is not ready, logs every reason once, and recovers after the promotion', async () => {
  await using postgres = await startPostgresServer({ database: 'oxbow_demoted' })
  const log = new LogCapture()
  const { config } = loadConfig(
    {
      database_url: postgres.url('oxbow_demoted'),
      secret: testSecret,
      port: '0',
      rate_limit_per_minute: '0',
      log_level: 'debug',
    },
    {},
  )
  const node = await startNode(config, { logTo: log, passwordCost: 'cheap', checked: true })
  try {
    const owner = { email: 'owner@garden.example', full_name: 'Olive Owner' }
    const credentials = await createOrganization(node.app, { name: 'The Garden', subdomain: '', owner })
    const { rows } = await sql<{
      directory: string
    }>`select current_setting('data_directory') as directory`.execute(node.app.db)
    const signal = join(rows[0]?.directory ?? '', 'standby.signal')
    const rename = (full_name: string) =>
      request(node.url, { method: 'PATCH', path: '/api/v1/settings', credentials, form: { full_name } })

    writeFileSync(signal, '')
    await postgres.restart()

    const { body } = await eventually(async () => {
      const response = await request(node.url, { path: '/ready' })
      return response.status === 503 && /standby/.test(String(response.body.reason)) && response
    })
    assert.deepEqual(body, {
      status: 'not ready',
      reason: 'PostgreSQL is a standby, which cannot be written to',
    })
    assert.equal((await rename('Olive First')).status, 503)
    await eventually(() => node.app.events.log.isCutOff)
    assert.deepEqual((await request(node.url, { path: '/ready' })).body, body, 'after five seconds')
    postgres.kill()
    await eventually(async () => {
      const { body: later } = await request(node.url, { path: '/ready' })
      return later.reason === 'PostgreSQL has not answered for more than five seconds'
    })
    postgres.start()
    await eventually(async () => {
      const { body: later } = await request(node.url, { path: '/ready' })
      return later.reason === body.reason
    })
    const isStandby = ({ err }: Record<string, unknown>) =>
      (err as { code?: string } | undefined)?.code === '25006'
    await eventually(() => log.entries(10).filter(isStandby).length >= 6)
    const warnings = Map.groupBy(log.entries(40).filter(isStandby), ({ msg }) => msg)
    for (const [msg, lines] of warnings) assert.ok(lines.length <= 2, `${lines.length} times: ${msg}`)

    rmSync(signal)
    await postgres.restart()

    await eventually(async () => (await request(node.url, { path: '/ready' })).status === 200)
    await eventually(async () => (await rename('Olive Second')).status === 200)
    await eventually(() => node.app.events.leads)
  } finally {
    await node.stop()
  }
})
