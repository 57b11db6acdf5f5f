import assert from 'node:assert/strict'
import { test } from 'node:test'
import { request, startWorld, type World } from '@oxbow/testkit'

const fetchKey = async (world: World, form: Record<string, string>) => {
  const path = '/api/v1/dev_fetch_api_key'
  const { status, body } = await request(world.nodes.a.url, { method: 'POST', path, form })
  return [status, body]
}

test('a production server refuses dev_fetch_api_key', async () => {
  await using world = await startWorld()
  const refused = [400, { result: 'error', code: 'BAD_REQUEST', msg: 'Dev environment not enabled.' }]

  for (const username of [world.owner.email, 'nobody@garden.example', 'no address'])
    assert.deepEqual(await fetchKey(world, { username }), refused)
})

test('a development server returns the key of any active user', async () => {
  await using world = await startWorld({ config: { mode: 'development' } })
  const { email, api_key } = world.owner
  const gone = await world.person('gone')
  const bot = await world.bot('mower', world.owner)
  await world.owner.users.deactivate({ user_id: gone.user_id })
  const unregistered = {
    result: 'error',
    code: 'AUTHENTICATION_FAILED',
    msg: 'This user is not registered.',
    reason: 'unregistered',
  }

  assert.deepEqual(await fetchKey(world, { username: email.toUpperCase() }), [
    200,
    { result: 'success', msg: '', api_key, email },
  ])
  for (const username of ['nobody@garden.example', bot.email])
    assert.deepEqual(await fetchKey(world, { username }), [403, unregistered])
  assert.deepEqual(await fetchKey(world, { username: gone.email }), [
    403,
    {
      result: 'error',
      code: 'USER_DEACTIVATED',
      msg: 'Your account has been disabled.',
      reason: 'user disable',
    },
  ])
  assert.deepEqual(await fetchKey(world, { username: 'no address' }), [
    400,
    { result: 'error', code: 'BAD_REQUEST', msg: 'Enter a valid email address.' },
  ])

  await world.database.query('update organization set deactivated_at = now()')
  for (const username of [email, gone.email, 'nobody@garden.example'])
    assert.deepEqual(await fetchKey(world, { username }), [
      403,
      {
        result: 'error',
        code: 'REALM_DEACTIVATED',
        msg: 'This organization has been deactivated.',
        reason: 'realm deactivated',
      },
    ])
})

test('a development server accepts any password for new accounts', async () => {
  await using world = await startWorld({ config: { mode: 'development' } })
  const email = 'new@garden.example'

  await world.owner.users.create({ email, full_name: 'Nora New', password: 'x' })
  await world.owner.users.updateSettings({ old_password: world.owner.password, new_password: 'y' })

  const { authentication } = world.anonymous('b')
  assert.equal((await authentication.fetchApiKey({ username: email, password: 'x' })).email, email)
  await authentication.fetchApiKey({ username: world.owner.email, password: 'y' })
})

test('dev_list_users lists active people of the organization, on development servers only', async () => {
  await using world = await startWorld({ config: { mode: 'development' } })
  const [iris, gone] = await world.people('iris', 'gone')
  const ada = await world.person('ada', 'administrator')
  await world.bot('mower', world.owner)
  await world.owner.users.deactivate({ user_id: gone.user_id })
  const { owner: foreigner } = await world.addOrganization('hill')

  const listed = await world.anonymous().authentication.listDevelopmentUsers()

  const realm_uri = world.nodes.a.url
  assert.deepEqual(listed, {
    direct_admins: [world.owner, ada].map(({ email }) => ({ email, realm_uri })),
    direct_users: [{ email: iris.email, realm_uri }],
  })
  assert.ok(!JSON.stringify(listed).includes(foreigner.email))
  await world.database.query("update organization set disabled_authentication_methods = '{Dev}'")
  await assert.rejects(world.anonymous().authentication.listDevelopmentUsers(), {
    errorName: 'NOT_A_DEVELOPMENT_SERVER',
  })
})
