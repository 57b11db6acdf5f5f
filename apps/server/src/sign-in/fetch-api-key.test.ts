import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { request, startWorld, type World } from '@oxbow/testkit'

const world = await startWorld({ ownServer: true })
after(() => world[Symbol.asyncDispose]())

const fetchKey = ({ nodes }: World, form: Record<string, string>) =>
  request(nodes.b.url, { method: 'POST', path: '/api/v1/fetch_api_key', form })

const incorrect = {
  result: 'error',
  code: 'AUTHENTICATION_FAILED',
  msg: 'Your username or password is incorrect.',
  reason: 'incorrect_creds',
}
const accountDisabled = {
  result: 'error',
  code: 'USER_DEACTIVATED',
  msg: 'Your account has been disabled.',
  reason: 'user disable',
}
const organizationDeactivated = {
  result: 'error',
  code: 'REALM_DEACTIVATED',
  msg: 'This organization has been deactivated.',
  reason: 'realm deactivated',
}
const passwordDisabled = {
  result: 'error',
  code: 'PASSWORD_AUTH_DISABLED',
  msg: 'Password auth is disabled in your team.',
  reason: 'password auth disabled',
}

test('the right password returns the API key and the delivery address, and the user name is case-insensitive', async () => {
  const iris = await world.person('Iris')
  await world.database.query('update organization set email_address_visibility = 4')
  const { password, api_key, email } = iris

  for (const username of [email, 'iris@GARDEN.example', '  Iris@garden.example '])
    assert.deepEqual((await fetchKey(world, { username, password })).body, {
      result: 'success',
      msg: '',
      api_key,
      email,
    })
  await world.database.query('update organization set email_address_visibility = 1')
})

test('unknown names, wrong passwords, bots and accounts without a password get the same error', async () => {
  const [rosa, otto] = await world.people('rosa', 'otto')
  const bot = await world.bot('mower', rosa)
  await world.database.query('update user_account set password_hash = null where id = $1', [otto.user_id])
  const { password } = rosa
  const attempts: [username: string, password: string][] = [
    [rosa.email, 'wrong'],
    [rosa.email, ''],
    [rosa.email, password.toUpperCase()],
    [rosa.email, ` ${password}`],
    ['nobody@garden.example', password],
    [`user${rosa.user_id}@localhost`, password],
    [bot.email, ''],
    [otto.email, otto.password],
    [otto.email, 'nobody has this password'],
  ]
  for (const [username, password] of attempts) {
    const { status, body } = await fetchKey(world, { username, password })
    assert.deepEqual([status, body], [403, incorrect], username)
  }
})

test('an invalid or missing address is refused without counting an attempt', async () => {
  await world.database.query('delete from sign_in_failure')
  for (const username of ['', 'iris', 'iris@', '@garden.example', 'iris@garden', 'a b@garden.example']) {
    const { status, body } = await fetchKey(world, { username, password: 'x' })
    assert.deepEqual(
      [status, body],
      [400, { result: 'error', code: 'BAD_REQUEST', msg: 'Enter a valid email address.' }],
    )
  }
  for (const [name, value] of [
    ['username', 'a@b.example'],
    ['password', 'x'],
  ] as const) {
    const { status, body } = await fetchKey(world, { [name]: value })
    assert.deepEqual([status, body.code], [400, 'REQUEST_VARIABLE_MISSING'])
  }
  assert.deepEqual(await world.database.query('select * from sign_in_failure'), [])
})

test('organization and authentication method are checked before the password, and deactivation after it', async () => {
  const [mia, gone] = await world.people('mia', 'gone')
  await world.owner.users.deactivate({ user_id: gone.user_id })
  const outcome = async (username: string, password: string) => {
    await world.database.query('delete from sign_in_failure')
    const { status, body } = await fetchKey(world, { username, password })
    return [status, body]
  }
  const expectForAll = async (expected: object) => {
    for (const person of [mia, gone])
      for (const password of [person.password, 'wrong'])
        assert.deepEqual(await outcome(person.email, password), [403, expected])
    assert.deepEqual(await outcome('nobody@garden.example', 'x'), [403, expected])
  }

  await world.database.query("update organization set disabled_authentication_methods = '{Email}'")
  await expectForAll(passwordDisabled)
  await world.database.query('update organization set deactivated_at = now()')
  await expectForAll(organizationDeactivated)
  await world.database.query("update organization set disabled_authentication_methods = '{}'")
  await expectForAll(organizationDeactivated)
  await world.database.query('update organization set deactivated_at = null')
  for (const username of [mia.email, gone.email, 'nobody@garden.example'])
    assert.deepEqual(await outcome(username, 'wrong'), [403, incorrect])
  assert.deepEqual(await outcome(gone.email, gone.password), [403, accountDisabled])
})

test('signing in at a host without an organization is refused', async () => {
  await using world = await startWorld({ organization: { name: 'Tea', subdomain: 'tea' } })
  const { email: username, password } = world.owner

  const { status, body } = await fetchKey(world, { username, password })

  assert.deepEqual([status, body], [400, { result: 'error', code: 'BAD_REQUEST', msg: 'Invalid subdomain' }])
})

test('accounts with the same address in two organizations have separate passwords', async () => {
  await using world = await startWorld({ ownServer: true })
  const tea = await world.addOrganization('tea')
  await world.database.query('update user_account set delivery_email = $1', ['same@garden.example'])
  await world.database.query('update user_account set password_hash = null where id = $1', [
    world.owner.user_id,
  ])
  const credentials = { username: 'same@garden.example', password: tea.owner.password }

  assert.equal((await fetchKey(world, credentials)).status, 403)
  const fetched = await tea.owner.authentication.fetchApiKey(credentials)

  assert.equal(fetched.api_key, tea.owner.api_key)
})

test('fetching an API key requires POST', async () => {
  const { email: username, password } = world.owner

  const response = await request(world.nodes.a.url, {
    path: '/api/v1/fetch_api_key',
    query: { username, password },
  })

  assert.equal(response.status, 405)
  assert.equal(response.headers.get('allow'), 'POST')
})
