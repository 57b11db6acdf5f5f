import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { defaultGeneration } from '@oxbow/contract'
import { basic, type Person, request, startWorld } from '@oxbow/testkit'
import { authenticate, findCredentialError } from './authenticate.ts'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const iris = await world.person('iris')
const otto = await world.person('otto')
const gone = await world.person('gone')
await world.owner.users.deactivate({ user_id: gone.user_id })
const hook = await world.bot('hook', iris, 2)
const tea = await world.addOrganization('tea')
const closed = await world.addOrganization('closed')
await world.database.query('update organization set deactivated_at = now() where id = $1', [
  closed.organization_id,
])

const ask = (authorization: string | undefined, path = '/api/v1/users/me') =>
  request(world.nodes.b.url, { path, ...(authorization !== undefined && { headers: { authorization } }) })

const encode = (text: string | Buffer) => `Basic ${Buffer.from(text).toString('base64')}`
const { email, api_key } = iris
const unknownKey = 'a'.repeat(32)

/** Invalid credentials of each kind, with the expected error. */
const refusals: [
  status: number,
  code: string,
  msg: string,
  authorizations: Record<string, string | undefined>,
][] = [
  [
    401,
    'INVALID_API_KEY',
    'Not logged in: API authentication or user session required',
    { 'no header': undefined, 'an empty header': '' },
  ],
  [
    400,
    'BAD_REQUEST',
    'This endpoint requires HTTP basic authentication.',
    {
      'another scheme': 'Bearer abc',
      'another scheme alone': 'Digest',
      'a scheme that begins alike': `Basicx ${btoa('a:b')}`,
    },
  ],
  [
    401,
    'INVALID_API_KEY',
    'Invalid authorization header for basic auth',
    {
      'one word': 'Basic',
      'three words': `${basic(iris)} more`,
      'no base64': 'Basic !!!!',
      'no UTF-8': encode(Buffer.from([0xff, 0xfe, 0x3a])),
      'no colon': encode(email),
      'a colon behind': encode(`${email}:${api_key}:`),
      'a colon before': encode(`a:${email}:${api_key}`),
    },
  ],
  [
    401,
    'INVALID_API_KEY',
    'Malformed API key',
    {
      'an empty key': encode(`${email}:`),
      'a key too short': encode(`${email}:${api_key.slice(1)}`),
      'a key too long': encode(`${email}:${api_key}a`),
      'a key with a sign': encode(`${email}:${api_key.slice(1)}-`),
      'a key with another letter': encode(`${email}:${api_key.slice(1)}é`),
    },
  ],
  [
    401,
    'INVALID_API_KEY',
    'Invalid API key',
    {
      'an unknown key': encode(`${email}:${unknownKey}`),
      'the key of someone else': encode(`${email}:${otto.api_key}`),
      'no address': encode(`:${api_key}`),
      'the address that could be shown': encode(`user${iris.user_id}@localhost:${api_key}`),
      'the key of someone deactivated': encode(`${email}:${gone.api_key}`),
    },
  ],
  [
    401,
    'REALM_DEACTIVATED',
    'This organization has been deactivated',
    { 'a deactivated organization, on another host besides': basic(closed.owner) },
  ],
  [401, 'USER_DEACTIVATED', 'Account is deactivated', { 'a deactivated account': basic(gone) }],
  [
    401,
    'INVALID_SUBDOMAIN',
    'Account is not associated with this subdomain',
    { 'an account of another host': basic(tea.owner) },
  ],
  [
    401,
    'UNAUTHORIZED',
    'This API is not available to incoming webhook bots.',
    { 'an incoming-webhook bot': basic(hook) },
  ],
]

test('invalid credentials are refused with the error that takes precedence', async () => {
  for (const [status, code, msg, authorizations] of refusals)
    for (const [what, authorization] of Object.entries(authorizations)) {
      const response = await ask(authorization)

      assert.deepEqual([response.status, response.body], [status, { result: 'error', code, msg }], what)
      assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
      const challenge = response.headers.get('www-authenticate')
      assert.equal(challenge, status === 401 ? 'Basic realm="chat"' : null)
    }
})

test('a deactivated account of a deactivated organization gets the error about the organization', async () => {
  await world.database.query('update user_account set is_active = false where id = $1', [
    closed.owner.user_id,
  ])

  const { body } = await ask(basic(closed.owner))

  assert.equal(body.msg, 'This organization has been deactivated')
})

test('a deactivated account on another host gets the error about the account', async () => {
  const { organization_id, owner } = await world.addOrganization('left')
  await world.database.query('update user_account set is_active = false where organization_id = $1', [
    organization_id,
  ])

  const { body } = await ask(basic(owner))

  assert.equal(body.msg, 'Account is deactivated')
})

test('scheme and e-mail address are case-insensitive, and surrounding blanks are ignored', async () => {
  const encoded = (text: string) => Buffer.from(text).toString('base64')
  const headers = [
    basic(iris),
    `basic ${encoded(`${email}:${api_key}`)}`,
    `BASIC   ${encoded(`${email}:${api_key}`)}`,
    encode(`IRIS@Garden.Example:${api_key}`),
    encode(`  ${email} : ${api_key}\n`),
  ]
  for (const header of headers) {
    const { status, body } = await ask(header)
    assert.deepEqual([status, body.user_id], [200, iris.user_id], header)
  }
})

test('the API key is case-sensitive', async () => {
  const swapped = [...api_key]
    .map((c) => (c === c.toUpperCase() ? c.toLowerCase() : c.toUpperCase()))
    .join('')

  assert.equal((await ask(encode(`${email}:${swapped}`))).body.msg, 'Invalid API key')
})

test('if addresses are hidden, only the delivery address can be used to authenticate', async () => {
  await world.database.query('update organization set email_address_visibility = 4')

  assert.equal((await ask(basic(iris))).status, 200)
  assert.equal((await ask(encode(`user${iris.user_id}@localhost:${api_key}`))).body.msg, 'Invalid API key')

  await world.database.query('update organization set email_address_visibility = 1')
})

test('generic bots may call API endpoints, and incoming-webhook bots may not', async () => {
  for (const type of [1, 3, 4] as const) {
    const bot = await world.bot(`type${type}`, iris, type)
    assert.equal((await ask(basic(bot))).status, 200)
  }
  for (const path of ['/api/v1/users', '/api/v1/realm/profile_fields', `/api/v1/users/${iris.user_id}`])
    assert.equal((await ask(basic(hook), path)).body.code, 'UNAUTHORIZED')
})

test('an account of a subdomain authenticates only on its own host', async () => {
  const me = await tea.owner.on('b').users.me()

  assert.equal(me.user_id, tea.owner.user_id)
})

test('concurrent requests each authenticate as their own account', async () => {
  const people: Person[] = [iris, otto, world.owner]
  const callers = Array.from({ length: 60 }, (_, index) => people[index % 3] as Person)

  const responses = await Promise.all(
    callers.map((person, index) =>
      index % 4 === 3 ? ask(encode(`${person.email}:${unknownKey}`)) : ask(basic(person)),
    ),
  )

  for (const [index, { status, body }] of responses.entries())
    if (index % 4 === 3) assert.equal(status, 401)
    else assert.equal(body.user_id, callers[index]?.user_id)
})

test('API keys never appear in the log', () => {
  assert.ok(!world.log.text.includes(api_key))
  assert.ok(!world.log.text.includes(basic(iris).slice(6)))
})

test('the credential of a deactivated account is refused because of the account, not because of the key', async () => {
  const leaving = await world.person('leaving')
  const { app } = world.nodes.a
  const caller = {
    subdomain: '',
    origin: '',
    address: '127.0.0.1',
    client: 'test',
    legacyNames: false,
    legacyVersions: false,
    generation: defaultGeneration,
  }
  const actor = await authenticate(app, caller, { email: leaving.email, api_key: leaving.api_key })
  assert.equal(await findCredentialError(app, actor), undefined)

  await world.owner.users.deactivate({ user_id: leaving.user_id })
  await world.settled()

  assert.equal(await findCredentialError(app, actor), 'ACCOUNT_DEACTIVATED')
})
