import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { UserId } from '@oxbow/contract'
import { patientLimits, request, startWorld, type World } from '@oxbow/testkit'
import { avatarUrl } from '../../identity/accounts/public-account.ts'
import { startNode } from '../../node.ts'

const drawn = ({ user_id }: { user_id: number }, { organization_id, nodes }: World) =>
  avatarUrl(nodes.a.app, {
    organization_id,
    id: user_id,
    avatar_source: 'external',
    avatar_version: 1,
  } as never)

test('GET /users on the second node lists all users', async () => {
  await using world = await startWorld()
  const [iris] = await world.people('iris', 'otto')

  const { members } = await iris.on('b').users.list()

  assert.deepEqual(
    members.map((member) => member.full_name),
    ['Olive Owner', 'Iris Gardener', 'Otto Gardener'],
  )
})

test('user objects of people, bots and deactivated people have all fields', async () => {
  await using world = await startWorld()
  const [iris, otto] = await world.people('iris', 'otto')
  const mower = await world.bot('mower', iris, 3)
  await world.database.query(
    "update user_account set date_joined = '2020-02-29T07:50:53.728Z' where organization_id = $1",
    [world.organization_id],
  )
  await world.owner.users.deactivate({ user_id: otto.user_id })
  const shared = {
    is_admin: false,
    is_owner: false,
    is_guest: false,
    is_active: true,
    avatar_version: 1,
    timezone: '',
    date_joined: '2020-02-29T07:50:53.728000+00:00',
  }

  const { members } = await iris.users.list()

  assert.deepEqual(members.slice(1), [
    {
      ...shared,
      user_id: iris.user_id,
      email: 'iris@garden.example',
      full_name: 'Iris Gardener',
      is_bot: false,
      avatar_url: drawn(iris, world),
      bot_type: null,
    },
    {
      ...shared,
      user_id: otto.user_id,
      email: 'otto@garden.example',
      full_name: 'Otto Gardener',
      is_bot: false,
      is_active: false,
      avatar_url: drawn(otto, world),
      bot_type: null,
    },
    {
      ...shared,
      user_id: mower.user_id,
      email: 'mower-bot@garden.example',
      full_name: 'mower bot',
      is_bot: true,
      avatar_url: drawn(mower, world),
      bot_type: 3,
      bot_owner_id: iris.user_id,
    },
  ])
  for (const member of members) {
    assert.deepEqual((await iris.on('b').users.get({ user_id: member.user_id })).user, member)
  }
})

test('a bot without an owner has bot_owner_id null', async () => {
  await using world = await startWorld()
  const bot = await world.bot('stray', world.owner)
  await world.database.query('update user_account set bot_owner_id = null where id = $1', [bot.user_id])

  const { user } = await world.owner.users.get({ user_id: bot.user_id })

  assert.equal(user.bot_owner_id, null)
})

test('the role decides is_admin, is_owner and is_guest', async () => {
  await using world = await startWorld()
  const people = {
    owner: world.owner,
    administrator: await world.person('ada', 'administrator'),
    member: await world.person('mia'),
    guest: await world.person('gus', 'guest'),
  }

  const flags: Record<string, unknown> = {}
  for (const [role, person] of Object.entries(people)) {
    const { is_owner, is_admin, is_guest } = await person.users.me()
    const { user } = await people.guest.users.get({ user_id: person.user_id })
    assert.deepEqual([user.is_owner, user.is_admin, user.is_guest], [is_owner, is_admin, is_guest])
    flags[role] = { is_owner, is_admin, is_guest }
  }

  assert.deepEqual(flags, {
    owner: { is_owner: true, is_admin: true, is_guest: false },
    administrator: { is_owner: false, is_admin: true, is_guest: false },
    member: { is_owner: false, is_admin: false, is_guest: false },
    guest: { is_owner: false, is_admin: false, is_guest: true },
  })
})

test('GET /users/me returns profile and newest message but no bot_type', async () => {
  await using world = await startWorld()
  const iris = await world.person('iris')
  const bot = await world.bot('mower', iris)
  await world.database.query(
    "update user_account set date_joined = '2020-02-29T07:50:53Z' where organization_id = $1",
    [world.organization_id],
  )
  const shared = {
    is_admin: false,
    is_owner: false,
    is_guest: false,
    is_active: true,
    avatar_version: 1,
    timezone: '',
    date_joined: '2020-02-29T07:50:53+00:00',
    max_message_id: -1,
  }

  assert.deepEqual(await iris.users.me(), {
    ...shared,
    user_id: iris.user_id,
    email: 'iris@garden.example',
    full_name: 'Iris Gardener',
    is_bot: false,
    avatar_url: drawn(iris, world),
    profile_data: {},
  })
  assert.deepEqual(await bot.users.me(), {
    ...shared,
    user_id: bot.user_id,
    email: 'mower-bot@garden.example',
    full_name: 'mower bot',
    is_bot: true,
    avatar_url: drawn(bot, world),
  })
})

test('profile data are returned on request and only for people', async () => {
  await using world = await startWorld()
  const [iris, otto] = await world.people('iris', 'otto')
  const bot = await world.bot('mower', iris)
  const { id } = await world.owner.profileFields.create({ field_type: 1, name: 'Beds' })
  const { id: empty } = await world.owner.profileFields.create({ field_type: 1, name: 'Tools' })
  await iris.users.setProfileData({ data: [{ id, value: 'roses' }] })

  const without = await otto.users.list()
  const { members } = await otto.users.list({ include_custom_profile_fields: true })
  const profileOf = (user_id: UserId) => members.find((user) => user.user_id === user_id)?.profile_data

  assert.ok(without.members.every((user) => !('profile_data' in user)))
  const beds = profileOf(iris.user_id)?.[id]
  assert.equal(beds?.value, 'roses')
  assert.equal(profileOf(iris.user_id)?.[empty], undefined)
  assert.deepEqual(profileOf(otto.user_id), {})
  assert.equal(profileOf(bot.user_id), undefined)
  const { user } = await otto.users.get({ user_id: iris.user_id, include_custom_profile_fields: true })
  assert.deepEqual(user.profile_data, { [id]: beds })
  assert.deepEqual((await iris.users.me()).profile_data, { [id]: beds })
})

test('profile data contain the value and the rendered value', async () => {
  await using world = await startWorld()
  const { id } = await world.owner.profileFields.create({ field_type: 2, name: 'Beds' })
  await world.owner.users.setProfileData({ data: [{ id, value: '*roses*' }] })
  await world.database.query(
    "update profile_value set rendered_value = '<p><em>roses</em></p>' where organization_id = $1",
    [world.organization_id],
  )

  const { profile_data } = await world.owner.users.me()

  assert.deepEqual(profile_data, { [id]: { value: '*roses*', rendered_value: '<p><em>roses</em></p>' } })
})

test('GET /users/{id} refuses unknown users and users of other organizations', async () => {
  await using world = await startWorld()
  const tea = await world.addOrganization('tea')
  const { credentials, url } = { credentials: world.owner, url: world.nodes.a.url }

  for (const id of [0, tea.owner.user_id, 2 ** 40, '9007199254740993', '9'.repeat(40)]) {
    const response = await request(url, { path: `/api/v1/users/${id}`, credentials })
    assert.equal(response.status, 400)
    assert.deepEqual(response.body, { result: 'error', code: 'BAD_REQUEST', msg: 'No such user' })
  }
  for (const id of ['-1', 'iris', '1.0']) {
    const response = await request(url, { path: `/api/v1/users/${id}`, credentials })
    assert.equal(response.status, 404)
  }
  const { members } = await world.owner.users.list()
  assert.deepEqual(
    members.map((user) => user.user_id),
    [world.owner.user_id],
  )
})

test('GET /users returns a list that takes several pages, sorted by id', async () => {
  await using world = await startWorld()
  await world.database.query(
    `insert into user_account (organization_id, delivery_email, full_name, role, api_key_hash, api_key_sealed)
     select $1, 'p' || n || '@garden.example', 'Person ' || n, 400, sha256(gen_random_uuid()::text::bytea), ''
     from generate_series(1, 4100) n`,
    [world.organization_id],
  )

  const { members } = await world.owner.users.list()

  const ids = members.map((user) => user.user_id)
  assert.equal(new Set(ids).size, 4101)
  assert.deepEqual(
    ids,
    ids.toSorted((a, b) => a - b),
  )
})

test('GET /users sends thousands of users in chunks, each user once', async () => {
  await using world = await startWorld()
  await world.database.query(
    `insert into user_account (organization_id, delivery_email, full_name, role, api_key_hash, api_key_sealed)
     select $1, 'u' || n || '@garden.example', 'Gardener ' || n, 400, sha256(gen_random_uuid()::text::bytea), '' from generate_series(1, 2500) n`,
    [world.organization_id],
  )
  // Starts a node that does not check responses against the contract, because the check would first
  // collect the whole response.
  const node = await startNode(
    { ...world.nodes.a.app.config, port: 0 },
    { ...patientLimits, logTo: world.log, checked: false },
  )
  const { headers, body } = await request(node.url, { path: '/api/v1/users', credentials: world.owner })
  await node.stop()

  const ids = (body.members as { user_id: number }[]).map(({ user_id }) => user_id)
  assert.equal(headers.get('content-length'), null)
  assert.deepEqual([body.result, ids.length, new Set(ids).size], ['success', 2_501, 2_501])
})
