import assert from 'node:assert/strict'
import { test } from 'node:test'
import { request, signIn, startWorld } from '@oxbow/testkit'
import fc from 'fast-check'
import { RateLimiter } from './request-limits.ts'

test('exactly the limit of requests is allowed within any minute', () => {
  const gaps = fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 200 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), gaps, (limit, waits) => {
      const limiter = new RateLimiter(limit)
      const allowed: number[] = []
      let now = 1_000_000
      for (const wait of waits) {
        now += wait
        const inLastMinute = allowed.filter((time) => time > now - 60_000).length
        const state = limiter.count(7, now)
        assert.equal(state?.allowed, inLastMinute < limit)
        if (state?.allowed) allowed.push(now)
        else assert.ok(limiter.count(7, now + (state?.retryAfter ?? 0) - 1)?.allowed === false)
      }
    }),
  )
})

test('responses have headers with the limit and the remaining requests, and a refusal has the time to wait', async () => {
  await using world = await startWorld({ config: { rate_limit_per_minute: 3 } })
  const getMe = () => request(world.nodes.a.url, { path: '/api/v1/users/me', credentials: world.owner })

  const before = Date.now()
  const first = await getMe()
  const after = Date.now()
  const responses = [first, await getMe(), await getMe(), await getMe()]
  const elapsedSeconds = (Date.now() - before) / 1_000

  assert.deepEqual(
    responses.map(({ status }) => status),
    [200, 200, 200, 429],
  )
  assert.deepEqual(
    responses.map(({ headers }) => headers.get('x-ratelimit-remaining')),
    ['2', '1', '0', '0'],
  )
  assert.equal(first.headers.get('x-ratelimit-limit'), '3')
  const reset = Number(first.headers.get('x-ratelimit-reset'))
  assert.ok(reset >= Math.floor(before / 1_000) + 60 && reset <= Math.floor(after / 1_000) + 60, `${reset}`)
  const [, , , last] = responses
  const wait = Number(last?.headers.get('retry-after'))
  assert.ok(wait >= 60 - elapsedSeconds && wait <= 60, `${wait} s`)
  assert.deepEqual(last?.body, {
    result: 'error',
    msg: 'API usage exceeded rate limit',
    code: 'RATE_LIMIT_HIT',
    'retry-after': wait,
  })
})

test("page requests of a signed-in person count against the account's limit", async () => {
  await using world = await startWorld({ config: { rate_limit_per_minute: 3 } })
  const { headers } = await signIn(world, world.owner)
  const open = (path: string) =>
    request(world.nodes.a.url, { path, headers: { ...headers, accept: 'text/html' } })

  const opened = [await open('/'), await open('/invite'), await open('/login'), await open('/')]

  assert.deepEqual(
    opened.map(({ status }) => status),
    [200, 200, 302, 429],
  )
  const refused = opened.at(-1)
  assert.match(refused?.text ?? '', /<h1>Too many requests<\/h1>/)
  assert.ok(Number(refused?.headers.get('retry-after')) > 0)
})

test('other accounts, public endpoints and wrong credentials do not count toward the rate limit of an account', async () => {
  await using world = await startWorld({ config: { rate_limit_per_minute: 1 } })
  const iris = await world.person('iris')
  const { url } = world.nodes.a
  assert.equal((await request(url, { path: '/api/v1/users/me', credentials: world.owner })).status, 200)
  assert.equal((await request(url, { path: '/api/v1/users/me', credentials: world.owner })).status, 429)

  assert.equal((await request(url, { path: '/api/v1/users/me', credentials: iris })).status, 200)
  const settings = await request(url, { path: '/api/v1/server_settings' })
  assert.deepEqual([settings.status, settings.headers.get('x-ratelimit-limit')], [200, null])
  const wrong = { email: iris.email, api_key: 'x'.repeat(32) }
  for (let i = 0; i < 3; i++) {
    assert.equal((await request(url, { path: '/api/v1/users/me', credentials: wrong })).status, 401)
  }
})
