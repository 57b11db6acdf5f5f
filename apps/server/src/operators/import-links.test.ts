import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually, startMailServer, startWorld } from '@oxbow/testkit'
import { deleteOldPasswordResets } from '../joining/password-reset/delete-old-resets.ts'
import { findResetByKey, resetPassword } from '../joining/password-reset/reset-password.ts'
import { createImportLinks, mailImportLinks, refuseImportWithoutMail } from './import-links.ts'

const mail = await startMailServer()
after(() => mail[Symbol.asyncDispose]())
const origin = 'https://chat.example'
const world = await startWorld({ config: { smtp_url: mail.url, external_url: origin, mode: 'production' } })
after(() => world[Symbol.asyncDispose]())
const { app } = world.nodes.a
const host = { subdomain: '', origin }
const strong = 'heron lake 77 reeds'
const [iris, otto, gone, hidden] = await world.people('iris', 'otto', 'gone', 'hidden')
const bot = await world.bot('robin', iris)
await world.owner.users.deactivate({ user_id: gone.user_id })
await world.database.query(
  "update user_account set delivery_email = 'user7@imported.invalid' where id = $1",
  [hidden.user_id],
)
await world.database.query("update user_setting set default_language = 'de' where user_id = $1", [
  otto.user_id,
])

const keyIn = (text: string): string =>
  /https:\/\/chat\.example\/accounts\/password\/reset\/([a-z0-9]{24})/.exec(text)?.[1] ?? ''
const isValid = async (key: string) => Boolean(await findResetByKey(app, app.db, { key, subdomain: '' }))
const age = (days: number) =>
  world.database.query('update password_reset set created_at = now() - make_interval(days => $1)', [days])

test('links of an import are mailed to active people, in their language', async () => {
  assert.equal(await mailImportLinks(app, host), 3)

  const english = await mail.waitForEmail(iris.email)
  assert.match(english.text, /has moved to https:\/\/chat\.example\./)
  assert.match(english.text, /valid for 7 days/)
  assert.match((await mail.waitForEmail(otto.email)).text, /gilt 7 Tage lang/)
  await mail.waitForEmail(world.owner.email)
  await eventually(async () => {
    const jobs = await world.database.query(
      `select from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
       where t.identifier = 'mail_import_link'`,
    )
    return jobs.length === 0
  })
  assert.deepEqual(
    mail.emails.filter(
      ({ to }) => [gone.email, hidden.email, bot.email].includes(to) || to.includes('invalid'),
    ),
    [],
  )
})

test('an import link is valid for a week, even after old reset requests were deleted, and works once', async () => {
  const key = keyIn((await mail.waitForEmail(iris.email)).text)
  await age(6)
  await deleteOldPasswordResets.run(app, {})
  assert.ok(await isValid(key))
  await age(8)
  assert.ok(!(await isValid(key)))
  await age(6)

  const set = () => resetPassword(app, { key, subdomain: '' }, { password: strong, language: 'en' })
  assert.equal(await set(), 'done')
  assert.equal(await set(), 'gone')

  await age(8)
  await deleteOldPasswordResets.run(app, {})
  assert.deepEqual(await world.database.query('select from password_reset'), [])
})

test('printed links of an import are valid for a week', async () => {
  const links = new Map<string, string>()
  for await (const { email, link } of createImportLinks(app, host)) links.set(email, keyIn(link))
  assert.deepEqual([...links.keys()].sort(), [iris.email, otto.email, world.owner.email].sort())
  const key = links.get(otto.email) ?? ''
  await age(6)
  assert.ok(await isValid(key))
  await age(8)
  assert.ok(!(await isValid(key)))
})

test('import links are refused if people cannot set a password, and mailing them if there is no mail server', async () => {
  await world.database.query('update organization set deactivated_at = now()')
  await assert.rejects(mailImportLinks(app, host), /was imported, but there are no links/)
  await world.database.query('update organization set deactivated_at = null')
  for (const missing of ['smtp_url', 'external_url'] as const)
    assert.throws(
      () => refuseImportWithoutMail({ config: { ...app.config, [missing]: undefined } }),
      /cannot send e-mail.* Nothing was imported/,
    )
})
