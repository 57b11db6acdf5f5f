import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ApiError, defaultGeneration, type UserId } from '@oxbow/contract'
import {
  type NodeName,
  type RawRequest,
  type RawResponse,
  request,
  resumeSession,
  signIn,
  startWorld,
  type World,
} from '@oxbow/testkit'
import { authenticate } from '../../identity/authenticate.ts'
import { verifyOwnPassword } from '../../people/users/verify-own-password.ts'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world

const own = { 'sec-fetch-site': 'same-origin' }
const signedOut = {
  status: 401,
  message: 'Not logged in: API authentication or user session required',
}

const postSession = (
  { nodes }: World,
  form: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<RawResponse> =>
  request(nodes.b.url, { method: 'POST', path: '/api/v1/sessions', form, headers: { ...own, ...headers } })

test('requests with a session act as its account on both nodes and have the client name website', async () => {
  const iris = await world.person('iris')
  const session = await signIn(world, iris)

  for (const node of ['a', 'b'] as const)
    assert.equal((await session.on(node).users.me()).user_id, iris.user_id)
  const { stream_id } = await world.stream('garden', { members: [iris] })
  const { id } = await session.messages.send({
    type: 'stream',
    to: stream_id,
    topic: 'roses',
    content: 'Pruned.',
  })
  const [sent] = await world.database.query('select client, sender_id::int from message where id = $1', [id])
  assert.deepEqual(sent, { client: 'website', sender_id: iris.user_id })
})

test('over http the cookie is called oxbow, and only a trusted device keeps it', async () => {
  const { email: username, password } = await world.person('cora')

  const plain = await postSession(world, { username, password })
  const trusted = await postSession(world, { username, password, is_trusted: 'true' })

  const cookie = plain.headers.getSetCookie()[0] ?? ''
  assert.match(cookie, /^oxbow=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/)
  assert.match(
    trusted.headers.getSetCookie()[0] ?? '',
    /^oxbow=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=31536000$/,
  )
  assert.deepEqual(Object.keys(plain.body).sort(), ['msg', 'result', 'user_id'])
})

test('over https the cookie is bound to the host, and a cookie with the http name is ignored', async () => {
  await using secure = await startWorld({ config: { external_url: 'https://chat.example' } })
  const { email: username, password, user_id } = secure.owner

  const { headers } = await postSession(secure, { username, password })

  const cookie = headers.getSetCookie()[0] ?? ''
  assert.match(cookie, /^__Host-oxbow=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/)
  const [pair = ''] = cookie.split(';')
  assert.equal((await resumeSession(secure, pair).users.me()).user_id, user_id)
  await assert.rejects(resumeSession(secure, pair.replace('__Host-', '')).users.me(), signedOut)
})

test('without an external URL the cookie is secure if the proxy serves https', async () => {
  await using proxied = await startWorld({ config: { trusted_proxies: ['127.0.0.1'] } })
  const { email: username, password } = proxied.owner

  const { headers } = await postSession(proxied, { username, password }, { 'x-forwarded-proto': 'https' })

  assert.match(headers.get('set-cookie') ?? '', /^__Host-oxbow=[^;]+; .*; Secure$/)
})

test('scripts can read the account of the session and whether the device is trusted, but not the token', async () => {
  const { email: username, password, user_id } = await world.person('dora')

  const plain = await postSession(world, { username, password })
  const trusted = await postSession(world, { username, password, is_trusted: 'true' })

  assert.deepEqual(
    [plain, trusted].map(({ headers }) => headers.getSetCookie()[1]),
    [
      `oxbow-account=${user_id}; Path=/; SameSite=Strict`,
      `oxbow-account=${user_id}.trusted; Path=/; SameSite=Strict; Max-Age=31536000`,
    ],
  )
})

test('the session of another organization is refused', async () => {
  const tea = await world.addOrganization('tea')
  const session = await signIn(world, tea.owner, { host: 'tea.localhost' })

  assert.equal((await session.users.me()).user_id, tea.owner.user_id)
  await assert.rejects(resumeSession(world, session.cookie).users.me(), {
    status: 401,
    message: 'Account is not associated with this subdomain',
  })
})

test("signing in replaces the browser's session and never reuses the token that the browser sent", async () => {
  const [mia, otto] = await world.people('mia', 'otto')
  const before = await signIn(world, mia)
  const planted = 'A'.repeat(43)

  for (const token of [before.token, planted]) {
    const { email: username, password } = otto
    const { headers } = await postSession(world, { username, password }, { cookie: `oxbow=${token}` })
    assert.ok(!headers.get('set-cookie')?.includes(token))
    await assert.rejects(resumeSession(world, `oxbow=${token}`).users.me(), signedOut)
  }
})

test('a request that expects the session of another account is refused on both nodes and changes nothing', async () => {
  const [xenia, yara] = await world.people('xenia', 'yara')
  const { stream_id } = await world.stream('shared browser', { members: [xenia, yara] })
  const { headers } = await signIn(world, yara)
  const ask = (expected: unknown, options: Partial<RawRequest> & { node?: NodeName } = {}) =>
    request(world.nodes[options.node ?? 'b'].url, {
      path: '/api/v1/users/me',
      ...options,
      headers: { ...headers, 'expected-user-id': String(expected), ...options.headers },
    })
  const other = { status: 403, code: 'OTHER_ACCOUNT', name: 'OTHER_ACCOUNT' }
  const form = { type: 'stream', to: String(stream_id), topic: 'roses', content: 'By Xenia' }

  for (const node of ['a', 'b'] as const) {
    assert.equal((await ask(yara.user_id, { node })).body.user_id, yara.user_id)
    const requests: Partial<RawRequest>[] = [
      {},
      { method: 'POST', path: '/api/v1/messages', form },
      { method: 'POST', path: '/api/v1/user_uploads', files: { 'notes.txt': Buffer.from('Roses') } },
      { path: '/api/v1/events', headers: { accept: 'text/event-stream' } },
      { method: 'POST', path: '/api/v1/register' },
      { method: 'DELETE', path: '/api/v1/sessions/current' },
    ]
    for (const options of requests) {
      const { status, body } = await ask(xenia.user_id, { node, ...options })
      assert.deepEqual({ status, code: body.code, name: body.name }, other, options.path)
    }
    for (const malformed of ['', 'iris', `${yara.user_id}, ${yara.user_id}`, 'NaN', '1e999'])
      assert.equal((await ask(malformed, { node })).body.code, 'OTHER_ACCOUNT', malformed)
  }
  assert.deepEqual(await world.database.query('select from message where sender_id = $1', [yara.user_id]), [])
  assert.equal((await ask(yara.user_id)).status, 200)
})

test('an event stream names the expected account in its URL', async () => {
  const [xara, yves] = await world.people('xara', 'yves')
  const { headers, events } = await signIn(world, yves)
  const { queue_id } = await events.register({ event_types: ['message'] })
  const open = (expected: unknown, accept: string) =>
    request(world.nodes.b.url, {
      path: `/api/v1/events?queue_id=${queue_id}&dont_block=true&expected_user_id=${expected}`,
      headers: { ...headers, accept },
    })

  for (const accept of ['text/event-stream', 'application/json'])
    for (const expected of [xara.user_id, '', 'x'])
      assert.equal((await open(expected, accept)).body.code, 'OTHER_ACCOUNT', `${accept} ${expected}`)
  assert.equal((await open(yves.user_id, 'application/json')).status, 200)
})

test('requests with an API key ignore the expected account', async () => {
  const cleo = await world.person('cleo')
  const headers = { 'expected-user-id': String(owner.user_id) }
  const { body } = await request(world.nodes.a.url, { path: '/api/v1/users/me', credentials: cleo, headers })
  assert.equal(body.user_id, cleo.user_id)
})

test('an API key takes precedence over the cookie, even if the key is wrong', async () => {
  const [anna, bert] = await world.people('anna', 'bert')
  const { headers } = await signIn(world, anna)
  const ask = (api_key: string) =>
    request(world.nodes.a.url, {
      path: '/api/v1/users/me',
      credentials: { email: bert.email, api_key },
      headers,
    })

  assert.equal((await ask(bert.api_key)).body.user_id, bert.user_id)
  assert.equal((await ask('x'.repeat(32))).status, 401)
})

test('unknown and malformed session tokens are refused', async () => {
  const { token, cookie } = await signIn(world, owner)
  const wrong = ['', token.slice(1), `${token}a`, `${token.slice(1)}!`, token.toLowerCase(), owner.api_key]

  for (const params of wrong)
    await assert.rejects(resumeSession(world, `oxbow=${params}`).users.me(), signedOut)
  const { user_id } = await resumeSession(world, `theme=dark; ${cookie}; x=oxbow=1`).users.me()
  assert.equal(user_id, owner.user_id)
  const [row] = await world.database.query('select from session where token_hash = $1', [Buffer.from(token)])
  assert.equal(row, undefined)
})

test("the response to an ended session does not open the browser's password dialog", async () => {
  const ask = (headers: Record<string, string>) =>
    request(world.nodes.a.url, { path: '/api/v1/users/me', headers })
  const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }

  for (const headers of [browser, { 'sec-fetch-site': 'same-origin' }, { cookie: 'oxbow=ended' }])
    assert.equal((await ask(headers as never)).headers.get('www-authenticate'), 'Session realm="chat"')
  assert.equal((await ask({})).headers.get('www-authenticate'), 'Basic realm="chat"')
})

test('a page whose session is refused is told to clear its cache, and other sites and programs are not', async () => {
  const [ines, omar] = await world.people('ines', 'omar')
  const { headers, sessions } = await signIn(world, ines)
  const ask = async (more: Record<string, string> = {}) =>
    (
      await request(world.nodes.a.url, { path: '/api/v1/users/me', headers: { ...headers, ...more } })
    ).headers.get('clear-site-data')

  assert.equal(await ask(), null)
  assert.equal(await ask({ 'expected-user-id': String(omar.user_id) }), '"cache"')
  await sessions.endCurrent()
  assert.equal(await ask(), '"cache"')
  for (const site of ['cross-site', 'same-site']) assert.equal(await ask({ 'sec-fetch-site': site }), null)
  assert.equal(await ask({ authorization: 'Basic eDp5' }), null)
  assert.equal(await ask({ cookie: 'theme=dark' }), null)
})

test('wrong passwords, unknown names and deactivated accounts get the same errors as in fetch_api_key', async () => {
  const gone = await world.person('gone')
  await owner.users.deactivate({ user_id: gone.user_id })
  const params: Record<string, string>[] = [
    { username: owner.email, password: 'wrong' },
    { username: 'nobody@garden.example', password: 'wrong' },
    { username: gone.email, password: gone.password },
    { username: 'no address', password: 'x' },
    { username: owner.email },
  ]
  for (const form of params) {
    await world.database.query('delete from sign_in_failure')
    const session = await postSession(world, form)
    await world.database.query('delete from sign_in_failure')
    const key = await request(world.nodes.b.url, { method: 'POST', path: '/api/v1/fetch_api_key', form })

    assert.deepEqual([session.status, session.body], [key.status, key.body])
    assert.equal(session.headers.has('set-cookie'), false)
  }
})

test('failed attempts to get a session and to get an API key are counted together', async () => {
  const { email: username } = await world.person('counted')
  const form = { username, password: 'wrong' }
  for (let round = 0; round < 3; round++) {
    const path = round % 2 ? '/api/v1/fetch_api_key' : '/api/v1/sessions'
    await request(world.nodes.a.url, { method: 'POST', path, form, headers: own })
  }

  const [count] = await world.database.query(
    'select count(*)::int as failures from sign_in_failure where username = $1',
    [username],
  )

  assert.deepEqual(count, { failures: 3 })
})

test('the list of sessions contains programs and addresses and marks the current session', async () => {
  const lena = await world.person('lena')
  const phone = 'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/148.0.0.0 Mobile Safari/537.36'
  const before = Math.floor(Date.now() / 1000)
  await signIn(world, lena, { userAgent: phone, is_trusted: true })
  const session = await signIn(world, lena)

  const { sessions } = await session.on('b').sessions.list()

  const shown = sessions.map(({ id, created_at, last_seen_at, ...rest }) => {
    assert.ok(created_at >= before && last_seen_at === created_at)
    return rest
  })
  assert.deepEqual(shown, [
    { program: 'Firefox on Linux', address: '127.0.0.1', is_trusted: false, is_current: true },
    { program: 'Chrome on Android', address: '127.0.0.1', is_trusted: true, is_current: false },
  ])
  assert.ok((await lena.sessions.list()).sessions.every(({ is_current }) => !is_current))
})

test('a session can be ended by its id, and other people cannot end it', async () => {
  const [vera, nils] = await world.people('vera', 'nils')
  const session = await signIn(world, vera)
  const [listed] = (await session.sessions.list()).sessions
  const session_id = listed?.id as never

  await assert.rejects(nils.sessions.end({ session_id }), { message: 'No such session' })
  assert.equal((await session.users.me()).user_id, vera.user_id)
  await vera.sessions.end({ session_id })
  await assert.rejects(session.on('b').users.me(), signedOut)
  await assert.rejects(vera.sessions.end({ session_id }), { message: 'No such session' })
})

test('signing out removes the cookie and ends only this session', async () => {
  const rosa = await world.person('rosa')
  const [here, there] = [await signIn(world, rosa), await signIn(world, rosa)]

  const { headers } = await request(world.nodes.b.url, {
    method: 'DELETE',
    path: '/api/v1/sessions/current',
    headers: here.headers,
  })

  assert.deepEqual(headers.getSetCookie(), [
    'oxbow=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0',
    'oxbow-account=; Path=/; SameSite=Strict; Max-Age=0',
  ])
  assert.equal(headers.get('clear-site-data'), '"storage", "cache"')
  for (const node of ['a', 'b'] as const) {
    await assert.rejects(here.on(node).users.me(), signedOut)
    assert.equal((await there.on(node).users.me()).user_id, rosa.user_id)
  }
})

test('signing out everywhere else keeps the current session', async () => {
  const piet = await world.person('piet')
  const [here, there] = [await signIn(world, piet), await signIn(world, piet)]

  await here.sessions.endOthers()

  assert.equal((await here.users.me()).user_id, piet.user_id)
  await assert.rejects(there.on('b').users.me(), signedOut)
  await piet.sessions.endOthers()
  await assert.rejects(here.users.me(), signedOut)
})

test('a new password ends all other sessions and keeps API keys', async () => {
  const hans = await world.person('hans')
  const [here, there] = [await signIn(world, hans), await signIn(world, hans)]

  await here.users.updateSettings({ old_password: hans.password, new_password: 'plum tree 52 garden' })

  assert.equal((await here.users.me()).user_id, hans.user_id)
  await assert.rejects(there.on('b').users.me(), signedOut)
  await hans.users.updateSettings({
    old_password: 'plum tree 52 garden',
    new_password: 'plum tree 53 garden',
  })
  await assert.rejects(here.users.me(), signedOut)
  assert.equal((await hans.users.me()).user_id, hans.user_id)
})

test('administrators can end the sessions of a user, but only owners those of an owner', async () => {
  const admin = await world.person('admin', 'administrator')
  const paul = await world.person('paul')
  const [session, sessionOfOwner] = [await signIn(world, paul), await signIn(world, owner)]

  await admin.sessions.endOfUser({ user_id: paul.user_id })
  await assert.rejects(session.users.me(), signedOut)
  await assert.rejects(admin.sessions.endOfUser({ user_id: owner.user_id }), {
    message: 'Must be an organization owner',
  })
  assert.equal((await sessionOfOwner.users.me()).user_id, owner.user_id)
  await owner.sessions.endOfUser({ user_id: owner.user_id })
  await assert.rejects(sessionOfOwner.users.me(), signedOut)
})

test('a session of a deactivated account stays ended after the account is reactivated', async () => {
  const { user_id, ...greta } = await world.person('greta')
  const session = await signIn(world, greta)

  await owner.users.deactivate({ user_id })
  await owner.users.reactivate({ user_id })

  await assert.rejects(session.users.me(), signedOut)
  assert.equal((await (await signIn(world, greta)).users.me()).user_id, user_id)
})

test('a session of a demoted administrator has the rights of the new role at once', async () => {
  const admin = await world.person('former', 'administrator')
  const session = await signIn(world, admin)
  await session.on('b').domains.add({ domain: 'beds.example', allow_subdomains: false })

  await owner.users.update({ user_id: admin.user_id, role: 400 })

  const error = await session
    .on('b')
    .domains.remove({ domain: 'beds.example' })
    .catch((thrown: unknown) => thrown)
  assert.ok(error instanceof ApiError && error.is('MUST_BE_ADMINISTRATOR'))
})

test('an account has at most a hundred sessions, and a new one ends the least recently used one', async () => {
  const { user_id, ...busy } = await world.person('busy')
  const oldest = await signIn(world, busy)
  await world.database.query(
    `insert into session (organization_id, user_id, token_hash, last_seen_at, expires_at, is_trusted, user_agent, address)
     select $1, $2, sha256(n::text::bytea), now() + interval '1 second', now() + interval '1 day', true, '', ''
     from generate_series(1, 99) n`,
    [world.organization_id, user_id],
  )
  assert.equal((await oldest.users.me()).user_id, user_id)

  const newest = await signIn(world, busy)

  await assert.rejects(oldest.users.me(), signedOut)
  assert.equal((await newest.sessions.list()).sessions.length, 100)
})

test('tokens never appear in the log', async () => {
  const session = await signIn(world, owner)
  await session.users.me()
  await session.sessions.endCurrent()
  await session.users.me().catch(() => {})

  assert.ok(!world.log.text.includes(session.token))
  assert.ok(!world.log.text.includes(owner.password))
})

test('a new API key requires the password even with a session, and wrong passwords count as sign-in attempts', async () => {
  const person = await world.person('careful')
  const session = await signIn(world, person)
  const wrong = { status: 400, message: 'Wrong password!' }

  await assert.rejects(session.users.regenerateApiKey(), wrong)
  await assert.rejects(session.users.regenerateApiKey({ password: person.api_key }), wrong)
  assert.equal((await person.users.me()).user_id, person.user_id)
  const [counted] = await world.database.query<{ count: number }>(
    'select count(*)::int as count from sign_in_failure',
  )
  assert.ok((counted?.count ?? 0) > 0)
  await world.database.query('delete from sign_in_failure')

  const { api_key } = await session.users.regenerateApiKey({ password: person.password })

  await assert.rejects(person.users.me(), { status: 401 })
  assert.notEqual(api_key, person.api_key)
  assert.equal((await session.users.me()).user_id, person.user_id)
})

test('verifying the password of a deleted account fails like a request with an ended session', async () => {
  const { app } = world.nodes.a
  const caller = { subdomain: '', origin: '', address: '127.0.0.1', client: '' }
  const { token } = await signIn(world, owner)
  const legacy = { legacyNames: false, legacyVersions: false, generation: defaultGeneration }
  const actor = await authenticate(app, { ...caller, ...legacy }, { session_token: token })
  const missing = { ...actor, user_id: 999_999_999 as UserId }

  await assert.rejects(verifyOwnPassword(app, missing, owner.password), signedOut)
})
