import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openQueue, request, signIn, startWorld } from '@oxbow/testkit'
import { openStream, waitUntilListening } from '@oxbow/testkit/calls/listening'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { nodes, owner } = world

test('errors have a name for requests with a session, and none for requests with an API key', async () => {
  const { headers } = await signIn(world, owner)
  const call = { method: 'POST', path: '/api/v1/users/me/alert_words', form: { alert_words: 'no list' } }

  const bySession = await request(nodes.a.url, { ...call, headers: { ...headers } })
  const byKey = await request(nodes.a.url, { ...call, credentials: owner })
  const byBoth = await request(nodes.a.url, { ...call, headers: { ...headers }, credentials: owner })

  assert.equal(byKey.status, 400)
  assert.deepEqual(bySession.body, { ...byKey.body, name: 'ARGUMENT_NOT_JSON' })
  assert.deepEqual(byBoth.body, byKey.body)
  assert.ok(!('name' in byKey.body))
})

test('errors have a name for ended sessions and for unknown paths, and none for requests without credentials', async () => {
  const cookie = `oxbow=${'A'.repeat(43)}`
  const getBody = async (path: string, headers: Record<string, string>) =>
    (await request(nodes.b.url, { path, headers })).body

  assert.equal((await getBody('/api/v1/users/me', { cookie })).name, 'NOT_LOGGED_IN')
  assert.equal((await getBody('/api/v1/nowhere', { cookie })).name, 'NOT_FOUND')
  assert.ok(!('name' in (await getBody('/api/v1/users/me', {}))))
  assert.ok(!('name' in (await getBody('/api/v1/users/me', { cookie: 'theme=oxbow' }))))
})

test('the error for a session with an unknown parameter has a name and lists the parameter', async () => {
  const { headers } = await signIn(world, owner)

  const { body } = await request(nodes.a.url, {
    method: 'POST',
    path: '/api/v1/users/me/alert_words',
    form: { words: '[]' },
    headers: { ...headers },
  })

  assert.equal(body.name, 'REQUEST_VARIABLE_MISSING')
  assert.deepEqual(body.ignored_parameters_unsupported, ['words'])
})

test('the error that ends an event stream has a name for sessions only', async () => {
  const person = await world.person('listener')
  const session = await signIn(world, person)
  const names: (string | undefined)[] = []
  for (const [account, end] of [
    [session, () => session.sessions.endCurrent()],
    [person, () => owner.users.deactivate({ user_id: person.user_id })],
  ] as const) {
    const { queue_id } = await openQueue(account)
    const source = await openStream(world, account, queue_id, 'b')
    await waitUntilListening(world, queue_id, 'b')
    await end()
    for (let event = await source.next(); event; event = await source.next())
      if (event.type === 'error') names.push(JSON.parse(event.data ?? '').name)
  }

  assert.deepEqual(names, ['NOT_LOGGED_IN', undefined])
})
