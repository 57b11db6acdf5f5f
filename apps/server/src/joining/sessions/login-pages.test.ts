import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually, fetchAt, request, signIn, startMailServer, startWorld } from '@oxbow/testkit'
import { setOrganizationRules } from '@oxbow/testkit/calls/organization'
import { mailOrganizations } from '../../organization/finder/organizations-email.ts'

const mail = await startMailServer()
after(() => mail[Symbol.asyncDispose]())
const host = 'chat.example'
const world = await startWorld({ config: { external_url: `https://${host}`, smtp_url: mail.url } })
after(() => world[Symbol.asyncDispose]())
const iris = await world.person('iris')

const own = { 'sec-fetch-site': 'same-origin' }

interface Visit {
  form?: Record<string, string>
  headers?: Record<string, string>
  at?: string
}

/** Opens a page, or submits its form, as a browser does. */
async function visit(path: string, { form, headers = own, at = host }: Visit = {}) {
  const response = await fetchAt(at)(`${world.nodes.b.url}${path}`, {
    method: form ? 'POST' : 'GET',
    headers: { accept: 'text/html', ...headers },
    redirect: 'manual',
    ...(form && { body: new URLSearchParams(form) }),
  })
  const { status, headers: found } = response
  return { status, headers: found, text: await response.text(), location: found.get('location') }
}

const submitLogin = (username: string, password: string, more: Record<string, string> = {}) =>
  visit('/login', { form: { username, password, ...more } })

test('the sign-in form sets a session cookie that is bound to the host', async () => {
  const { status, location, headers } = await submitLogin(iris.email, iris.password)
  assert.deepEqual([status, location], [303, '/'])
  assert.match(
    headers.getSetCookie()[0] ?? '',
    /^__Host-oxbow=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
  )
  const trusted = await submitLogin(iris.email, iris.password, { is_trusted: 'on' })
  assert.match(trusted.headers.get('set-cookie') ?? '', /Max-Age=31536000$/)
})

test('parameters in the URL of the sign-in form are ignored', async () => {
  const { email: username, password } = iris
  const signedIn = await visit('/login?is_trusted=1', { form: { username, password } })
  assert.equal(signedIn.status, 303)
  assert.doesNotMatch(signedIn.headers.get('set-cookie') ?? '', /Max-Age/)
  const query = new URLSearchParams({ username, password })
  const empty = await visit(`/login?${query}`, { form: {} })
  assert.deepEqual([empty.status, empty.headers.get('set-cookie')], [403, null])
  await world.database.query('delete from sign_in_failure')
})

test('the sign-in form is shown to a person who is signed in only if it was opened for another account', async () => {
  const { headers } = await submitLogin(iris.email, iris.password)
  const [cookie = ''] = (headers.getSetCookie()[0] ?? '').split(';')
  const signedIn = { ...own, cookie }

  assert.equal((await visit('/login', { headers: signedIn })).location, '/')
  const shown = await visit('/login?other_account', { headers: signedIn })
  assert.deepEqual([shown.status, shown.location], [200, null])
  assert.match(shown.text, /Another account is signed in in this browser/)
  const otto = await world.person('otto')
  const form = { username: otto.email, password: otto.password }
  assert.equal((await visit('/login?other_account', { form, headers: signedIn })).location, '/')
  assert.equal((await visit('/login', { headers: signedIn })).location, null, 'the first session has ended')
})

test('unknown addresses, wrong passwords and malformed addresses get the same response', async () => {
  const bot = await world.bot('helper', iris)
  const responses = await Promise.all(
    [iris.email, 'nobody@garden.example', bot.email, 'nonsense', ''].map(async (username) => {
      const { status, text } = await submitLogin(username, 'wrong')
      return { status, text: text.replace(`value="${username}"`, 'value="ADDRESS"') }
    }),
  )
  const [first] = responses
  assert.equal(first?.status, 403)
  assert.match(first?.text ?? '', /The e-mail address or the password is wrong/)
  for (const response of responses.slice(1, 4)) assert.deepEqual(response, first)
  await world.database.query('delete from sign_in_failure')
})

test('only the right password reveals that an account is deactivated', async () => {
  const gone = await world.person('gone')
  await world.owner.users.deactivate({ user_id: gone.user_id })
  const [right, wrong] = [
    await submitLogin(gone.email, gone.password),
    await submitLogin(gone.email, 'wrong'),
  ]
  assert.match(right.text, /Your account was deactivated/)
  assert.match(wrong.text, /The e-mail address or the password is wrong/)
  assert.deepEqual([right.status, wrong.status], [403, 403])
  assert.ok(!right.headers.has('set-cookie'))
})

test('attempts on the page and in the API share one limit, and the page says when to try again', async () => {
  const username = 'often@garden.example'
  await world.database.query(
    `insert into sign_in_failure (organization_id, username, network, judged_at)
      select $1, $2, '127.0.0.1/32', now() from generate_series(1, 12)`,
    [world.organization_id, username],
  )
  const { status, headers, text } = await submitLogin(username, 'wrong')
  assert.equal(status, 429)
  const seconds = Number(headers.get('retry-after'))
  assert.ok(seconds > 200 && seconds <= 300, String(seconds))
  assert.match(text, new RegExp(`Try again in ${Math.ceil(seconds / 60)} minutes`))
  await world.database.query('delete from sign_in_failure')
  await submitLogin(username, 'wrong')
  const [counted] = await world.database.query<{ count: number }>(
    'select count(*)::int from sign_in_failure where username = $1',
    [username],
  )
  assert.equal(counted?.count, 1)
})

test('an organization that disabled passwords shows no sign-in form and refuses submitted ones', async () => {
  await setOrganizationRules(world, "disabled_authentication_methods = '{Email}'")
  const [shown, posted] = [await visit('/login'), await submitLogin(iris.email, iris.password)]
  await setOrganizationRules(world, "disabled_authentication_methods = '{}'")
  for (const { text } of [shown, posted]) {
    assert.match(text, /does not let people sign in with a password/)
    assert.ok(!text.includes('<form'))
  }
  assert.ok(!posted.headers.has('set-cookie'))
})

test('deactivated and unknown organizations have no sign-in page', async () => {
  await setOrganizationRules(world, 'deactivated_at = now()')
  const closed = [await visit('/login'), await submitLogin(iris.email, iris.password)]
  await setOrganizationRules(world, 'deactivated_at = null')
  const unknown = await visit('/login', { at: `nothing.${host}` })
  for (const { location, headers } of [...closed, unknown])
    assert.deepEqual([location, headers.get('set-cookie')], ['/', null])
})

test('the sign-in page links to the sign-up page only if the organization is open to anyone', async () => {
  assert.ok(!(await visit('/login')).text.includes('/register/'))
  await setOrganizationRules(world, 'invite_required = false')
  assert.ok((await visit('/login')).text.includes('href="/register/"'))
  await setOrganizationRules(world, 'invite_required = true')
})

test('forms submitted from another origin cannot sign a user in or out', async () => {
  const { cookie } = await signIn(world, iris, { host })
  const foreign: Record<string, string>[] = [
    {},
    { origin: 'https://evil.example' },
    { origin: `https://tea.${host}` },
    { origin: `http://${host}` },
    { origin: 'null' },
    ...['same-site', 'cross-site', 'none'].map((site) => ({ 'sec-fetch-site': site })),
  ]
  for (const headers of foreign)
    for (const [path, form] of [
      ['/login', { username: iris.email, password: iris.password }],
      ['/logout', {}],
      ['/accounts/go', { email: iris.email }],
      [`/accounts/do_confirm/${'a'.repeat(24)}`, { full_name: 'Ida', password: 'plum tree 51 garden' }],
    ] as const) {
      const response = await visit(path, { form, headers: { ...headers, cookie } })
      assert.equal(response.status, 403, `${path} ${JSON.stringify(headers)}`)
      assert.ok(!response.headers.has('set-cookie'))
      assert.match(response.text, /The form did not come from a page of this site/)
    }
  assert.equal((await visit('/', { headers: { cookie } })).status, 200)
  assert.deepEqual(mail.emails, [])
})

test('signing in replaces the session that the browser had', async () => {
  const { cookie } = await signIn(world, iris, { host })
  const { headers } = await visit('/login', {
    form: { username: iris.email, password: iris.password },
    headers: { ...own, cookie },
  })
  assert.ok(!(headers.get('set-cookie') ?? '').includes(cookie))
  assert.equal((await visit('/', { headers: { cookie } })).status, 302)
})

test('signing out ends the session, and shows the same page if there is no session', async () => {
  const { cookie } = await signIn(world, iris, { host })
  for (const headers of [{ ...own, cookie }, own]) {
    const { status, location, headers: found } = await visit('/logout', { form: {}, headers })
    assert.deepEqual([status, location], [303, '/login?signed_out'])
    assert.match(found.get('set-cookie') ?? '', /^__Host-oxbow=; .*Max-Age=0$/)
  }
  assert.equal((await visit('/', { headers: { cookie } })).status, 302)
  const opened = await visit('/logout')
  assert.deepEqual([opened.status, opened.headers.get('allow')], [405, 'POST'])
})

test('pages load only the style sheet and pictures of the server, and cannot be framed or cached', async () => {
  const policy =
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
  for (const path of [
    '/login',
    '/register/',
    '/accounts/do_confirm/x',
    '/accounts/password/reset',
    '/nowhere',
  ]) {
    const { headers, text } = await visit(path)
    assert.equal(headers.get('content-security-policy'), policy, path)
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('referrer-policy'), 'same-origin')
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.ok(!/<script|<style|style=|javascript:|http:/.test(text), path)
  }
  const finder = await visit('/accounts/go')
  assert.equal(
    finder.headers.get('content-security-policy'),
    policy.replace("form-action 'self'", `form-action 'self' https://*.${host}`),
  )
})

test('requests to the organization finder are limited per network, and the page says when to try again', async () => {
  const ask = (email: string) => visit('/accounts/go', { form: { email } })
  const before = mail.emails.length
  let response = await ask('nobody@garden.example')
  for (let count = 1; count < 30 && response.status === 200; count++) response = await ask('nobody@x.example')
  const { status, headers, text } = response.status === 200 ? await ask(iris.email) : response

  assert.equal(status, 429)
  assert.ok(Number(headers.get('retry-after')) > 3_000)
  assert.match(
    text,
    /id="email-problem">Your network sent too many requests for such a list\. Try again in \d+ min/,
  )
  assert.equal((await visit('/accounts/go', { form: { organization: '' } })).status, 404)
  await eventually(
    async () =>
      (
        await world.database.query(
          `select from graphile_worker.jobs where task_identifier = 'mail_organizations'`,
        )
      ).length === 0,
  )
  assert.equal(mail.emails.length, before)
})

test('organization finder e-mails that could not be sent do not count towards the limit', async () => {
  const { app } = world.nodes.a
  const broken = { ...app, config: { ...app.config, smtp_url: 'smtp://127.0.0.1:1' } }
  const { email } = await world.person('finder')
  const account = { email, language: 'en' } as const
  for (let attempt = 0; attempt < 4; attempt++)
    await assert.rejects(mailOrganizations.run(broken, account), { code: 'ESOCKET' })

  for (let sent = 0; sent < 4; sent++) await mailOrganizations.run(app, account)

  assert.equal(mail.emails.filter(({ to }) => to === email).length, 3)
})

test('text typed by people is escaped and never logged', async () => {
  const typed = '"><script>alert(1)</script>'
  for (const { text } of [
    await submitLogin(typed, typed),
    await visit('/accounts/go', { form: { organization: typed } }),
    await visit('/accounts/go', { form: { email: typed } }),
  ])
    assert.ok(!text.includes('<script'))
  assert.ok(!world.log.text.includes(iris.password) && !world.log.text.includes('alert(1)'))
})

test('programs get the errors of pages as JSON', async () => {
  const response = await request(world.nodes.a.url, {
    method: 'POST',
    path: '/login',
    form: { username: 'x' },
  })
  assert.deepEqual([response.status, response.body.code], [403, 'CROSS_ORIGIN'])
})
