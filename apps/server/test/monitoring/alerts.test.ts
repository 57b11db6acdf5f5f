import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { eventually, isInstalled, mountSmallDisk, request, startPostgresServer } from '@oxbow/testkit'
import { nextWeek } from '@oxbow/testkit/calls/scheduled-messages'
import { withSession } from '@oxbow/testkit/garden/database-dump'
import { watchAlerts } from '@oxbow/testkit/monitoring/watch-alerts'
import { bySize } from '@oxbow/testkit/size'
import pg from 'pg'
import { connectionOptions } from '../../src/platform/database/database.ts'
import { startWatchedServer } from './watched-server.ts'

// These alerts are fired by faults in other files: OxbowBackupMissing, OxbowNodeDown, OxbowJobsLate and
// OxbowJobsHeld in queries.test.ts, OxbowEventLoopSlow and OxbowProcessCrashes in the tests of the command line.

const isMissing = !isInstalled('prometheus') || !isInstalled('prometheus-alertmanager')
const skip = isMissing
  ? 'needs Prometheus: apt-get install prometheus prometheus-alertmanager'
  : bySize<string | false>({ gate: 'runs in the long lane: each fault takes about a minute', long: false })

/** Everything that the tests use. They share it and run one after the other. */
async function start() {
  await using starting = new AsyncDisposableStack()
  const disk = mountSmallDisk(4)
  if (disk) starting.use(disk)
  const postgres = starting.use(await startPostgresServer({ database: 'oxbow' }))
  const server = starting.use(
    await startWatchedServer({
      database_url: postgres.url('oxbow'),
      // The server of the test removes its directory at the end, and a mounted one cannot be removed.
      ...(disk && { files_dir: join(disk.directory, 'files') }),
      config: { events_log_limit_mb: 4 },
    }),
  )
  const alerts = starting.use(await watchAlerts(server.targets))
  const owned = starting.move()
  return { disk, postgres, server, alerts, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

const started = skip === false ? await start() : undefined
after(() => started?.[Symbol.asyncDispose]())
const given = (): NonNullable<typeof started> => {
  assert.ok(started)
  return started
}

/** Repeats `step` until `done` is settled, and rejects if `done` does. */
async function repeatUntil(done: Promise<unknown>, step: () => Promise<unknown>): Promise<void> {
  let isSettled = false
  const settled = done.finally(() => {
    isSettled = true
  })
  while (!isSettled) {
    await step().catch(() => {})
    await setTimeout(50)
  }
  await settled
}

/** Opens a session of another program, in a transaction that holds a lock. */
async function holdLock(statement: string) {
  const client = new pg.Client(connectionOptions(given().postgres.url('oxbow')))
  await client.connect()
  await client.query('begin')
  await client.query(statement)
  return { [Symbol.asyncDispose]: () => client.end() }
}

test('a standby that does not replay fires OxbowStandbyLate until it has caught up, and OxbowStandbyMissing when it is gone', {
  skip,
}, async () => {
  const { postgres, alerts } = given()
  {
    await using standby = await postgres.startStandby()
    const control = (name: string) =>
      withSession(standby.url('postgres'), (client) => client.query(`select pg_wal_replay_${name}()`))
    await eventually(
      async () => (await alerts.prometheus.query('oxbow_database_standbys == 1')).length > 0,
      60_000,
    )

    await control('pause')
    // The limit of the rule is a minute.
    await alerts.waitForFiring('OxbowStandbyLate')
    await control('resume')

    await alerts.waitForResolved('OxbowStandbyLate')
  }
  await alerts.waitForFiring('OxbowStandbyMissing')
})

test('a stopped PostgreSQL fires OxbowDatabaseDown, OxbowRequestsFail and OxbowSequencerMissing until it runs again', {
  skip,
}, async () => {
  const { postgres, server, alerts } = given()
  const names = ['OxbowDatabaseDown', 'OxbowRequestsFail', 'OxbowSequencerMissing']

  postgres.kill()
  await repeatUntil(alerts.waitForFiring(...names), () => server.call('GET', '/users/me'))
  postgres.start()

  await alerts.waitForResolved(...names)
  assert.equal((await server.call('GET', '/users/me')).status, 200)
})

test('a lock of another program fires OxbowNoConnectionFree until the program releases it', {
  skip,
}, async () => {
  const { server, alerts } = given()
  {
    await using _lock = await holdLock('lock table message')
    // A pool has five connections.
    await repeatUntil(alerts.waitForFiring('OxbowNoConnectionFree'), () =>
      Promise.all(Array.from({ length: 12 }, () => server.send('Waiting.'))),
    )
  }

  await alerts.waitForResolved('OxbowNoConnectionFree')
})

test('a lock on the event log fires OxbowEventsLate, and OxbowDeliverySlow when the late message arrives', {
  skip,
}, async () => {
  const { server, alerts } = given()
  let delivery: Promise<void>
  {
    await using _lock = await holdLock('select from event_head for update')
    delivery = server.deliver('Late.')
    await Promise.race([alerts.waitForFiring('OxbowEventsLate'), delivery])
  }

  await delivery
  await alerts.waitForFiring('OxbowDeliverySlow')
  await alerts.waitForResolved('OxbowEventsLate', 'OxbowDeliverySlow')
})

test('a mail server that refuses e-mails fires OxbowMailFails and OxbowJobsFail until it accepts them', {
  skip,
}, async () => {
  const { server, alerts } = given()
  const { body } = await server.call('GET', '/streams')
  const [stream] = body.streams as { stream_id: number }[]
  const invite = async (count: number) => {
    const emails = Array.from({ length: count }, () => `guest-${crypto.randomUUID()}@elsewhere.example`)
    const form = { invitee_emails: emails.join(','), stream_ids: JSON.stringify([stream?.stream_id]) }
    const { status, text } = await server.call('POST', '/invites', form)
    assert.equal(status, 200, text)
  }
  server.mail.isRefusing = true

  // The nodes share the jobs, and the limit of the rule is three failures on a node.
  await invite(20)
  await alerts.waitForFiring('OxbowMailFails', 'OxbowJobsFail')
  server.mail.isRefusing = false
  await invite(1)

  await alerts.waitForResolved('OxbowMailFails', 'OxbowJobsFail')
  // The e-mails that failed are sent at their next attempt.
  await eventually(() => server.mail.emails.length === 21, 180_000)
})

test('held jobs fire OxbowScheduledMessagesLate until they are resumed and the message is sent', {
  skip,
}, async () => {
  const { server, postgres, alerts } = given()
  const query = (text: string) =>
    withSession(postgres.url('oxbow'), (client) => client.query<{ content: string }>(text))
  const { status, text } = await server.call('POST', '/scheduled_messages', {
    type: 'private',
    to: JSON.stringify([server.owner.email]),
    content: 'Scheduled.',
    scheduled_delivery_timestamp: String(nextWeek()),
  })
  assert.equal(status, 200, text)

  await query('update server set jobs_held_since = now()')
  // In place of a wait of two minutes, which is the limit of the rule.
  await query("update scheduled_message set attempt_at = now() - interval '3 minutes'")
  await alerts.waitForFiring('OxbowScheduledMessagesLate')
  await query('update server set jobs_held_since = null')

  await alerts.waitForResolved('OxbowScheduledMessagesLate')
  const { rowCount } = await query("select from message where content = 'Scheduled.'")
  assert.equal(rowCount, 1)
})

test('a full disk fires OxbowFilesFail and OxbowDiskNearlyFull until there is space', {
  skip,
}, async (t) => {
  const { disk, server, alerts } = given()
  if (!disk) return t.skip('needs the right to mount a file system')
  const upload = () =>
    request(server.nodes.a.url, {
      method: 'POST',
      path: '/api/v1/user_uploads',
      credentials: server.owner,
      headers: { host: 'chat.example' },
      files: { 'notes.txt': Buffer.from('Water the roses.') },
    })
  assert.equal((await upload()).status, 200)

  disk.fill()
  await repeatUntil(alerts.waitForFiring('OxbowFilesFail', 'OxbowDiskNearlyFull'), upload)
  disk.free()

  assert.equal((await upload()).status, 200)
  await alerts.waitForResolved('OxbowFilesFail', 'OxbowDiskNearlyFull')
})

test('a script that ignores the rate limit fires OxbowRequestsRefused until it stops', { skip }, async () => {
  const { server, alerts } = given()
  await server.restart('b', { rate_limit_per_minute: 60 })
  const ask = () =>
    request(server.nodes.b.url, {
      path: '/api/v1/users/me',
      credentials: server.owner,
      headers: { host: 'chat.example' },
    })

  await repeatUntil(alerts.waitForFiring('OxbowRequestsRefused'), () =>
    Promise.all(Array.from({ length: 4 }, ask)),
  )

  await alerts.waitForResolved('OxbowRequestsRefused')
})

test('many large events fire OxbowEventLogNearlyFull until the limit of the log is raised', {
  skip,
}, async () => {
  const { server, alerts } = given()
  const content = () => Array.from({ length: 220 }, () => crypto.randomUUID()).join(' ')

  await repeatUntil(alerts.waitForFiring('OxbowEventLogNearlyFull'), () => server.send(content()))
  for (const name of ['a', 'b'] as const) await server.restart(name, { events_log_limit_mb: 1_024 })

  await alerts.waitForResolved('OxbowEventLogNearlyFull')
})
