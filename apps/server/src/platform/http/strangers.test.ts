import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { listEndpoints } from '@oxbow/contract'
import { type Person, request, startWorld, type World } from '@oxbow/testkit'
import { StrangerLimiter } from './stranger-limiter.ts'

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
  given: Parameters<typeof request>[1],
  address: string | (() => string),
) {
  const found: number[] = []
  for (let index = 0; index < count; index++) {
    const forwarded = typeof address === 'string' ? address : address()
    const headers = { ...given.headers, 'x-forwarded-for': forwarded, host: 'chat.example' }
    found.push((await request(world.nodes.a.url, { ...given, headers })).status)
  }
  return found
}

const open = listEndpoints().filter(({ endpoint }) => endpoint.auth === 'nobody')
const pages = ['/avatar/1', '/realm/icon', '/join/x', '/register', '/api/docs', '/integrations', '/nowhere']
const asked: [what: string, given: Parameters<typeof request>[1]][] = [
  ...open.map(({ name, endpoint }): [string, Parameters<typeof request>[1]] => [
    name,
    { method: endpoint.method, path: endpoint.path },
  ]),
  ...pages.map((path): [string, Parameters<typeof request>[1]] => [path, { path }]),
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

for (const [what, given] of asked) {
  test(`requests for ${what} without an account are limited`, async () => {
    const found = await statuses(limit + 1, given, newAddress())
    assert.ok(!found.slice(0, limit).includes(429), found.join())
    assert.equal(found[limit], 429)
  })
}

test('failed sign-ins count against the limit, and successful ones do not', async () => {
  const path = '/api/v1/fetch_api_key'
  const signIn = (password: string) => ({ method: 'POST', path, form: { username: iris.email, password } })
  const right = await statuses(limit * 2, signIn(iris.password), newAddress())
  assert.ok(
    right.every((status) => status === 200),
    right.join(),
  )
})

test('requests of strangers do not count against accounts at the same IP address', async () => {
  const address = newAddress()
  await statuses(limit + 1, { path: '/api/v1/server_settings' }, address)
  const found = await statuses(limit + 1, { path: '/api/v1/users/me', credentials: iris }, address)
  assert.ok(
    found.every((status) => status === 200),
    found.join(),
  )
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

test('a refused stranger gets the time to wait', async () => {
  const address = newAddress()
  await statuses(limit, { path: '/api/v1/server_settings' }, address)
  const headers = { 'x-forwarded-for': address, host: 'chat.example' }
  const { headers: answered, body } = await request(world.nodes.a.url, {
    path: '/api/v1/server_settings',
    headers,
  })
  const wait = Number(answered.get('retry-after'))
  assert.ok(wait > 0 && wait <= 60)
  assert.equal(body.code, 'RATE_LIMIT_HIT')
})

test('the limiter drops the oldest networks beyond 10,000', () => {
  const limiter = new StrangerLimiter(1)
  for (let index = 0; index < 12_000; index++)
    limiter.count(`10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`)
  assert.equal(limiter.size, 10_000)
})
