import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { Generation } from '@oxbow/contract'
import {
  type NodeName,
  type Person,
  type RawRequest,
  type RawResponse,
  request,
  startWorld,
} from '@oxbow/testkit'
import { bySize } from '@oxbow/testkit/size'
import { readIdempotencyKey } from './idempotency.ts'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world

interface Call extends RawRequest {
  as: Person
  key: string
  on?: NodeName
}

const sendWithKey = ({ as, key, on = 'a', ...params }: Call): Promise<RawResponse> =>
  request(world.nodes[on].url, { ...params, credentials: as, headers: { 'idempotency-key': key } })

let count = 0
const newKey = () => `key-${++count}`
const account = (name: string) => ({
  email: `${name}@garden.example`,
  full_name: 'Rose Gardener',
  password: 'plum tree 51 garden',
})
const create = (name: string, params: Pick<Call, 'key'> & Partial<Call>) =>
  sendWithKey({ as: owner, method: 'POST', path: '/api/v1/users', form: account(name), ...params })

const accountsOf = async (name: string) =>
  (
    await world.database.query(
      'select from user_account where organization_id = $1 and delivery_email = $2',
      [world.organization_id, `${name}@garden.example`],
    )
  ).length

test('a retried request gets the first response and makes no second change', async () => {
  const key = newKey()

  const first = await create('rose', { key })
  const again = await create('rose', { key, on: 'b' })

  assert.equal(first.status, 200, first.text)
  assert.deepEqual([again.status, again.body], [first.status, first.body])
  assert.equal(await accountsOf('rose'), 1)
})

test('a request without an idempotency key, or with a new one, is executed', async () => {
  await create('lily', { key: newKey() })

  const other = await create('lily', { key: newKey() })
  const keyless = await request(world.nodes.a.url, {
    method: 'POST',
    path: '/api/v1/users',
    credentials: owner,
    form: account('lily'),
  })

  for (const { status, body } of [other, keyless])
    assert.deepEqual([status, body.msg], [400, "Email 'lily@garden.example' already in use"])
})

test('concurrent requests with one key on both nodes make one change and get the same response', async () => {
  for (let round = 0; round < 10; round++) {
    const key = newKey()
    const name = `twice${round}`

    const [here, there] = await Promise.all([create(name, { key }), create(name, { key, on: 'b' })])

    assert.deepEqual([here.status, here.body], [200, there.body])
    assert.equal(await accountsOf(name), 1)
  }
})

test('retries during the first request all get the same response', async () => {
  for (let round = 0; round < bySize({ gate: 5, long: 30 }); round++) {
    const key = newKey()
    const name = `crowd${round}`

    const responses = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        await setTimeout(index * 2)
        return create(name, { key, on: index % 2 ? 'a' : 'b' })
      }),
    )

    for (const { status, body } of responses) assert.deepEqual([status, body], [200, responses[0]?.body])
    assert.equal(await accountsOf(name), 1)
  }
})

test('an idempotency key that was used for another request is refused', async () => {
  const key = newKey()
  await create('fern', { key })

  const otherArguments = await create('moss', { key })
  const otherEndpoint = await sendWithKey({
    as: owner,
    key,
    method: 'PATCH',
    path: '/api/v1/settings',
    form: { full_name: 'Olive' },
  })

  for (const { status, body } of [otherArguments, otherEndpoint]) {
    assert.deepEqual(
      [status, body],
      [
        422,
        {
          result: 'error',
          code: 'IDEMPOTENCY_KEY_REUSED',
          msg: 'This Idempotency-Key was used for another request',
        },
      ],
    )
  }
  assert.equal(await accountsOf('moss'), 0)
})

test('equal requests for different users have different fingerprints', async () => {
  const key = newKey()
  const [firstTarget, secondTarget] = await world.people('first-target', 'second-target')
  const rename = ({ user_id }: Person) =>
    sendWithKey({
      as: owner,
      key,
      method: 'PATCH',
      path: `/api/v1/users/${user_id}`,
      form: { full_name: '"Renamed Both"' },
    })

  assert.equal((await rename(firstTarget)).status, 200)
  assert.equal((await rename(secondTarget)).status, 422)
})

test('a refused request is executed again when it is retried with the same key', async () => {
  const key = newKey()
  const weak = { ...account('ivy'), password: 'weak' }
  const refused = await create('ivy', { key, form: weak })
  assert.deepEqual([refused.status, refused.body.msg], [400, 'The password is too weak.'])

  const other = await create('ivy', { key })

  assert.equal(other.status, 200, other.text)
  assert.equal(await accountsOf('ivy'), 1)
})

test('an idempotency key that another account has used is executed as a new request', async () => {
  const ada = await world.person('ada', 'administrator')
  const key = newKey()
  const first = await create('oak', { key })
  const second = await create('elm', { key, as: ada })

  assert.deepEqual([first.status, second.status], [200, 200])
  assert.notDeepEqual(first.body, second.body)
})

test('the response with a regenerated API key is not saved, so a retry makes another key', async () => {
  const iris = await world.person('iris')
  const regenerate = (api_key: string) =>
    sendWithKey({
      as: { ...iris, api_key },
      key: 'the same',
      method: 'POST',
      path: '/api/v1/users/me/api_key/regenerate',
    })

  const first = await regenerate(iris.api_key)
  const second = await regenerate(String(first.body.api_key))

  assert.deepEqual([first.status, second.status], [200, 200])
  assert.notEqual(first.body.api_key, second.body.api_key)
  assert.deepEqual(
    await world.database.query('select from idempotent_answer where user_id = $1', [iris.user_id]),
    [],
  )
})

test('a retry of a request with several transactions gets the whole response', async () => {
  const otto = await world.person('otto')
  const change = (on: NodeName) =>
    sendWithKey({
      as: otto,
      key: 'settings',
      on,
      method: 'PATCH',
      path: '/api/v1/settings',
      form: {
        full_name: 'Otto the Great',
        old_password: otto.password,
        new_password: 'pear tree 52 garden',
      },
    })

  const first = await change('a')
  // Without the saved response the retry would be refused, because the password has changed.
  const again = await change('b')

  assert.deepEqual([first.status, first.body.full_name], [200, 'Otto the Great'])
  assert.deepEqual([again.status, again.body], [first.status, first.body])
})

test('a saved response is dropped after a day', async () => {
  const key = newKey()
  await create('pine', { key })
  const age = (interval: string) =>
    world.database.query(
      `update idempotent_answer set created_at = now() - interval '${interval}' where key = $1`,
      [key],
    )

  await age('23 hours')
  assert.equal((await create('pine', { key })).status, 200)
  await age('25 hours')
  assert.equal((await create('pine', { key })).body.msg, "Email 'pine@garden.example' already in use")
  const other = await create('birch', { key })
  assert.equal(other.status, 200, 'the key may be used anew')
  assert.deepEqual((await create('birch', { key })).body, other.body)
})

test('keys must be visible ASCII of at most 255 characters', async () => {
  const refused = { code: 'BAD_REQUEST', msg: 'An Idempotency-Key has 1 to 255 visible ASCII characters' }
  for (const key of ['', 'with space', 'x'.repeat(256), 'é']) {
    const { status, body } = await create('weed', { key })
    assert.deepEqual([status, body], [400, { result: 'error', ...refused }], JSON.stringify(key))
  }
  assert.equal((await create('reed', { key: '~'.repeat(255) })).status, 200)
})

test('concurrent deletions of a queue with the same key all succeed', async () => {
  for (let round = 0; round < 20; round++) {
    const { queue_id } = await owner.events.register({ fetch_event_types: [] })
    const key = newKey()
    const remove = (on: NodeName) =>
      sendWithKey({ as: owner, key, on, method: 'DELETE', path: '/api/v1/events', query: { queue_id } })

    const responses = await Promise.all([remove('a'), remove('b'), remove('a'), remove('b')])

    assert.deepEqual(
      responses.map(({ status }) => status),
      [200, 200, 200, 200],
    )
  }
})

test('only where responses differ between generations, a retry must be of the same generation', () => {
  const { app } = world.nodes.a
  const fingerprint = (variesByGeneration: boolean, generation: Generation) =>
    readIdempotencyKey(
      app,
      'key',
      { name: 'test', endpoint: { variesByGeneration } },
      {},
      generation,
    )?.fingerprint.toString('hex')

  assert.equal(fingerprint(false, 27), fingerprint(false, 371))
  assert.equal(fingerprint(true, 27), fingerprint(false, 27), 'as nodes without generations compute it')
  assert.notEqual(fingerprint(true, 27), fingerprint(true, 371))
})
