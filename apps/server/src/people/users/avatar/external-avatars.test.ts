import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, test } from 'node:test'
import { request, startWorld } from '@oxbow/testkit'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())

const computed = { client_external_avatar: true }

test('a client that computes avatar URLs gets null for them, except for uploaded avatars', async () => {
  const [iris, otto] = await world.people('iris', 'otto')
  await world.database.query(
    "update user_account set avatar_source = 'uploaded', avatar_version = 7 where id = $1",
    [otto.user_id],
  )

  const { members } = await iris.users.list(computed)
  const { user } = await iris.on('b').users.get({ user_id: iris.user_id, ...computed })

  const urlOf = (person: { user_id: number }) =>
    members.find((member) => member.user_id === person.user_id)?.avatar_url
  assert.equal(urlOf(iris), null)
  assert.equal(user.avatar_url, null)
  assert.match(String(urlOf(otto)), /v=7$/)
  assert.equal(typeof (await iris.users.me()).avatar_url, 'string')
})

test('avatar URLs reveal nothing about hidden addresses', async () => {
  const rosa = await world.person('Rosa')

  for (const visibility of [3, 4]) {
    await world.database.query('update organization set email_address_visibility = $1', [visibility])
    const { user } = await rosa.users.get({ user_id: rosa.user_id, ...computed })
    assert.match(String(user.avatar_url), /^\/user_avatars\/\d+\/\d+-[0-9a-f]{40}\.svg\?v=1$/)
  }
  await world.database.query('update organization set email_address_visibility = 1')
})

test('no response and no event contains a hash of an address', async () => {
  const people = [world.owner, ...(await world.people('hana', 'hugo'))]
  const state = await people[1]?.events.register({ client_external_avatar: false })
  const { members } = await world.owner.users.list({})
  const received = JSON.stringify([state, members])

  for (const { email } of people)
    for (const method of ['md5', 'sha1', 'sha256'])
      assert.ok(!received.includes(hash(method, email.toLowerCase())), `${method} of ${email}`)
})

test('the deprecated parameter name is accepted from older clients only', async () => {
  const { owner } = world
  const ask = async (userAgent: string) => {
    const response = await request(world.nodes.a.url, {
      path: `/api/v1/users/${owner.user_id}`,
      query: { client_gravatar: 'true' },
      credentials: owner,
      headers: { 'user-agent': userAgent },
    })
    return (response.body.user as { avatar_url: string | null }).avatar_url
  }

  assert.equal(await ask('ZulipPython/0.9.1'), null)
  assert.equal(typeof (await ask('curl/8.0')), 'string')
})

test('flags of GET /users that are not booleans are refused', async () => {
  const cases = [
    ['client_external_avatar', '1', 'client_external_avatar is not a boolean'],
    ['client_external_avatar', 'yes', 'Argument "client_external_avatar" is not valid JSON.'],
    ['include_custom_profile_fields', '"true"', 'include_custom_profile_fields is not a boolean'],
  ] as const

  for (const [name, value, msg] of cases) {
    const response = await request(world.nodes.a.url, {
      path: '/api/v1/users',
      query: { [name]: value },
      credentials: world.owner,
    })
    assert.equal(response.status, 400)
    assert.deepEqual(response.body, { result: 'error', code: 'BAD_REQUEST', msg })
  }
})
