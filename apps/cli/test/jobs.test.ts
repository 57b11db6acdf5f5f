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
import { schedule } from '../../server/test/scheduled.ts'
import { environmentFor, runOxbow } from './run-oxbow.ts'

const world = await startWorld({ ownServer: true })
after(() => world[Symbol.asyncDispose]())
const mail = await startMailServer()
after(() => mail[Symbol.asyncDispose]())
const environment = environmentFor(world.database.url)
environment.env.OXBOW_SECRET = testSecret

const queueEmail = (kind: string, payload: object) =>
  world.database.query('select graphile_worker.add_job($1, $2::json)', [kind, JSON.stringify(payload)])
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
