import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually, startTcpProxy, startWorld } from '@oxbow/testkit'
import { openDatabase } from './database/database.ts'
import { enqueue, job, startJobs } from './jobs.ts'

// A rejection that nothing handles would fail this file, as it would end a node.
test('jobs run again after PostgreSQL was away when a job ended, whether it succeeded or failed', async () => {
  await using world = await startWorld({ ownServer: true })
  const { app } = world.nodes.a
  const target = new URL(app.config.database_url)
  await using proxy = await startTcpProxy(Number(target.port || 5432))
  const database_url = Object.assign(new URL(target), {
    hostname: '127.0.0.1',
    port: String(proxy.port),
  }).href
  const { pool, close } = openDatabase({ ...app.config, database_url }, () => {})
  const finished: string[] = []
  const outage = job<{ fails: boolean }>({
    name: 'outage_at_its_end',
    async run(_, { fails }) {
      proxy.close()
      finished.push(fails ? 'failed' : 'succeeded')
      if (fails) throw new Error('deliberate')
    },
  })
  const calm = job<object>({ name: 'after_the_outage', run: async () => void finished.push('afterwards') })
  const runner = startJobs(app, pool, [outage, calm])
  try {
    for (const fails of [false, true]) {
      await app.db.transaction().execute((tx) => enqueue(tx, outage, { fails }))
      await eventually(() => finished.length === 1)
      proxy.heal()
      await app.db.transaction().execute((tx) => enqueue(tx, calm, {}))
      await eventually(() => finished.includes('afterwards'))
      assert.equal(finished[0], fails ? 'failed' : 'succeeded')
      finished.length = 0
    }
  } finally {
    await runner.stop()
    await close()
  }
})
