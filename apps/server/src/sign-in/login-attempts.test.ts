import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { request, startWorld } from '@oxbow/testkit'
import { forgetOldLoginAttempts } from './login-attempts.ts'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())

const tryAt = (node: 'a' | 'b', username: string, password: string) =>
  request(world.nodes[node].url, {
    method: 'POST',
    path: '/api/v1/fetch_api_key',
    form: { username, password },
  })

/** What came of so many wrong guesses, one after the other, now here and now there. */
async function guess(username: string, times: number): Promise<number[]> {
  const statuses: number[] = []
  for (let index = 0; index < times; index++)
    statuses.push((await tryAt(index % 2 ? 'b' : 'a', username, 'wrong')).status)
  return statuses
}

test('the sixth attempt is refused on either node, even with the right password, and says how long', async () => {
  const iris = await world.person('iris')

  assert.deepEqual(await guess(iris.email, 6), [403, 403, 403, 403, 403, 429])

  for (const node of ['a', 'b'] as const) {
    const { status, headers, body } = await tryAt(node, ' IRIS@garden.example', iris.password)
    assert.equal(status, 429)
    const { 'retry-after': wait, ...rest } = body
    assert.deepEqual(rest, {
      result: 'error',
      code: 'RATE_LIMIT_HIT',
      msg: 'API usage exceeded rate limit',
    })
    assert.ok(typeof wait === 'number' && wait > 1700 && wait <= 1800, String(wait))
    assert.equal(headers.get('retry-after'), String(wait))
  }
})

test('a name that nobody has is counted alike, and another name is not touched', async () => {
  const otto = await world.person('otto')

  assert.deepEqual(await guess('nobody@garden.example', 6), [403, 403, 403, 403, 403, 429])

  assert.equal((await tryAt('a', otto.email, otto.password)).status, 200)
})

test('a success clears what was counted', async () => {
  const rosa = await world.person('rosa')

  for (let round = 0; round < 3; round++) {
    assert.deepEqual(await guess(rosa.email, 4), [403, 403, 403, 403])
    assert.equal((await tryAt('b', rosa.email, rosa.password)).status, 200)
  }
})

test('of a hundred guesses at once over both nodes exactly five are judged', async () => {
  for (const username of [(await world.person('mia')).email, 'unknown@garden.example']) {
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => tryAt(index % 2 ? 'b' : 'a', username, `guess ${index}`)),
    )

    const count = (status: number) => answers.filter((answer) => answer.status === status).length
    assert.deepEqual([count(403), count(429)], [5, 95])
  }
})

test('an attempt counts for half an hour, and those that were refused do not count', async () => {
  const lena = await world.person('lena')
  const age = (interval: string) =>
    world.database.query(
      `update login_attempt set attempted_at = array(select t - $2::interval from unnest(attempted_at) t)
       where username = $1`,
      [lena.email, interval],
    )
  await guess(lena.email, 8)

  await age('29 minutes 50 seconds')
  const { status, body } = await tryAt('a', lena.email, lena.password)
  assert.equal(status, 429)
  assert.ok(Number(body['retry-after']) <= 10)
  await age('20 seconds')

  assert.equal((await tryAt('b', lena.email, lena.password)).status, 200)
})

test('attempts are forgotten once they no longer count', async () => {
  await guess('old@garden.example', 1)
  await guess('young@garden.example', 1)
  await world.database.query(
    "update login_attempt set attempted_at = array[now() - interval '31 minutes'] where username like 'old@%'",
  )

  await forgetOldLoginAttempts.run(world.nodes.a.app, {})

  const kept = await world.database.query('select username from login_attempt')
  const names = kept.map((row) => row.username)
  assert.ok(names.includes('young@garden.example') && !names.includes('old@garden.example'))
})

test('organizations count for themselves', async () => {
  const tea = await world.addOrganization('tea')
  await guess(tea.owner.email, 6)

  const { email: username, password } = tea.owner
  const fetched = await tea.owner.on('b').authentication.fetchApiKey({ username, password })

  assert.equal(fetched.api_key, tea.owner.api_key)
})
