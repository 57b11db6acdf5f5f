import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { postFrom, request, startStopwatch, startWorld } from '@oxbow/testkit'
import { deleteOldSignInAttempts } from './sign-in-attempts.ts'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
beforeEach(() => world.database.query('truncate sign_in_failure, sign_in_network'))

const tryFrom = (address: string, username: string, password: string, node: 'a' | 'b' = 'a') =>
  postFrom(address, `${world.nodes[node].url}/api/v1/fetch_api_key`, { username, password })

/** Inserts failed attempts that happened some minutes ago. */
const failBefore = (times: number, username: string, network: string, minutes = 2) =>
  world.database.query(
    `insert into sign_in_failure (organization_id, username, network, judged_at)
     select $1, $2, $3, now() - $4 * interval '1 minute' from generate_series(1, $5)`,
    [world.organization_id, username, network, minutes, times],
  )

interface TimedAttempt {
  status: number
  /** Seconds for which the attempt was delayed, or more if the machine stood still. */
  maxSeconds: number
  /** Seconds for which the attempt was delayed, without the time for which the machine stood still. */
  minSeconds: number
}

async function timeTry(...args: Parameters<typeof tryFrom>): Promise<TimedAttempt> {
  const started = performance.now()
  await using stopwatch = startStopwatch(world.database)
  const { status } = await tryFrom(...args)
  return {
    status,
    maxSeconds: (performance.now() - started) / 1_000,
    minSeconds: stopwatch.elapsedMs() / 1_000,
  }
}

test('a few of a hundred concurrent attempts from one address are checked, and the others are told how long to wait', async () => {
  for (const username of [(await world.person('mia')).email, 'unknown@garden.example']) {
    const responses = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        tryFrom('127.0.1.1', username, `guess ${index}`, index % 2 ? 'b' : 'a'),
      ),
    )

    const refused = responses.filter(({ status }) => status === 429)
    const judged = responses.filter(({ status }) => status === 403)
    // Three attempts are checked at once, and one more after 1, 2, 4 and 8 seconds each, if the
    // test takes that long.
    assert.ok(judged.length >= 5 && judged.length <= 7, `${judged.length} were judged`)
    assert.equal(refused.length, 100 - judged.length)
    for (const { body } of refused) {
      const { 'retry-after': wait, ...rest } = body
      assert.deepEqual(rest, {
        result: 'error',
        code: 'RATE_LIMIT_HIT',
        msg: 'API usage exceeded rate limit',
      })
      assert.ok(Number(wait) > 5 && Number(wait) <= 23, String(wait))
    }
  }
})

test('the delay of one address doubles with each failure, up to five minutes', async () => {
  const iris = await world.person('iris')
  const delays = { 7: 16, 8: 32, 9: 64, 10: 128, 11: 256, 12: 300, 30: 300 }
  for (const [failures, delay] of Object.entries(delays)) {
    await world.database.query('truncate sign_in_failure')
    const started = performance.now()
    await failBefore(Number(failures), iris.email, '127.0.1.2/32', 0)
    const { status, body } = await tryFrom('127.0.1.2', iris.email, iris.password)
    const elapsedSeconds = (performance.now() - started) / 1_000
    assert.equal(status, 429)
    const wait = Number(body['retry-after'])
    assert.ok(wait <= delay && wait >= delay - elapsedSeconds, `${wait} s after ${failures} failures`)
  }
})

test('failures from other addresses never lock an account: new addresses wait seconds, and known ones do not wait', async () => {
  const otto = await world.person('otto')
  assert.equal((await tryFrom('127.0.1.3', otto.email, otto.password)).status, 200)
  for (let network = 0; network < 40; network++) await failBefore(25, otto.email, `10.0.0.${network}/32`)

  const known = await timeTry('127.0.1.3', otto.email, otto.password)
  assert.deepEqual([known.status, known.minSeconds < 1], [200, true], `held for ${known.minSeconds} s`)
  const strange = await timeTry('127.0.1.4', otto.email, otto.password, 'b')
  assert.equal(strange.status, 200)
  assert.ok(strange.maxSeconds > 4.5 && strange.minSeconds < 8, `held for ${strange.maxSeconds} s`)
  const again = await timeTry('127.0.1.4', otto.email, otto.password)
  assert.deepEqual([again.status, again.minSeconds < 1], [200, true], `held for ${again.minSeconds} s`)
})

test('an address may fail 50 times an hour in total, and part of this is reserved for accounts known there', async () => {
  const [rosa, lena] = await world.people('rosa', 'lena')
  const tea = await world.addOrganization('tea')
  assert.equal((await tryFrom('127.0.1.5', rosa.email, rosa.password)).status, 200)
  for (let account = 0; account < 40; account++)
    await failBefore(1, `name${account}@garden.example`, '127.0.1.5/32', 10 + (account % 40))

  const strange = await tryFrom('127.0.1.5', lena.email, lena.password)
  assert.equal(strange.status, 429)
  assert.ok(Number(strange.body['retry-after']) <= 660 && Number(strange.body['retry-after']) > 600)
  const elsewhere = await postFrom(
    '127.0.1.5',
    `${world.nodes.b.url}/api/v1/fetch_api_key`,
    { username: tea.owner.email, password: tea.owner.password },
    { host: 'tea.localhost' },
  )
  assert.equal(elsewhere.status, 429)
  assert.equal((await tryFrom('127.0.1.6', lena.email, lena.password)).status, 200)
  assert.equal((await tryFrom('127.0.1.5', rosa.email, rosa.password)).status, 200)

  await failBefore(10, 'name@garden.example', '127.0.1.5/32')
  assert.equal((await tryFrom('127.0.1.5', rosa.email, rosa.password)).status, 429)
})

test('a successful sign-in deletes only the failures of this account and address', async () => {
  const nora = await world.person('nora')
  await failBefore(2, nora.email, '127.0.1.7/32')
  await failBefore(2, nora.email, '127.0.1.8/32')
  await failBefore(2, 'other@garden.example', '127.0.1.7/32')

  assert.equal((await tryFrom('127.0.1.7', ' NORA@garden.example', nora.password)).status, 200)

  const remaining = await world.database.query(
    'select username, host(network) as host from sign_in_failure order by username, host',
  )
  assert.deepEqual(remaining.length, 4)
  assert.ok(!remaining.some(({ username, host }) => username === nora.email && host === '127.0.1.7'))
})

test('wrong passwords delay password changes as they delay sign-ins', async () => {
  const piet = await world.person('piet')
  await failBefore(10, piet.email, '127.0.0.1/32', 0)

  const { status, body } = await request(world.nodes.a.url, {
    method: 'PATCH',
    path: '/api/v1/settings',
    credentials: piet,
    form: { old_password: piet.password, new_password: 'another plum tree 52' },
  })

  assert.equal(status, 400)
  assert.match(String(body.msg), /too many attempts! Try again in \d+ seconds/)
})

test('failures are deleted after an hour, and known networks after half a year', async () => {
  const vera = await world.person('vera')
  await failBefore(1, 'old@garden.example', '10.0.0.1/32', 61)
  await failBefore(1, 'young@garden.example', '10.0.0.1/32', 59)
  await world.database.query(
    `insert into sign_in_network (organization_id, user_id, network, last_at)
     values ($1, $2, '10.0.0.1/32', now() - interval '181 days'), ($1, $2, '10.0.0.2/32', now())`,
    [world.organization_id, vera.user_id],
  )

  await deleteOldSignInAttempts.run(world.nodes.a.app, {})

  const names = await world.database.query('select username from sign_in_failure')
  assert.deepEqual(names, [{ username: 'young@garden.example' }])
  assert.deepEqual(await world.database.query('select host(network) from sign_in_network'), [
    { host: '10.0.0.2' },
  ])
})
