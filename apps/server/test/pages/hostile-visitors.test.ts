import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  eventually,
  fetchAt,
  type Person,
  resumeSession,
  signIn,
  startMailServer,
  startWorld,
  type World,
} from '@oxbow/testkit'
import { findLink, goodPassword, ownPage } from '@oxbow/testkit/calls/joining'
import { createResetLinkByOperator } from '../../src/operators/password-reset.ts'

const host = 'chat.example'
const external_url = `https://${host}`
const mail = await startMailServer()
after(() => mail[Symbol.asyncDispose]())
const world = await startWorld({
  config: { smtp_url: mail.url, external_url, stranger_limit_per_minute: 0, password_resets_per_hour: 0 },
})
after(() => world[Symbol.asyncDispose]())
const { owner, database } = world
const tea = await world.addOrganization('tea')
await database.query('update organization set invite_required = false')
const { stream_id } = await world.stream('garden')

interface Visit {
  form?: Record<string, string>
  headers?: Record<string, string>
  host?: string
  at?: World
}

/** Opens a page or submits its form, without following redirects. */
async function visit(path: string, { form, headers = ownPage, host: to = host, at = world }: Visit = {}) {
  const response = await fetchAt(to)(`${at.nodes.b.url}${path}`, {
    method: form ? 'POST' : 'GET',
    headers: { accept: 'text/html', ...headers },
    ...(form && { body: new URLSearchParams(form) }),
  })
  const { status, headers: received } = response
  const cookie = received.getSetCookie()[0] ?? ''
  return { status, headers: received, cookie, text: await response.text() }
}

let count = 0

async function inviteSomeone(): Promise<string> {
  const email = `invited${count++}@elsewhere.example`
  await owner.invitations.send({ invitee_emails: email, stream_ids: [stream_id] })
  return findLink(mail, email)
}

async function startAddressChange(): Promise<string> {
  const person = await world.person(`mover${count++}`)
  const email = `moved${count}@elsewhere.example`
  await person.users.updateSettings({ email })
  const { text } = await mail.waitForEmail(email)
  return /(\/accounts\/confirm_new_email\/[a-z0-9]{24})\s/.exec(text)?.[1] ?? ''
}

async function makeResetLink(): Promise<string> {
  const { email } = await world.person(`forgetful${count++}`)
  return (await createResetLinkByOperator(world.nodes.a.app, { subdomain: '', email, origin: '' })).link
}

async function makeInvitationLink(): Promise<string> {
  const { invite_link } = await owner.invitations.createLink({ invite_as: 400, stream_ids: [stream_id] })
  return new URL(invite_link).pathname
}

interface HostilePage {
  path: string
  /** Values with which a legitimate user would submit the form. */
  form: Record<string, string>
  /** Set if the form is part of another page. */
  hasNoView?: boolean
  /** Set if visitors without a session are redirected to the sign-in page. */
  needsSession?: boolean
}

/** Every page with a form. */
const pages: HostilePage[] = [
  { path: '/login', form: { username: owner.email, password: owner.password } },
  { path: '/logout', form: {}, hasNoView: true },
  { path: '/accounts/go', form: { email: owner.email } },
  { path: '/accounts/password/reset', form: { email: owner.email } },
  { path: await makeResetLink(), form: { password: goodPassword } },
  { path: '/invite', form: { emails: 'guest@elsewhere.example' }, needsSession: true },
  { path: '/register', form: { email: 'joiner@elsewhere.example' } },
  { path: await makeInvitationLink(), form: { email: 'joiner2@elsewhere.example' } },
  { path: await inviteSomeone(), form: { full_name: 'Nora New', password: goodPassword } },
  { path: await startAddressChange(), form: {} },
]

const foreignHeaders: Record<string, string>[] = [
  {},
  { origin: 'https://evil.example' },
  { origin: 'https://tea.chat.example' },
  { origin: 'http://chat.example' },
  { origin: 'https://chat.example.evil.example' },
  { origin: 'null' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'none' },
  { origin: external_url, 'sec-fetch-site': 'cross-site' },
  { referer: `${external_url}/login` },
]

/** Counts all rows that forms of pages change. */
const countChanges = () =>
  database.query(
    `select (select count(*) from user_account) as accounts, (select count(*) from session) as sessions,
       (select count(*) from password_reset) as resets, (select count(*) from invitation) as invitations, (select count(*) from sign_up) as sign_ups,
       (select count(*) from email_change where ended_at is null) as changes,
       (select count(*) from sign_in_failure) as failures,
       (select md5(string_agg(password_hash, ',' order by id)) from user_account) as passwords`,
  )

test('forms submitted by another site are refused by every page and change nothing', async () => {
  const { cookie } = await signIn(world, owner)
  const before = await countChanges()

  for (const { path, form } of pages)
    for (const headers of foreignHeaders) {
      const { status, cookie: got } = await visit(path, { form, headers: { ...headers, cookie } })
      assert.deepEqual([status, got], [403, ''], `${path} ${JSON.stringify(headers)}`)
    }

  assert.deepEqual(await countChanges(), before)
  assert.equal((await resumeSession(world, cookie).users.me()).user_id, owner.user_id)
})

test('pages can neither be framed nor cached, and load nothing from other sites', async () => {
  const { cookie } = await signIn(world, owner)
  for (const { path, hasNoView, needsSession } of pages)
    for (const url of [path, `${path}x`]) {
      const { headers, status } = await visit(url, {
        headers: { ...ownPage, ...(needsSession && { cookie }) },
      })
      if (hasNoView && url === path) assert.equal(status, 405)
      const policy = headers.get('content-security-policy') ?? ''
      assert.match(policy, /default-src 'none'.*form-action 'self'.*frame-ancestors 'none'/, url)
      assert.ok(!/script-src|unsafe|https?:\/\/(?!\*\.chat\.example)/.test(policy), policy)
      assert.equal(headers.get('cache-control'), 'no-store', url)
      assert.equal(headers.get('x-content-type-options'), 'nosniff', url)
      assert.match(headers.get('referrer-policy') ?? '', /^(same-origin|no-referrer)$/, url)
    }
})

test('a forged host appears in no redirect, page or e-mail', async () => {
  const forged = { ...ownPage, 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' }
  const hosts = ['evil.example', 'chat.example.evil.example', 'evil.example#.chat.example', host]
  for (const { path, form } of [...pages, { path: '/', form: {} }])
    for (const named of hosts)
      for (const submitted of [undefined, form]) {
        const { headers, text } = await visit(path, {
          host: named,
          headers: forged,
          ...(submitted && { form: submitted }),
        })
        const shown = `${headers.get('location')} ${text.replaceAll(`>${named}<`, '')}`
        assert.ok(!/(?:href|src|action)="[^"]*evil|^[^ ]*evil/.test(shown), `${path} at ${named}: ${shown}`)
      }
  await eventually(
    async () =>
      (await database.query(`select from graphile_worker.jobs where task_identifier like 'mail%'`)).length ===
      0,
  )

  assert.ok(mail.emails.length > 0)
  assert.ok(!mail.emails.some(({ text }) => text.includes('evil.example')))
})

test('signing in on a page never leads to another site', async () => {
  const targets = [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '\\/evil.example',
    '/.//evil.example',
    '/x/..//evil.example',
    '/\u0009/evil.example',
    'javascript:alert(1)',
    '/%5cevil.example',
    '@evil.example',
    '.evil.example',
  ]
  for (const next of targets) {
    const path = `/login?next=${encodeURIComponent(next)}`
    const { status, headers } = await visit(path, {
      form: { username: owner.email, password: owner.password, next },
    })
    assert.equal(status, 303)
    const url = new URL(headers.get('location') ?? '', `${external_url}/login`)
    assert.equal(url.origin, external_url, next)
  }
})

/** Signs in on the page, with the cookies that the browser has so far. */
const login = ({ email: username, password }: Person, headers: Record<string, string> = {}, at = world) =>
  visit('/login', { form: { username, password }, headers: { ...ownPage, ...headers }, at })

/** Creates an account by an invitation, which also signs in. */
const joinBy = async (headers: Record<string, string>) =>
  visit(await inviteSomeone(), {
    form: { full_name: 'Nora New', password: goodPassword },
    headers: { ...ownPage, ...headers },
  })

const pairOf = (cookie: string): string => cookie.split(';')[0] ?? ''

test("pages that sign in give a new token, and end the browser's previous session", async () => {
  const mallory = await world.person('mallory')
  const iris = await world.person('iris')
  for (const signsIn of [(headers: Record<string, string>) => login(iris, headers), joinBy]) {
    const planted = pairOf((await login(mallory)).cookie)
    for (const cookie of [planted, `__Host-oxbow=${'A'.repeat(43)}`]) {
      const { cookie: got } = await signsIn({ cookie })
      assert.match(got, /^__Host-oxbow=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/)
      assert.notEqual(pairOf(got), cookie)
      await assert.rejects(resumeSession(world, cookie).users.me(), { status: 401 })
      assert.notEqual((await resumeSession(world, pairOf(got)).users.me()).user_id, mallory.user_id)
    }
  }
})

test('without https the pages set a cookie without Secure and without the prefix', async () => {
  await using plain = await startWorld()
  const { cookie } = await login(plain.owner, {}, plain)
  const { email: username, password } = plain.owner
  const trusted = await visit('/login', { form: { username, password, is_trusted: 'on' }, at: plain })

  assert.match(cookie, /^oxbow=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/)
  assert.match(trusted.cookie, /^oxbow=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=31536000$/)
})

test('the session of another organization is not valid on pages', async () => {
  const session = await signIn(world, tea.owner, { host: 'tea.chat.example' })

  const home = await visit('/', { headers: { cookie: session.cookie } })
  const loginPage = await visit('/login', { headers: { cookie: session.cookie } })
  const out = await visit('/logout', { form: {}, headers: { ...ownPage, cookie: session.cookie } })

  assert.match(home.headers.get('location') ?? '', /^\/login/)
  assert.equal(loginPage.status, 200)
  assert.equal(out.status, 303)
  assert.equal((await session.users.me()).user_id, tea.owner.user_id, 'it is still signed in at its own host')
})

test('signing out on the page ends the session on the other node too', async () => {
  const iris = await world.person('leaving')
  const cookie = pairOf((await login(iris)).cookie)
  assert.equal((await resumeSession(world, cookie).on('a').users.me()).user_id, iris.user_id)

  const { headers } = await visit('/logout', { form: {}, headers: { ...ownPage, cookie } })

  assert.match(headers.get('set-cookie') ?? '', /^__Host-oxbow=; .*Max-Age=0$/)
  assert.match(headers.get('clear-site-data') ?? '', /storage/)
  await eventually(() =>
    resumeSession(world, cookie)
      .on('a')
      .users.me()
      .then(
        () => false,
        ({ status }) => status === 401,
      ),
  )
})

test('wrong passwords on the page and at the API count together', async () => {
  const { email: username } = await world.person('guessed')
  const form = { username, password: 'wrong' }
  for (const path of ['/login', '/api/v1/sessions', '/api/v1/fetch_api_key'])
    assert.equal((await visit(path, { form })).status, 403, path)
  const [counted] = await database.query(
    'select count(*)::int as failures from sign_in_failure where username = $1',
    [username],
  )
  assert.deepEqual(counted, { failures: 3 })
  await database.query(
    `insert into sign_in_failure (organization_id, username, network, judged_at)
     select $1, $2, '127.0.0.1/32', now() from generate_series(1, 12)`,
    [world.organization_id, username],
  )

  const { status, headers, text } = await visit('/login', { form })

  assert.equal(status, 429)
  assert.ok(Number(headers.get('retry-after')) > 5)
  assert.ok(!text.includes('value="wrong"'))
})

test('wrong link keys get 404 on every page, and 429 once the limit per network is reached', async () => {
  await using strict = await startWorld({
    config: { smtp_url: mail.url, external_url, stranger_limit_per_minute: 12 },
  })
  const guesses = [
    '/accounts/password/reset/',
    '/accounts/do_confirm/',
    '/join/',
    '/accounts/confirm_new_email/',
  ]
  const statuses: number[] = []
  for (let round = 0; round < 16; round++) {
    const path = `${guesses[round % 4]}${String(round).padStart(24, 'a')}`
    statuses.push((await visit(path, { form: { password: goodPassword }, at: strict })).status)
  }

  assert.deepEqual(statuses, [...Array(12).fill(404), ...Array(4).fill(429)])
})

test('no page contains the token of a session', async () => {
  const { cookie, token } = await signIn(world, owner)
  for (const path of ['/', '/login', '/nowhere', '/accounts/go', '/accounts/password/reset']) {
    const { text, headers } = await visit(path, { headers: { cookie } })
    assert.ok(!text.includes(token) && !JSON.stringify([...headers]).includes(token), path)
  }
})
