import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  eventually,
  request,
  startMailServer,
  startNodeProcess,
  startWorld,
  testSecret,
} from '@oxbow/testkit'
import { schedule } from '@oxbow/testkit/calls/scheduled-messages'
import { environmentFor, runOxbow } from './run-oxbow.ts'

const world = await startWorld({ ownServer: true })
after(() => world[Symbol.asyncDispose]())
const mail = await startMailServer()
after(() => mail[Symbol.asyncDispose]())
const environment = environmentFor(world.database.url)
environment.env.OXBOW_SECRET = testSecret

const queueEmail = (kind: string, payload: object) =>
  world.database.query('select graphile_worker.add_job($1, $2::json)', [kind, JSON.stringify(payload)])

interface ListedJob {
  id: string
  kind: string
  failures: number
  next_attempt: string | null
  last_error: string | null
}

const readSent = () => world.database.query("select from message where content = 'Held back.'")

test('paused jobs send nothing until they are resumed, and jobs of one kind can be dropped meanwhile', async () => {
  const iris = await world.person('iris')
  await world.stream('garden', { members: [iris] })
  await schedule(iris, { to: 'garden', content: 'Held back.' })
  for (const node of Object.values(world.nodes)) await node.stop()
  await world.database.query('update server set jobs_held_since = now()')
  await world.database.query('update scheduled_message set attempt_at = now(), deliver_at = now()')
  await queueEmail('mail_password_changed', { to: 'iris@example.com', organization: 'Hill', language: 'en' })
  await queueEmail('mail_email_changed', {
    to: 'otto@example.com',
    new_email: 'o@b.example',
    organization: 'Hill',
  })

  await using node = await startNodeProcess({
    database_url: world.database.url,
    env: { OXBOW_SMTP_URL: mail.url, OXBOW_EXTERNAL_URL: 'http://chat.example.com' },
  })
  await eventually(() => node.output().includes('background jobs are held'))
  assert.deepEqual((await request(node.url, { path: '/ready' })).body, { status: 'ready', jobs: 'held' })
  const { stdout } = await runOxbow(environment, 'jobs', 'status')
  assert.match(
    stdout,
    /^Jobs have been held since .*\n1 scheduled messages and reminders are due\.\nJOB +WAITING/,
  )
  assert.match(stdout, /\nmail_email_changed +1 .*\nmail_password_changed +1 /)
  assert.match(
    (await runOxbow(environment, 'jobs', 'drop', 'mail_email_changed')).stdout,
    /^1 jobs were removed/,
  )
  assert.equal((await runOxbow(environment, 'jobs', 'drop', 'mail_email_changed')).status, 1)
  assert.match(
    (await runOxbow(environment, 'jobs', 'retry', 'mail_password_changed')).stderr,
    /Jobs are held/,
  )
  assert.deepEqual([mail.emails, await readSent()], [[], []])

  assert.equal((await runOxbow(environment, 'jobs', 'resume')).stdout, 'Jobs run again.\n')

  await mail.waitForEmail('iris@example.com')
  await eventually(async () => (await readSent()).length === 1)
  assert.deepEqual((await request(node.url, { path: '/ready' })).body, { status: 'ready' })
  assert.equal((await runOxbow(environment, 'jobs', 'resume')).stdout, 'Jobs were not held.\n')
  const status = JSON.parse((await runOxbow(environment, 'jobs', 'status', '--json')).stdout)
  assert.deepEqual([status.held_since, status.due_messages], [null, 0])
  assert.deepEqual(
    mail.emails.map(({ to }) => to),
    ['iris@example.com'],
  )
})

test('failed jobs are listed with their reason, run at once after a retry, and can be dropped by their ids', async () => {
  const run = (...args: string[]) => runOxbow(environment, 'jobs', ...args)
  const list = async () => {
    const { jobs } = JSON.parse((await run('list', '--json')).stdout)
    return (jobs as ListedJob[]).filter(({ kind }) => kind.startsWith('mail_'))
  }
  mail.isRefusing = true
  const before = mail.emails.length
  const kind = 'mail_password_changed'
  const changed = (to: string) => queueEmail(kind, { to, organization: 'Hill', language: 'en' })
  await changed('otto@example.com')
  await changed('rosa@example.com')
  await using _node = await startNodeProcess({
    database_url: world.database.url,
    env: { OXBOW_SMTP_URL: mail.url, OXBOW_EXTERNAL_URL: 'http://chat.example.com' },
  })
  // Both have failed, and neither begins its next attempt during the test.
  await eventually(async () => {
    const later = `update graphile_worker._private_jobs set run_at = now() + interval '1 day'
      where attempts > 0 and locked_at is null and last_error is not null returning id`
    return (await world.database.query(later)).length === 2
  })

  const [first, second] = await list()
  assert.ok(first && second)
  assert.match(first.last_error ?? '', /the mailbox is full/)
  const { stdout } = await run('list', kind)
  assert.match(stdout, /^ID +JOB +FAILURES +NEXT ATTEMPT +LAST ERROR\n\d+ +mail_password_changed +\d+ +20/)
  // A job that failed too often is listed and can be retried too.
  await world.database.query(
    'update graphile_worker._private_jobs set attempts = max_attempts where id = $1',
    [first.id],
  )
  const refused = await run('retry', first.id, 'mail_of_nobody')
  assert.equal(refused.status, 1)
  assert.match(refused.stderr, /No job with this id or kind is waiting: mail_of_nobody\./)
  assert.equal((await list()).find(({ id }) => id === first.id)?.next_attempt, null)

  assert.equal((await run('drop', second.id)).stdout, '1 jobs were removed.\n')
  mail.isRefusing = false
  assert.equal((await run('retry', first.id)).stdout, '1 jobs run now.\n')

  await mail.waitForEmail('otto@example.com')
  await eventually(async () => (await list()).length === 0)
  assert.deepEqual(
    mail.emails.slice(before).map(({ to }) => to),
    ['otto@example.com'],
  )
  assert.match((await run('list', kind)).stdout, /^No job waits\.$/m)
})
