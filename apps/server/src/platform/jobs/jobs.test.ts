import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import {
  createTestDatabase,
  eventually,
  startDatabaseProxy,
  startMailServer,
  startNodeProcess,
  startWorld,
} from '@oxbow/testkit'
import { openDatabase } from '../database/database.ts'
import { enqueue, job, longJobs, startJobs } from './jobs.ts'

// An unhandled rejection would fail this file, as it would end a node.
test('jobs run again if PostgreSQL was unavailable when they ended, whether they succeeded or failed', async () => {
  await using world = await startWorld({ ownServer: true })
  const { app } = world.nodes.a
  await using proxy = await startDatabaseProxy(app.config.database_url)
  const { pool, close } = openDatabase({ ...app.config, database_url: proxy.url }, () => {})
  const finished: string[] = []
  const outage = job<{ fails: boolean }>({
    name: 'outage_at_its_end',
    async run(_, { fails }) {
      proxy.close()
      finished.push(fails ? 'failed' : 'succeeded')
      if (fails) throw new Error('deliberate')
    },
  })
  const nextJob = job<object>({ name: 'after_the_outage', run: async () => void finished.push('afterwards') })
  const runner = startJobs(app, pool, [outage, nextJob])
  try {
    for (const fails of [false, true]) {
      await app.db.transaction().execute((tx) => enqueue(tx, outage, { fails }))
      await eventually(() => finished.length === 1)
      proxy.heal()
      await app.db.transaction().execute((tx) => enqueue(tx, nextJob, {}))
      await eventually(() => finished.includes('afterwards'))
      assert.equal(finished[0], fails ? 'failed' : 'succeeded')
      finished.length = 0
    }
  } finally {
    await runner.stop()
    await close()
  }
})

test('jobs of one queue run one after another, also those of different kinds, and others run meanwhile', async () => {
  await using world = await startWorld({ ownServer: true })
  const { app } = world.nodes.a
  const { pool, close } = openDatabase(app.config, () => {})
  const ended: string[] = []
  let running = 0
  let maxRunning = 0
  const first = Promise.withResolvers<void>()
  const slow = (name: string) =>
    job<object>({
      name,
      queue: longJobs,
      async run() {
        maxRunning = Math.max(maxRunning, ++running)
        await first.promise
        running--
        ended.push(name)
      },
    })
  const quick = job<object>({ name: 'quick', run: async () => void ended.push('quick') })
  const [one, two] = [slow('slow_one'), slow('slow_two')]
  const runner = startJobs(app, pool, [one, two, quick])
  try {
    for (const each of [one, two, one, quick])
      await app.db.transaction().execute((tx) => enqueue(tx, each, {}))
    await eventually(() => ended.includes('quick'))
    assert.deepEqual(ended, ['quick'])
    first.resolve()
    await eventually(() => ended.length === 4)
    assert.equal(maxRunning, 1)
  } finally {
    first.resolve()
    await runner.stop()
    await close()
  }
})

test('the job of a killed node runs on another node, and jobs of running nodes are not run again', async () => {
  await using database = await createTestDatabase()
  await using mail = await startMailServer()
  // Accepts connections but never sends a greeting, so that sending an e-mail takes long.
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const nodeWith = (smtpUrl: string) =>
    startNodeProcess({
      database_url: database.url,
      env: { OXBOW_SMTP_URL: smtpUrl, OXBOW_EXTERNAL_URL: 'http://chat.example.com' },
    })
  try {
    await using first = await nodeWith(`smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`)
    const payload = JSON.stringify({ to: 'iris@example.com', organization: 'Hill', language: 'en' })
    await database.query(`select graphile_worker.add_job('mail_password_changed', $1::json)`, [payload])
    const [runner] = await eventually(async () => {
      const locked = await database.query<{ locked_by: string }>(
        // A node whose row is missing would never be regarded as dead.
        'select locked_by from graphile_worker.jobs join job_runner on job_runner.id = locked_by',
      )
      return locked.length > 0 && locked.map(({ locked_by }) => locked_by)
    })
    await database.query(
      `insert into job_runner values ('pool-living', now()), ('pool-dead', now() - interval '2 minutes')`,
    )
    first.signal('SIGKILL')
    await first.exited
    await database.query(`update job_runner set seen_at = seen_at - interval '1 minute' where id = $1`, [
      runner,
    ])

    await using _second = await nodeWith(mail.url)

    await eventually(() => mail.emails.some(({ to }) => to === 'iris@example.com'), 90_000)
    const runners = await database.query<{ id: string }>('select id from job_runner')
    const ids = runners.map(({ id }) => id)
    assert.ok(ids.includes('pool-living') && !ids.includes('pool-dead') && ids.length === 2, ids.join())
  } finally {
    silent.close()
  }
})
