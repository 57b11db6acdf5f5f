import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createClient } from '@oxbow/sdk'
import { type Person, request, startWorld } from '@oxbow/testkit'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const ada = await world.person('ada', 'administrator')
const mia = await world.person('mia')

const good = { email: 'new@garden.example', password: 'quince jelly 77 jars', full_name: 'Nora New' }

const create = (caller: Person, form: Record<string, string>) =>
  request(world.nodes.b.url, { method: 'POST', path: '/api/v1/users', credentials: caller, form })

test('POST /users creates an account that can sign in at once on both nodes', async () => {
  const { user_id } = await ada.users.create({ ...good, email: '  Rosa.Maria@GARDEN.Example ' })

  const email = 'Rosa.Maria@garden.example'
  const fetched = await world
    .anonymous('b')
    .authentication.fetchApiKey({ username: 'rosa.maria@garden.example', password: good.password })
  assert.equal(fetched.email, email)
  const rosa = createClient({ url: world.nodes.b.url, credentials: fetched })
  const me = await rosa.users.me()
  assert.deepEqual(
    [me.user_id, me.email, me.full_name, me.is_admin, me.is_guest, me.is_active],
    [user_id, email, 'Nora New', false, false, true],
  )
  const { user } = await mia.users.get({ user_id })
  assert.equal(user.bot_type, null)
})

test('a new account has one open role period as member', async () => {
  const { user_id } = await world.owner.users.create({ ...good, email: 'period@garden.example' })

  const periods = await world.database.query('select * from role_period where user_id = $1', [user_id])

  assert.equal(periods.length, 1)
  const { role, to_outbox_id, to_message_id, from_outbox_id, from_message_id } = periods[0] ?? {}
  assert.deepEqual([role, to_outbox_id, to_message_id], [400, null, null])
  assert.ok(Number(from_outbox_id) > 0 && Number(from_message_id) > 0)
})

test('POST /users refuses callers who are not administrators before it checks the parameters', async () => {
  const gus = await world.person('gus', 'guest')
  const mower = await world.bot('mower', ada)
  for (const caller of [mia, gus, mower]) {
    const response = await create(caller, {})
    assert.equal(response.status, 400)
    assert.deepEqual(response.body, {
      result: 'error',
      code: 'UNAUTHORIZED_PRINCIPAL',
      msg: 'Must be an organization administrator',
    })
  }
  await world.owner.users.update({ user_id: mower.user_id, role: 200 })
  assert.equal((await create(mower, { ...good, email: 'by-bot@garden.example' })).status, 200)
})

test('POST /users refuses requests without a required parameter', async () => {
  for (const name of ['email', 'password', 'full_name'] as const) {
    const { [name]: _, ...form } = good
    const { status, body } = await create(ada, form)
    assert.equal(status, 400)
    assert.deepEqual(body, {
      result: 'error',
      code: 'REQUEST_VARIABLE_MISSING',
      msg: `Missing '${name}' argument`,
      var_name: name,
    })
  }
})

test('POST /users reports the first error in the order of the protocol', async () => {
  const before = (await mia.users.list()).members.length
  const weak = { password: '123456' }
  const cases: [params: Partial<typeof good>, msg: string][] = [
    [{ full_name: 'X', email: 'no address', ...weak }, 'Name too short!'],
    [{ full_name: '', email: 'no address', ...weak }, 'Name too short!'],
    [{ full_name: 'x'.repeat(101) }, 'Name too long!'],
    [{ full_name: 'a@b', email: 'no address' }, 'Invalid characters in name!'],
    [{ full_name: 'Iris|7', email: 'no address' }, 'Invalid format!'],
    [{ email: 'no address', ...weak }, 'Bad name or username'],
    [{ email: '' }, 'Bad name or username'],
    [{ email: 'iris@garden' }, 'Bad name or username'],
    [{ email: 'iris@garden.example, otto@garden.example' }, 'Bad name or username'],
    [
      { email: 'x@mailinator.com', ...weak },
      'Disposable email addresses are not allowed in this organization',
    ],
    [{ email: 'mia@garden.example', ...weak }, "Email 'mia@garden.example' already in use"],
    [{ email: 'MIA@Garden.Example' }, "Email 'MIA@Garden.Example' already in use"],
    [weak, 'The password is too weak.'],
    [{ password: '' }, 'The password is too weak.'],
  ]
  for (const [params, msg] of cases) {
    const { status, body } = await create(ada, { ...good, ...params })
    assert.deepEqual([status, body], [400, { result: 'error', code: 'BAD_REQUEST', msg }], msg)
  }
  assert.equal((await mia.users.list()).members.length, before)
})

test('POST /users refuses addresses of deactivated accounts and of bots as taken', async () => {
  const gone = await world.person('gone')
  await world.owner.users.deactivate({ user_id: gone.user_id })
  const bot = await world.bot('weeder', ada)

  for (const { email } of [gone, bot]) {
    const { body } = await create(ada, { ...good, email })
    assert.equal(body.msg, `Email '${email}' already in use`)
  }
})

test('POST /users accepts an address that has an account in another organization', async () => {
  const tea = await world.addOrganization('tea')

  const { user_id } = await ada.users.create({ ...good, email: tea.owner.email })

  assert.notEqual(user_id, tea.owner.user_id)
})

test('only one of several concurrent requests creates an account with the same address', async () => {
  const spellings = [
    'race@garden.example',
    'RACE@garden.example',
    'Race@Garden.example',
    'rAce@garden.example',
  ]

  const responses = await Promise.all(
    spellings.map((email, index) =>
      request(world.nodes[index % 2 ? 'a' : 'b'].url, {
        method: 'POST',
        path: '/api/v1/users',
        credentials: ada,
        form: { ...good, email },
      }),
    ),
  )

  assert.deepEqual(responses.map((response) => response.status).sort(), [200, 400, 400, 400])
  for (const { body } of responses.filter((response) => response.status === 400))
    assert.match(String(body.msg), /^Email 'race@garden\.example' already in use$/i)
})

test('two people can have the same name', async () => {
  const first = await ada.users.create({ ...good, email: 'twin1@garden.example', full_name: 'Twin' })
  const second = await ada.users.create({ ...good, email: 'twin2@garden.example', full_name: 'Twin' })

  assert.notEqual(first.user_id, second.user_id)
})

test('an organization restricted to domains refuses addresses of other domains and addresses with a plus', async () => {
  const rules = [
    ['garden.example', false],
    ['orchard.example', true],
  ]
  for (const [domain, subdomains] of rules)
    await world.database.query('insert into organization_domain values ($1, $2, $3)', [
      world.organization_id,
      domain,
      subdomains,
    ])
  await world.database.query('update organization set emails_restricted_to_domains = true')
  const outside = (email: string) => `Email '${email}' not allowed in this organization`
  const cases: [email: string, msg: string | undefined][] = [
    ['inside@garden.example', undefined],
    ['inside2@GARDEN.example', undefined],
    ['x@sub.garden.example', outside('x@sub.garden.example')],
    ['x@notgarden.example', outside('x@notgarden.example')],
    ['x@orchard.example', undefined],
    ['x@deep.sub.orchard.example', undefined],
    ['x@notorchard.example', outside('x@notorchard.example')],
    ['x@mailinator.com', outside('x@mailinator.com')],
    ['x+y@garden.example', 'Email addresses containing + are not allowed.'],
    ['x+y@elsewhere.example', 'Email addresses containing + are not allowed.'],
  ]
  for (const [email, msg] of cases) {
    const { body } = await create(ada, { ...good, email })
    assert.equal(body.msg, msg ?? '', email)
  }

  await world.database.query('update organization set emails_restricted_to_domains = false')
  for (const email of ['x+y@garden.example', 'y@elsewhere.example'])
    assert.equal((await create(ada, { ...good, email })).status, 200)
})

test('an organization can allow disposable addresses', async () => {
  await world.database.query('update organization set disallow_disposable_email_addresses = false')

  assert.equal((await create(ada, { ...good, email: 'x@mailinator.com' })).status, 200)
})

test('neither log nor table contains the password or key', async () => {
  const { user_id } = await ada.users.create({ ...good, email: 'secret@garden.example' })

  const [row] = await world.database.query('select * from user_account where id = $1', [user_id])

  assert.doesNotMatch(JSON.stringify(row), /quince/)
  assert.match(String(row?.password_hash), /^\$argon2id\$/)
  assert.doesNotMatch(world.log.text, /quince/)
  assert.ok(!world.log.text.includes(ada.api_key))
})
