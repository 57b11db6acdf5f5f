import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually, fetchAt, startMailServer, startWorld, type World } from '@oxbow/testkit'
import { createResetLinkByOperator } from '../../operators/password-reset.ts'

const mail = await startMailServer()
after(() => mail[Symbol.asyncDispose]())
const world = await startWorld({
  config: {
    smtp_url: mail.url,
    external_url: 'https://chat.example',
    password_resets_per_hour: 0,
    mode: 'production',
  },
})
after(() => world[Symbol.asyncDispose]())

const path = '/accounts/password/reset'
const own = { 'sec-fetch-site': 'same-origin' }
const strong = 'heron lake 77 reeds'

interface Visit {
  form?: Record<string, string>
  headers?: Record<string, string>
  host?: string
  at?: World
}

/** Opens a page, or sends its form, as a browser does. */
async function visit(url: string, { form, headers = own, host = 'chat.example', at = world }: Visit = {}) {
  const response = await fetchAt(host)(`${at.nodes.b.url}${url}`, {
    method: form ? 'POST' : 'GET',
    headers: { accept: 'text/html', ...headers },
    ...(form && { body: new URLSearchParams(form) }),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const pathInEmail = (address: string) =>
  eventually(() => {
    const { text = '' } = mail.emails.findLast(({ to }) => to === address) ?? {}
    return /https:\/\/chat\.example(\/accounts\/password\/reset\/[a-z0-9]{24})\s/.exec(text)?.[1]
  })

test('a person who forgot the password sets a new one with the link from the e-mail', async () => {
  const { email } = await world.person('iris')
  const asked = await visit(path)
  assert.match(asked.text, /<input [^>]*id="email" name="email" type="email"/)

  const sent = await visit(path, { form: { email } })
  const link = await pathInEmail(email)
  const form = await visit(link)
  const weak = await visit(link, { form: { password: 'password' } })
  const done = await visit(link, { form: { password: strong } })
  const again = await visit(link, { form: { password: strong } })

  assert.deepEqual(
    [asked, sent, form, weak, done, again].map(({ status }) => status),
    [200, 200, 200, 400, 303, 404],
  )
  assert.match(form.text, new RegExp(`value="${email}"\\s+autocomplete="username"`))
  assert.match(weak.text, /role="alert" id="password-problem"/)
  assert.match(form.text, /id="password-hint">At least 6 characters\./)
  assert.equal(done.headers.get('location'), '/login?password_changed')
  assert.match(again.text, /<a href="\/login">/)
  assert.ok(!done.headers.has('set-cookie'))
  const signedIn = await visit('/api/v1/sessions', { form: { username: email, password: strong } })
  assert.equal(signedIn.status, 200)
})

test('pages and e-mails are in the language of the browser', async () => {
  const { email } = await world.person('gretchen')
  const headers = { ...own, 'accept-language': 'de-AT,en;q=0.5' }

  const sent = await visit(path, { form: { email }, headers })
  const link = await pathInEmail(email)
  await visit(link, { form: { password: strong }, headers })

  assert.match(sent.text, /<html lang="de">/)
  const emails = await eventually(() => {
    const received = mail.emails.filter(({ to }) => to === email)
    return received.length === 2 && received
  })
  for (const { text } of emails) assert.match(text, /Ihr Konto|Ihres Kontos/)
})

test('the page responds the same way for every address', async () => {
  const { email } = await world.person('otto')
  const [toAccount, toStranger] = [
    await visit(path, { form: { email } }),
    await visit(path, { form: { email: 'no@x.example' } }),
  ]

  assert.equal(toAccount.text.replace(email, 'ADDRESS'), toStranger.text.replace('no@x.example', 'ADDRESS'))
  assert.equal(toAccount.status, toStranger.status)
})

test('text typed by a person is escaped', async () => {
  const { status, text } = await visit(path, { form: { email: '"><script>alert(1)</script>' } })

  assert.equal(status, 400)
  assert.ok(!text.includes('<script>'))
})

test('form posts from other origins are refused and change nothing', async () => {
  const { email } = await world.person('mia')
  const created = await createResetLinkByOperator(world.nodes.a.app, {
    subdomain: '',
    email,
    origin: '',
  })
  const foreign: Record<string, string>[] = [
    {},
    { origin: 'https://evil.example' },
    { origin: 'https://tea.chat.example' },
    { origin: 'http://chat.example' },
    { origin: 'null' },
    ...['same-site', 'cross-site', 'none'].map((site) => ({ 'sec-fetch-site': site })),
    { origin: 'https://chat.example', 'sec-fetch-site': 'cross-site' },
  ]
  for (const headers of foreign)
    for (const [url, form] of [
      [path, { email }],
      [created.link, { password: strong }],
    ] as const)
      assert.equal((await visit(url, { form, headers })).status, 403, JSON.stringify(headers))

  const rows = await world.database.query('select ended_at from password_reset where email = $1', [email])
  assert.deepEqual(rows, [{ ended_at: null }])
  const allowed = await visit(created.link, {
    form: { password: strong },
    headers: { origin: 'https://chat.example' },
  })
  assert.equal(allowed.status, 303)
})

test("the link in the e-mail has the server's host, even if the request names another host", async () => {
  const { email } = await world.person('hosted')
  const headers = { ...own, 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' }
  for (const host of ['evil.example', 'chat.example.evil.example'])
    assert.equal((await visit(path, { form: { email }, host, headers })).status, 404, host)
  for (const host of ['chat.example@evil.example', 'chat.example:666', '127.0.0.1'])
    assert.equal((await visit(path, { form: { email }, host, headers })).status, 200, host)

  await pathInEmail(email)
  assert.ok(!mail.emails.some(({ text }) => text.includes('evil.example')))
})

test('unknown and malformed links and links of another organization show a page that links to a new request', async () => {
  await world.addOrganization('tea')
  const { link } = await createResetLinkByOperator(world.nodes.a.app, {
    subdomain: '',
    email: world.owner.email,
    origin: '',
  })
  for (const [url, host] of [
    [`${path}/${'a'.repeat(24)}`, 'chat.example'],
    [link.slice(0, -1), 'chat.example'],
    [`${path}/%00`, 'chat.example'],
    [`${path}/${'a'.repeat(90)}`, 'chat.example'],
    [link, 'tea.chat.example'],
  ] as const)
    for (const form of [undefined, { password: strong }]) {
      const { status, text } = await visit(url, { ...(form && { form }), host })
      assert.equal(status, 404, url)
      assert.match(text, /<a href="\/accounts\/password\/reset">/)
    }
})

test('pages cannot be framed or cached, run no scripts and send no referrer to other sites', async () => {
  const { link } = await createResetLinkByOperator(world.nodes.a.app, {
    subdomain: '',
    email: world.owner.email,
    origin: '',
  })
  for (const url of [path, link, `${path}/x`]) {
    const { headers } = await visit(url)
    const policy = headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'none'/)
    assert.match(policy, /frame-ancestors 'none'/)
    assert.match(policy, /form-action 'self'/)
    assert.ok(!/script-src/.test(policy))
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.match(headers.get('referrer-policy') ?? '', /^(same-origin|no-referrer)$/)
  }
})

test('a server that cannot send e-mail asks people to contact the operator', async () => {
  for (const config of [{ external_url: 'https://chat.example' }, { smtp_url: mail.url }]) {
    await using silent = await startWorld({ config })
    for (const form of [undefined, { email: silent.owner.email }]) {
      const { status, text } = await visit(path, {
        at: silent,
        ...(form && { form }),
        headers: { origin: 'https://chat.example', ...own },
      })
      assert.equal(status, 503)
      assert.match(text, /Ask the operator of the server/)
    }
    assert.deepEqual(await silent.database.query('select from password_reset'), [])
  }
})

test('too many requests from one network are refused with the time to wait', async () => {
  await using small = await startWorld({
    config: { smtp_url: mail.url, external_url: 'https://chat.example', password_resets_per_hour: 1 },
  })
  await visit(path, { at: small, form: { email: 'no@x.example' } })
  const { status, headers, text } = await visit(path, { at: small, form: { email: small.owner.email } })

  assert.equal(status, 429)
  assert.ok(Number(headers.get('retry-after')) > 3_500)
  assert.match(text, /Try again in 60 minutes/)
})

test('a link of the operator works without a mail server', async () => {
  await using silent = await startWorld({ config: { mode: 'production' } })
  const { link } = await createResetLinkByOperator(silent.nodes.a.app, {
    subdomain: '',
    email: silent.owner.email,
    origin: '',
  })

  const { status, text } = await visit(link, {
    at: silent,
    host: 'chat.lan',
    form: { password: strong },
    headers: { origin: 'http://chat.lan' },
  })

  assert.equal(status, 303, text)
})
