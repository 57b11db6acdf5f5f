import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fetchAt, startWorld, type World } from '@oxbow/testkit'

/** Returns the name and canonical URL of the organization at a host, or the error. */
async function reach(world: World, host: string): Promise<unknown> {
  const response = await fetchAt(host)(`${world.nodes.a.url}/api/v1/server_settings`)
  const { realm_name, realm_uri, result, msg, code } = (await response.json()) as Record<string, unknown>
  if (result === 'error') return { status: response.status, msg, code }
  return realm_name === undefined ? 'no organization' : { realm_name, realm_uri }
}

const unknown = { status: 400, code: 'BAD_REQUEST', msg: 'Invalid subdomain' }

test('a request is served by the organization of its host name', async () => {
  await using world = await startWorld()
  await world.addOrganization('tea')
  const root = (realm_uri: string) => ({ realm_name: 'The Garden', realm_uri })
  const tea = (realm_uri: string) => ({ realm_name: 'The tea team', realm_uri })
  const cases: [host: string, expected: unknown][] = [
    ['localhost', root('http://localhost')],
    ['localhost:8484', root('http://localhost:8484')],
    ['chat.example.com', root('http://chat.example.com')],
    ['192.168.1.7:8484', root('http://192.168.1.7:8484')],
    ['tea.localhost', tea('http://tea.localhost')],
    ['TEA.localhost:8484', tea('http://tea.localhost:8484')],
    ['coffee.localhost', unknown],
  ]
  for (const [host, expected] of cases) assert.deepEqual(await reach(world, host), expected, host)
})

test('with an external URL only its host and subdomains are accepted', async () => {
  await using world = await startWorld({ config: { external_url: 'https://chat.example.com:8443/' } })
  await world.addOrganization('tea')
  const root = { realm_name: 'The Garden', realm_uri: 'https://chat.example.com:8443' }
  const tea = { realm_name: 'The tea team', realm_uri: 'https://tea.chat.example.com:8443' }
  const cases: [host: string, expected: unknown][] = [
    ['chat.example.com', root],
    ['Chat.Example.com:8443', root],
    ['127.0.0.1:1234', root],
    ['[::1]:1234', root],
    ['localhost', root],
    ['tea.chat.example.com', tea],
    ['tea.chat.example.com:8443', tea],
    ['coffee.chat.example.com', unknown],
    ['tea.tea.chat.example.com', unknown],
    ['example.com', unknown],
    ['evilchat.example.com', unknown],
    ['tea.example.com', unknown],
  ]
  for (const [host, expected] of cases) assert.deepEqual(await reach(world, host), expected, host)
})

test('a root host without an organization is accepted', async () => {
  await using world = await startWorld({
    config: { external_url: 'https://chat.example.com' },
    organization: { name: 'Tea', subdomain: 'tea' },
  })

  assert.equal(await reach(world, 'chat.example.com'), 'no organization')
  assert.deepEqual(await reach(world, 'tea.chat.example.com'), {
    realm_name: 'Tea',
    realm_uri: 'https://tea.chat.example.com',
  })
  assert.deepEqual(await reach(world, 'coffee.chat.example.com'), unknown)
})

test('users of two organizations see only their own organization', async () => {
  await using world = await startWorld()
  const tea = await world.addOrganization('tea')
  const coffee = await world.addOrganization('coffee')

  for (const { owner } of [tea, coffee, world]) {
    const { members } = await owner.on('b').users.list()
    assert.deepEqual(
      members.map(({ user_id }) => user_id),
      [owner.user_id],
    )
  }
})
