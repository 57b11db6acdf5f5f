import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { request, startWorld } from '@oxbow/testkit'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())

test('the msg of realm/subdomain says whether a new organization can have the subdomain', async () => {
  await world.addOrganization('hill')
  const unavailable = 'Subdomain unavailable. Please choose a different one.'
  for (const [subdomain, msg] of [
    ['meadow', 'available'],
    ['hill', unavailable],
    ['x'.repeat(64), unavailable],
    ['ab', 'Subdomain needs to have length 3 or greater.'],
    ['-meadow', "Subdomain cannot start or end with a '-'."],
    ['meadow-', "Subdomain cannot start or end with a '-'."],
    ['Meadow', "Subdomain can only have lowercase letters, numbers, and '-'s."],
    ['mea_dow', "Subdomain can only have lowercase letters, numbers, and '-'s."],
  ] as const) {
    const path = `/api/v1/realm/subdomain/${subdomain}`
    const { status, body } = await request(world.nodes.b.url, { path })
    assert.deepEqual([status, body], [200, { result: 'success', msg }], subdomain)
  }
  assert.deepEqual(await world.anonymous().server.checkSubdomain({ subdomain: 'meadow' }), {
    msg: 'available',
  })
})

test('generate_204 answers every method with an empty body', async () => {
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD']) {
    const response = await fetch(`${world.nodes.a.url}/api/v1/generate_204`, { method })
    assert.deepEqual([response.status, await response.text()], [204, ''], method)
  }
})

test('fetch_google_client_id is refused, because the server has no Google client id', async () => {
  const { status, body } = await request(world.nodes.a.url, { path: '/api/v1/fetch_google_client_id' })

  assert.deepEqual(
    [status, body],
    [
      400,
      {
        ...{ result: 'error', code: 'BAD_REQUEST' },
        ...{ msg: 'This server does not offer signing in with Google.', google_client_id: '' },
      },
    ],
  )
})

test('register returns the configured Jitsi server', async () => {
  const read = async (config: object) => {
    await using other = await startWorld({ config })
    return (await other.owner.events.register({ fetch_event_types: ['realm'] })).jitsi_server_url
  }

  const { jitsi_server_url } = await world.owner.events.register({ fetch_event_types: ['realm'] })
  assert.equal(jitsi_server_url, 'https://meet.jit.si')
  assert.equal(await read({ jitsi_server_url: null }), null)
})
