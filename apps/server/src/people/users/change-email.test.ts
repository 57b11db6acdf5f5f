import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createClient } from '@oxbow/sdk'
import { type Person, request, signIn, startMailServer, startWorld } from '@oxbow/testkit'
import { deleteOldEmailChanges } from './change-email.ts'

const mail = await startMailServer()
after(() => mail[Symbol.asyncDispose]())
const { emails, waitForEmail } = mail
const world = await startWorld({ config: { smtp_url: mail.url, external_url: 'http://localhost' } })
after(() => world[Symbol.asyncDispose]())

const started = { account_email: 'Check your email for a confirmation link. ' }
const refusal = (msg: string) => ({ status: 400, body: { result: 'error', code: 'BAD_REQUEST', msg } })

/** Returns the path of the link in the e-mail to this address. */
async function linkTo(address: string): Promise<string> {
  const { text } = await waitForEmail(address)
  const [, path = ''] = /http:\/\/[^/\s]+(\/accounts\/confirm_new_email\/[a-z0-9]{24})\s/.exec(text) ?? []
  assert.notEqual(path, '', text)
  return path
}

const open = (path: string, method = 'GET') =>
  request(world.nodes.b.url, { path, method, headers: { 'sec-fetch-site': 'same-origin' } })
const addressOf = async (person: Person) =>
  (await world.owner.users.get({ user_id: person.user_id })).user.email

test('opening the confirmation link shows a button, which changes the address', async () => {
  const iris = await world.person('iris')

  assert.deepEqual(await iris.users.updateSettings({ email: ' Iris.New@Elsewhere.EXAMPLE ' }), started)
  const address = 'Iris.New@elsewhere.example'
  const path = await linkTo(address)

  assert.equal(await addressOf(iris), iris.email)
  const page = await open(path)
  assert.equal(page.status, 200)
  assert.match(page.text, /<form [^>]*method="post">/)
  assert.equal(await addressOf(iris), iris.email)

  const confirmed = await open(path, 'POST')
  assert.equal(confirmed.status, 200)
  assert.ok(confirmed.text.includes(address))
  await world.settled()
  assert.equal(await addressOf(iris), address)
  await assert.rejects(iris.users.me(), { status: 401, message: 'Invalid API key' })
  const renamed = createClient({
    url: world.nodes.a.url,
    credentials: { email: address, api_key: iris.api_key },
  })
  assert.equal((await renamed.users.me()).user_id, iris.user_id)
  await world.anonymous().authentication.fetchApiKey({ username: address, password: iris.password })
})

test('a confirmation link works only once', async () => {
  const otto = await world.person('otto')
  await otto.users.updateSettings({ email: 'otto2@garden.example' })
  const path = await linkTo('otto2@garden.example')
  await open(path, 'POST')
  await world.database.query(
    "update user_account set delivery_email = 'otto3@garden.example' where id = $1",
    [otto.user_id],
  )

  const again = await open(path, 'POST')

  assert.equal(again.status, 404)
  assert.match(again.headers.get('content-type') ?? '', /text\/html/)
  assert.equal(await addressOf(otto), 'otto3@garden.example')
})

test('a confirmation link expires after one day', async () => {
  const mia = await world.person('mia')
  await mia.users.updateSettings({ email: 'mia2@garden.example' })
  const path = await linkTo('mia2@garden.example')
  const age = (interval: string) =>
    world.database.query('update email_change set created_at = now() - $1::interval', [interval])

  await age('1 day 1 second')
  assert.equal((await open(path, 'POST')).status, 404)
  assert.equal(await addressOf(mia), mia.email)
  await age('23 hours 59 minutes')
  assert.equal((await open(path, 'POST')).status, 200)

  assert.equal(await addressOf(mia), 'mia2@garden.example')
})

test('confirming an address that another account took in the meantime is refused', async () => {
  const rosa = await world.person('rosa')
  await rosa.users.updateSettings({ email: 'wanted@garden.example' })
  const path = await linkTo('wanted@garden.example')
  const taker = await world.person('wanted')

  const response = await open(path, 'POST')

  assert.equal(response.status, 404)
  assert.deepEqual([await addressOf(rosa), await addressOf(taker)], [rosa.email, 'wanted@garden.example'])
})

test('an unknown confirmation key changes nothing', async () => {
  assert.equal((await open(`/accounts/confirm_new_email/${'a'.repeat(24)}`, 'POST')).status, 404)
})

test('neither the table nor the log contains the confirmation key', async () => {
  const lena = await world.person('lena')
  await lena.users.updateSettings({ email: 'lena2@garden.example' })
  const key = (await linkTo('lena2@garden.example')).split('/').at(-1) as string

  const rows = await world.database.query('select to_jsonb(email_change) as row from email_change')

  assert.ok(!JSON.stringify(rows).includes(key))
  assert.ok(!world.log.text.includes(key))
})

test('new addresses that are not allowed or taken are refused', async () => {
  const [tom, gone] = await world.people('tom', 'gone')
  await world.owner.users.deactivate({ user_id: gone.user_id })
  const cases: [email: string, msg: string][] = [
    ['no address', 'Invalid address.'],
    ['tom@garden', 'Invalid address.'],
    ['x@mailinator.com', 'Please use your real email address.'],
    ['OWNER@root.example', 'Already has an account.'],
    [gone.email, 'Account has been deactivated.'],
  ]
  const sent = emails.length
  for (const [email, msg] of cases) await assert.rejects(tom.users.updateSettings({ email }), refusal(msg))

  await world.database.query('update organization set emails_restricted_to_domains = true')
  await world.database.query("insert into organization_domain values ($1, 'garden.example', false)", [
    world.organization_id,
  ])
  for (const [email, msg] of [
    ['tom@elsewhere.example', 'Outside your domain.'],
    ['tom+x@garden.example', 'Email addresses containing + are not allowed.'],
  ] as const)
    await assert.rejects(tom.users.updateSettings({ email }), refusal(msg))
  assert.deepEqual(await tom.users.updateSettings({ email: 'tom2@garden.example' }), started)
  await world.database.query('update organization set emails_restricted_to_domains = false')
  await waitForEmail('tom2@garden.example')
  assert.equal(emails.length, sent + 1)
})

test('only administrators can change their address while changes are disabled', async () => {
  const [ben, ada] = [await world.person('ben'), await world.person('ada', 'administrator')]
  await world.database.query('update organization set email_changes_disabled = true')
  const disabled = refusal('Email address changes are disabled in this organization.')

  for (const email of ['ben2@garden.example', 'no address'])
    await assert.rejects(ben.users.updateSettings({ email }), disabled)
  assert.deepEqual(await ada.users.updateSettings({ email: 'ada2@garden.example' }), started)
  assert.deepEqual(await ben.users.updateSettings({ email: ben.email, full_name: 'Ben Berg' }), {
    full_name: 'Ben Berg',
  })

  await world.database.query('update organization set email_changes_disabled = false')
})

test('a request with name and address changes the name at once', async () => {
  const uma = await world.person('uma')

  const response = await uma.users.updateSettings({ email: 'uma2@garden.example', full_name: 'Uma Berg' })

  assert.deepEqual(response, { ...started, full_name: 'Uma Berg' })
  const me = await uma.users.me()
  assert.deepEqual([me.email, me.full_name], [uma.email, 'Uma Berg'])
})

test('changing an address only in upper and lower case has no effect', async () => {
  const ivo = await world.person('ivo')

  assert.deepEqual(await ivo.users.updateSettings({ email: 'IVO@Garden.example' }), {})

  assert.equal(await addressOf(ivo), ivo.email)
})

test('rows of expired links are deleted', async () => {
  await world.database.query('delete from email_change')
  const [old, young] = await world.people('old', 'young')
  await old.users.updateSettings({ email: 'old2@garden.example' })
  await young.users.updateSettings({ email: 'young2@garden.example' })
  await world.database.query(
    "update email_change set created_at = now() - interval '25 hours' where user_id = $1",
    [old.user_id],
  )

  await deleteOldEmailChanges.run(world.nodes.a.app, {})

  const pendingChanges = await world.database.query('select new_email from email_change')
  assert.deepEqual(pendingChanges, [{ new_email: 'young2@garden.example' }])
})

test('changing the address is refused on a server without mail', async () => {
  await using quiet = await startWorld()

  await assert.rejects(
    quiet.owner.users.updateSettings({ email: 'olive@garden.example' }),
    refusal('This server cannot send e-mail yet; ask its administrator to set OXBOW_SMTP_URL.'),
  )
})

test('a request with a session can change the address only with the password', async () => {
  const person = await world.person('unattended')
  const session = await signIn(world, person)
  const email = 'thief@elsewhere.example'
  const { rejects } = assert

  await rejects(session.users.updateSettings({ email }), { message: 'Wrong password!' })
  await rejects(session.users.updateSettings({ email, old_password: 'x' }), { message: 'Wrong password!' })
  assert.ok(!emails.some(({ to }) => to === email))
  const { password: old_password } = person
  assert.deepEqual(await session.users.updateSettings({ email, old_password }), started)
  await linkTo(email)
  const params = { email: 'both@elsewhere.example', old_password, new_password: 'plum tree 52 garden' }
  assert.deepEqual(await session.users.updateSettings(params), started)
  assert.deepEqual(await session.users.updateSettings({ email: person.email, full_name: 'Una Tended' }), {
    full_name: 'Una Tended',
  })
})
