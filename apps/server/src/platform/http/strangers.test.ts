import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { listEndpoints } from '@oxbow/contract'
import { fetchAt, type Person, request, signIn, startWorld, type World } from '@oxbow/testkit'
import { upload } from '@oxbow/testkit/calls/uploads'
import { NetworkLimiter } from './network-limiter.ts'

const limit = 5
let world: World
let iris: Person
let addresses = 0

before(async () => {
  world = await startWorld({
    config: {
      stranger_limit_per_minute: limit,
      trusted_proxies: ['127.0.0.1'],
      external_url: 'https://chat.example',
    },
  })
  iris = await world.person('iris')
})
after(() => world[Symbol.asyncDispose]())

const newAddress = () => `203.0.113.${++addresses}`

async function statuses(
  count: number,
  options: Parameters<typeof request>[1],
  address: string | (() => string),
) {
  const found: number[] = []
  for (let index = 0; index < count; index++) {
    const forwarded = typeof address === 'string' ? address : address()
    const headers = { ...options.headers, 'x-forwarded-for': forwarded, host: 'chat.example' }
    found.push((await request(world.nodes.a.url, { ...options, headers })).status)
  }
  return found
}

const open = listEndpoints().filter(({ endpoint }) => endpoint.auth === 'nobody')
const pages = [
  '/avatar/1',
  '/realm/icon',
  '/join/x',
  '/register',
  '/login',
  '/accounts/go',
  '/',
  '/api/docs',
  '/integrations',
  '/nowhere',
]
const cases: [what: string, params: Parameters<typeof request>[1]][] = [
  ...open.map(({ name, endpoint }): [string, Parameters<typeof request>[1]] => [
    name,
    { method: endpoint.method, path: endpoint.path },
  ]),
  ...pages.map((path): [string, Parameters<typeof request>[1]] => [path, { path }]),
  ['a wrong temporary link', { path: '/user_uploads/temporary/1-1-1-zzzzzz.x/a.txt' }],
  ['a call without credentials', { path: '/api/v1/users/me' }],
  [
    'a call with a wrong key',
    { path: '/api/v1/users/me', credentials: { email: 'x@garden.example', api_key: 'x'.repeat(32) } },
  ],
  [
    'a delivery with a wrong key',
    { method: 'POST', path: '/api/v1/external/helloworld', query: { api_key: 'x'.repeat(32) } },
  ],
]

for (const [what, options] of cases) {
  test(`requests for ${what} without an account are limited`, async () => {
    const found = await statuses(limit + 1, options, newAddress())
    assert.ok(!found.slice(0, limit).includes(429), found.join())
    assert.equal(found[limit], 429)
  })
}

test('failed sign-ins count against the limit, and successful sign-ins do not', async () => {
  const path = '/api/v1/fetch_api_key'
  const signIn = (password: string) => ({ method: 'POST', path, form: { username: iris.email, password } })
  const successful = await statuses(limit * 2, signIn(iris.password), newAddress())
  assert.ok(
    successful.every((status) => status === 200),
    successful.join(),
  )
})

test('failed sign-ins on the page count against the limit, and successful sign-ins do not', async () => {
  const submit = (password: string) => ({
    method: 'POST',
    path: '/login',
    form: { username: iris.email, password },
    headers: { 'sec-fetch-site': 'same-origin' },
  })
  const successful = await statuses(limit * 2, submit(iris.password), newAddress())
  assert.deepEqual(new Set(successful), new Set([303]))
  const malformed = { ...submit('x'), form: { username: 'nonsense', password: 'x' } }
  const wrong = await statuses(limit + 1, malformed, newAddress())
  assert.deepEqual([new Set(wrong.slice(0, limit)), wrong[limit]], [new Set([403]), 429])
})

test('a browser above the limit gets a page that says when to try again', async () => {
  const address = newAddress()
  await statuses(limit, { path: '/login' }, address)
  const headers = { accept: 'text/html', 'accept-language': 'de', 'x-forwarded-for': address }
  const { status, text } = await request(world.nodes.a.url, { path: '/login', headers })
  assert.equal(status, 429)
  assert.match(text, /<h1>Zu viele Anfragen<\/h1>\s*<p>Versuchen Sie es in \d+ Sekunden? wieder\.<\/p>/)
})

test('a sign-in form that is posted to a host without an organization counts against the limit', async () => {
  const address = newAddress()
  const found: number[] = []
  for (let index = 0; index <= limit; index++) {
    const response = await fetchAt('nothing.chat.example')(`${world.nodes.a.url}/login`, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin', 'x-forwarded-for': address },
      body: new URLSearchParams({ username: iris.email, password: iris.password }),
      redirect: 'manual',
    })
    found.push(response.status)
  }
  assert.deepEqual([new Set(found.slice(0, limit)), found[limit]], [new Set([303]), 429])
})

/** Pages that signed-in people use, too. */
const personalPages = [
  { path: '/', status: 200 },
  { path: '/invite', status: 200 },
  { path: '/invite', method: 'POST', form: { emails: '' }, status: 400 },
  { path: '/login', status: 302 },
  { path: '/logout', method: 'POST', form: {}, status: 303 },
]

test('the limit for requests without an account neither counts nor refuses page requests of signed-in users', async () => {
  const address = newAddress()
  await statuses(limit + 1, { path: '/login' }, address)
  for (const { status, ...page } of personalPages) {
    const times = page.path === '/logout' ? 1 : limit + 1
    const { cookie } = await signIn(world, iris, { host: 'chat.example' })
    const headers = { cookie, accept: 'text/html', 'sec-fetch-site': 'same-origin' }
    const found = await statuses(times, { ...page, headers }, address)
    assert.deepEqual(new Set(found), new Set([status]), page.path)
  }
})

test('pages count requests whose session, key or header belongs to no account', async () => {
  for (const { status: _, ...page } of personalPages)
    for (const credentials of [
      { cookie: `__Host-oxbow=${'x'.repeat(43)}` },
      { cookie: 'oxbow=x' },
      { authorization: 'x' },
    ]) {
      const headers = { ...credentials, accept: 'text/html', 'sec-fetch-site': 'same-origin' }
      const found = await statuses(limit + 1, { ...page, headers }, newAddress())
      assert.ok(!found.slice(0, limit).includes(429), found.join())
      assert.equal(found[limit], 429, `${page.path} ${JSON.stringify(credentials)}`)
    }
})

test('requests without an account do not count against accounts at the same IP address', async () => {
  const address = newAddress()
  await statuses(limit + 1, { path: '/api/v1/server_settings' }, address)
  const found = await statuses(limit + 1, { path: '/api/v1/users/me', credentials: iris }, address)
  assert.ok(
    found.every((status) => status === 200),
    found.join(),
  )
})

test('requests with valid credentials or a valid temporary link never count as requests without an account', async () => {
  const [, , id = '', ...rest] = (await upload(iris)).split('/')
  const { url } = await iris.uploads.getTemporaryLink({ realm_id_str: id, filename: rest.join('/') })
  const path = `/user_uploads/${id}/${rest.join('/')}`
  for (const [host, expected] of [
    [{ path: url }, 200],
    [{ path, credentials: iris }, 200],
    [{ path, query: { api_key: iris.api_key } }, 200],
    [{ path: `/avatar/${iris.user_id}`, credentials: iris }, 302],
    [{ path: `/api/v1/avatar/${iris.user_id}/medium`, query: { api_key: iris.api_key } }, 302],
  ] as const) {
    const found = await statuses(limit + 1, host, newAddress())
    assert.deepEqual(new Set(found), new Set([expected]), host.path)
  }
})

test('IPv6 addresses of one /64 network are counted together', async () => {
  let last = 0
  const found = await statuses(
    limit + 1,
    { path: '/api/v1/server_settings' },
    () => `2001:db8:1:2::${++last}`,
  )
  assert.equal(found.at(-1), 429)
  assert.deepEqual(await statuses(1, { path: '/api/v1/server_settings' }, '2001:db8:1:3::1'), [200])
})

test('the response to a refused request without an account has the seconds to wait', async () => {
  const address = newAddress()
  await statuses(limit, { path: '/api/v1/server_settings' }, address)
  const headers = { 'x-forwarded-for': address, host: 'chat.example' }
  const { headers: responseHeaders, body } = await request(world.nodes.a.url, {
    path: '/api/v1/server_settings',
    headers,
  })
  const wait = Number(responseHeaders.get('retry-after'))
  assert.ok(wait > 0 && wait <= 60)
  assert.equal(body.code, 'RATE_LIMIT_HIT')
})

test('the limiter drops the oldest networks beyond 10,000', () => {
  const limiter = new NetworkLimiter(1, 60_000)
  for (let index = 0; index < 12_000; index++)
    limiter.count(`10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`)
  assert.equal(limiter.size, 10_000)
})
