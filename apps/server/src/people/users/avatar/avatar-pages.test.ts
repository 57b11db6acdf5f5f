import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { BotType } from '@oxbow/contract'
import { fetchAt, hostOf, type Person, pngOf, type RawRequest, request, startWorld } from '@oxbow/testkit'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const base = world.nodes.b.url

const upload = async (person: Person): Promise<string> =>
  (await person.users.setAvatar({ files: [{ name: 'me.png', bytes: pngOf(8, 8) }] })).avatar_url
const get = (path: string, options: Partial<RawRequest> = {}) => request(base, { path, ...options })

const iris = await world.person('iris')
const url = await upload(iris)
const [path = ''] = url.split('?')

test('an avatar is served without credentials, cached as immutable, and sandboxed', async () => {
  const { status, headers } = await get(url)

  assert.equal(status, 200)
  assert.deepEqual(
    ['content-type', 'x-content-type-options', 'content-security-policy', 'cache-control', 'etag'].map(
      (name) => headers.get(name),
    ),
    [
      'image/png',
      'nosniff',
      "default-src 'none'; sandbox; frame-ancestors 'none'",
      'public, max-age=31536000, immutable',
      '"2"',
    ],
  )
})

test('a request for an avatar that the client has cached gets 304', async () => {
  for (const etags of ['"2"', 'W/"2"', '"1", "2"']) {
    const { status, text, headers } = await get(url, { headers: { 'if-none-match': etags } })
    assert.deepEqual([status, text, headers.get('etag')], [304, '', '"2"'])
  }
  assert.equal((await get(url, { headers: { 'if-none-match': '"1"' } })).status, 200)
})

test('HEAD of an avatar returns its length', async () => {
  const fullResponse = await fetch(base + url)
  const { length } = Buffer.from(await fullResponse.arrayBuffer())
  const { status, headers, text } = await get(url, { method: 'HEAD' })
  assert.deepEqual([status, headers.get('content-length'), text], [200, String(length), ''])
})

test('the URL of an old avatar version redirects to the current one', async () => {
  for (const old of ['?v=1', '?v=99', '?v=x', '', '?v=-1', '?v=../../x']) {
    const { status, headers } = await get(path + old)
    assert.deepEqual([status, headers.get('location')], [302, url], old)
    assert.equal(headers.get('cache-control'), 'private, no-cache')
  }
})

test('an avatar whose file is missing gives 404, not a redirect loop', async () => {
  const lost = await world.person('lost')
  const its = await upload(lost)
  const key = `avatars/${world.organization_id}/${lost.user_id}/2-small.png`
  await world.nodes.a.app.files.remove(key)

  const response = await get(its)

  assert.deepEqual([response.status, response.body.code], [404, 'NOT_FOUND'])
})

const otherName = path.replace(/[0-9a-f]\.png/, (end) => (end[0] === '0' ? '1.png' : '0.png'))
const nothing = [
  '/user_avatars',
  '/user_avatars/',
  `/user_avatars/${world.organization_id}`,
  `/user_avatars/${world.organization_id}/`,
  otherName,
  path.replace(/\/(\d+)-/, (_, id) => `/${Number(id) + 1}-`),
  path.replace(/\/\d+\//, '/999/'),
  path.replace('.png', '.gif'),
  path.replace('.png', '-large.png'),
  path.replace('.png', '.png.html'),
  path.replace('.png', '.png%00.html'),
  path.toUpperCase(),
  `/user_avatars/${world.organization_id}/${iris.user_id}/2-small.png`,
  '/user_avatars/..%2f..%2fsecret',
  '/user_avatars/1/..%2f..%2f..%2fsecret',
  '/user_avatars/%2e%2e/%2e%2e/secret',
  '/user_avatars/1/%2e%2e',
  '/user_avatars/1/..\\..\\secret',
  '/user_avatars/1/.unfinished',
  `/user_avatars/1/${'x'.repeat(5_000)}.png`,
  '/user_avatars/1/%ff%fe.png',
  '/user_avatars/99999999999999999999/1-aa.png',
]
for (const tried of nothing) {
  test(`no avatar is served at ${tried.slice(0, 70)}`, async () => {
    // Sent through a socket, because `fetch` would resolve the dots in the path.
    const socket = connect(Number(new URL(base).port), '127.0.0.1')
    socket.end(`GET ${tried}?v=2 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
    const response = await text(socket)
    assert.match(response, /^HTTP\/1\.1 404 /)
    assert.ok(
      response.endsWith('{"result":"error","msg":"There is nothing at this path","code":"NOT_FOUND"}\n'),
    )
  })
}

test('avatar URLs accept only GET and HEAD', async () => {
  const { status, body } = await get(url, { method: 'POST' })
  assert.deepEqual([status, body.code], [405, 'METHOD_NOT_ALLOWED'])
})

const stock = '/static/images/default-avatar.png?v=1'

test('/avatar finds users by id or address, with and without the prefix /api/v1', async () => {
  const otto = await world.person('otto')
  const medium = url.replace('.png', '-medium.png')
  const drawn = (await otto.users.me()).avatar_url
  const ways: [path: string, location: string][] = [
    [`/avatar/${iris.user_id}`, url],
    [`/avatar/${iris.user_id}/medium`, medium],
    [`/avatar/${iris.user_id}/whatever`, medium],
    [`/avatar/${encodeURIComponent(iris.email.toUpperCase())}`, url],
    [`/avatar/${iris.email}/medium`, medium],
    [`/avatar/${otto.user_id}`, drawn],
    [`/avatar/${otto.email}/medium`, drawn.replace('.svg', '-medium.svg')],
    ['/avatar/nobody@nowhere.example', stock],
    ['/avatar/987654321/medium', stock],
    ['/avatar/99999999999999999999', stock],
    ['/avatar/a%00b', stock],
    [`/avatar/${iris.user_id}?s=50&x=a%26b`, `${url}&s=50&x=a%26b`],
  ]
  for (const root of ['', '/api/v1'])
    for (const [path, location] of ways) {
      const response = await get(root + path, { credentials: otto })
      assert.deepEqual([response.status, response.headers.get('location')], [302, location], path)
    }
  const bot = await get('/avatar/notification-bot@oxbow.invalid', { credentials: otto })
  assert.match((await get(bot.headers.get('location') ?? '')).text, /^<svg .*>NB<\/text><\/svg>$/)
  for (const tried of ['/avatar', '/avatar/', '/avatar/1/2/3'])
    assert.equal((await get(tried, { credentials: otto })).status, 404)
})

test('a user without an uploaded avatar has a picture with the initials of the current name', async () => {
  const anna = await world.person('anna')
  const { avatar_url } = await anna.users.me()
  const draw = () => request(world.nodes.b.url, { path: avatar_url })

  const first = await draw()
  await anna.users.updateSettings({ full_name: 'Zoë van Quill' })
  const second = await draw()

  assert.equal(first.status, 200)
  assert.equal(first.headers.get('content-type'), 'image/svg+xml; charset=utf-8')
  assert.equal(first.headers.get('content-security-policy'), "default-src 'none'; sandbox")
  assert.match(first.text, />AG<\/text>/)
  assert.match(second.text, />ZQ<\/text>/)
})

test('/avatar finds users by display address, not by a hidden one', async () => {
  await world.database.query('update organization set email_address_visibility = 4')
  const shown = (await iris.users.me()).email
  assert.notEqual(shown, iris.email)

  const hidden = await get(`/avatar/${iris.email}`, { credentials: world.owner })
  const found = await get(`/avatar/${shown}`, { credentials: world.owner })
  await world.database.query('update organization set email_address_visibility = 1')

  assert.equal(hidden.headers.get('location'), stock)
  assert.equal(found.headers.get('location'), url)
})

test('/avatar accepts the API key in the URL and removes it from the redirect', async () => {
  const api_key = iris.api_key
  for (const root of ['', '/api/v1']) {
    const response = await get(`${root}/avatar/1234567`, { query: { api_key, s: '9' } })
    assert.deepEqual([response.status, response.headers.get('location')], [302, `${stock}&s=9`])
  }
  assert.ok(!world.log.text.includes(api_key))
})

test('/avatar refuses requests without valid credentials', async () => {
  const hook = await world.bot('hook', world.owner, BotType.incomingWebhook)
  const gone = await world.person('gone')
  await world.owner.users.deactivate({ user_id: gone.user_id })
  const hill = await world.addOrganization('hill')
  const tries: [params: Partial<RawRequest>, status: number, msg: RegExp][] = [
    [{}, 401, /^Not logged in/],
    [{ query: { api_key: 'short' } }, 401, /^Malformed API key/],
    [{ query: { api_key: 'x'.repeat(32) } }, 401, /^Invalid API key/],
    [{ credentials: { email: 'otto@garden.example', api_key: iris.api_key } }, 401, /^Invalid API key/],
    // The header takes precedence over the key in the URL.
    [
      { query: { api_key: iris.api_key }, credentials: { email: iris.email, api_key: 'y'.repeat(32) } },
      401,
      /^Invalid API key/,
    ],
    [{ query: { api_key: gone.api_key } }, 401, /^Account is deactivated/],
    [{ query: { api_key: hill.owner.api_key } }, 401, /^Account is not associated/],
    [{ query: { api_key: hook.api_key } }, 401, /not available to incoming webhook bots/],
    [{ headers: { authorization: 'Bearer x' } }, 400, /requires HTTP basic/],
  ]
  for (const [options, status, msg] of tries) {
    const response = await get(`/avatar/${iris.user_id}`, options)
    assert.equal(response.status, status)
    assert.match(String(response.body.msg), msg)
    assert.equal(response.headers.get('location'), null)
  }
  // A Basic challenge would make browsers ask for a password.
  const challenge = async (path: string) => (await get(path)).headers.get('www-authenticate')
  assert.equal(await challenge('/avatar/1'), 'Session realm="chat"')
  assert.equal(await challenge('/api/v1/avatar/1'), 'Basic realm="chat"')
})

test('/avatar does not find users of another organization', async () => {
  const pond = await world.addOrganization('pond')
  for (const who of [String(iris.user_id), iris.email]) {
    const avatarUrl = `${base}/avatar/${who}?api_key=${pond.owner.api_key}`
    const response = await fetchAt(hostOf('pond'))(avatarUrl, { redirect: 'manual' })
    assert.deepEqual([response.status, response.headers.get('location')], [302, stock])
  }
})

test('requests for avatars log no server errors', () => {
  assert.deepEqual(world.log.entries(50), [])
})

test('the redirect from an id with the current version may be cached for a day', async () => {
  const version = Number(/[?&]v=(\d+)/.exec(url)?.[1])
  const find = async (path: string) => {
    const { status, headers } = await get(path, { credentials: iris })
    return [status, headers.get('location'), headers.get('cache-control')]
  }
  const forADay = 'private, max-age=86400'

  assert.deepEqual(await find(`/avatar/${iris.user_id}?v=${version}`), [302, url, forADay])
  for (const other of [version + 1, version - 1, 'x'])
    assert.equal((await find(`/avatar/${iris.user_id}?v=${other}`))[2], 'private, no-cache')
  assert.equal((await find(`/avatar/${iris.email}?v=${version}`))[2], 'private, no-cache')
  assert.equal((await find(`/avatar/999999?v=1`))[2], 'private, no-cache')
  assert.equal((await get(`/avatar/${iris.user_id}?v=${version}`)).status, 401)
})
