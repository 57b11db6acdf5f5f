import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually, startMailServer, startWorld } from '@oxbow/testkit'
import { sendMail } from '../../mail/mail.ts'
import { mailText } from '../../mail/mail-text.ts'
import { readDatabaseFigures } from './database-figures.ts'

const mail = await startMailServer()
after(() => mail[Symbol.asyncDispose]())
const world = await startWorld({
  ownServer: true,
  monitorMs: 100,
  config: { smtp_url: mail.url, external_url: 'http://localhost' },
})
after(() => world[Symbol.asyncDispose]())
const { app, url } = world.nodes.a

/** A job that sends e-mail and that no node of this test runs. */
const kind = 'mail_of_another_release'
/** Changes the job as graphile-worker would. */
const changeJob = (changes: string) =>
  world.database.query(
    `update graphile_worker._private_jobs set ${changes}
     where task_id = (select id from graphile_worker._private_tasks where identifier = $1)`,
    [kind],
  )
const readState = async () => {
  const { components } = (await (await fetch(`${url}/status`)).json()) as {
    components: { mail?: { state: string } }
  }
  return components.mail?.state
}

test('an e-mail on its first attempt is not failing', async () => {
  await world.database.query('select graphile_worker.add_job($1)', [kind])
  await changeJob('attempts = 1, locked_at = now()')
  const { jobs } = await readDatabaseFigures(app.db)
  assert.equal(jobs.find((counted) => counted.kind === kind)?.retrying, 0)
})

test('mail is degraded while an e-mail fails, until the node sends another one', async () => {
  await changeJob("last_error = 'no such user', locked_at = null")
  await eventually(async () => (await readState()) === 'degraded')
  await sendMail(app, { to: 'mia@garden.example', subject: mailText`Roses`, text: mailText`Pruned.` })
  await eventually(async () => (await readState()) === 'working')
})
