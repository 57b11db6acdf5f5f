import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase, request, type TestDatabase } from '@oxbow/testkit'
import {
  type CommandEnvironment,
  environmentFor,
  runOxbow,
  runOxbowWithInput,
  type Served,
  serveOxbow,
  typeToOxbow,
} from './run-oxbow.ts'

let database: TestDatabase
let environment: CommandEnvironment
let served: Served

const strong = 'heron lake 77 reeds'
const weak = 'password'

before(async () => {
  database = await createTestDatabase()
  await database.query('delete from server')
  environment = environmentFor(database.url)
  const owner = ['--owner-email', 'me@example.com', '--owner-name', 'My Name']
  await runOxbow(environment, 'organization', 'create', '--name', 'Our team', ...owner)
  served = await serveOxbow(environment)
})
after(async () => {
  await served[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

const signIn = async (username: string, password: string) => {
  const form = { username, password }
  const path = '/api/v1/fetch_api_key'
  const { status, body } = await request(served.url, { method: 'POST', path, form })
  return status === 200 ? 'signed in' : body.code
}

const setPassword = (input: string, ...args: string[]) =>
  runOxbowWithInput(environment, input, 'user', 'set-password', ...args)

const createUser = (email: string, ...more: string[]) => [
  ...['user', 'create', '--email', email, '--name', 'Some Name'],
  ...more,
]

test('a user created without a password can sign in after set-password', async () => {
  const created = await runOxbow(environment, ...createUser('iris@example.com'))
  assert.match(
    created.stdout,
    /The account has no password yet\. To set one: oxbow user set-password --email iris@example\.com\n/,
  )

  const { status, stdout, stderr } = await setPassword(`${strong}\n`, '--email', 'Iris@Example.com')

  assert.deepEqual([status, stderr], [0, ''])
  assert.match(stdout, /^iris@example\.com can sign in with the new password/)
  assert.equal(await signIn('iris@example.com', strong), 'signed in')
})

test('set-password ends the delay after failed attempts to sign in', async () => {
  await database.query(
    `insert into sign_in_failure (organization_id, username, network, judged_at)
     select id, 'me@example.com', '127.0.0.1/32', now() from organization, generate_series(1, 12)`,
  )
  assert.equal(await signIn('me@example.com', 'wrong'), 'RATE_LIMIT_HIT')

  await setPassword(strong, '--email', 'me@example.com')

  assert.equal(await signIn('me@example.com', strong), 'signed in')
})

test('create commands read the password from standard input', async () => {
  const user = createUser('otto@example.com', '--password-stdin')
  assert.equal((await runOxbowWithInput(environment, `${strong}\r\nmore\n`, ...user)).status, 0)
  assert.equal(await signIn('otto@example.com', strong), 'signed in')
  const owner = ['--owner-email', 'tea@example.com', '--owner-name', 'Tea Owner', '--owner-password-stdin']
  const organization = ['organization', 'create', '--name', 'Tea', '--subdomain', 'tea', ...owner]
  const { status, stdout } = await runOxbowWithInput(environment, strong, ...organization)
  assert.equal(status, 0)
  assert.ok(!stdout.includes('no password yet'), stdout)
})

test('a password in an option is accepted with a warning', async () => {
  const { status, stdout, stderr } = await runOxbow(
    environment,
    ...createUser('rosa@example.com', '--password', strong, '--json'),
  )

  assert.equal(status, 0)
  assert.match(stderr, /^Warning: Other users of this machine can see --password/)
  assert.deepEqual(Object.keys(JSON.parse(stdout)), ['user_id', 'email', 'api_key'])
  assert.equal(await signIn('rosa@example.com', strong), 'signed in')
})

const newOrganization = ['organization', 'create', '--name', 'X', '--subdomain', 'x']
const newOwner = ['--owner-email', 'x@example.com', '--owner-name', 'X Y']
const refused: [title: string, args: string[], input: string, said: RegExp][] = [
  [
    'a weak password',
    ['user', 'set-password', '--email', 'me@example.com'],
    weak,
    /The password is too weak\./,
  ],
  ['a weak password of a new user', createUser('w@example.com', '--password-stdin'), weak, /too weak/],
  ['a weak password in an option', createUser('w@example.com', '--password', weak), '', /too weak/],
  [
    'a weak password of an owner',
    [...newOrganization, ...newOwner, '--owner-password', weak],
    '',
    /too weak/,
  ],
]
for (const [title, args, input, said] of refused) {
  test(`a command refuses a password with an explanation: ${title}`, async () => {
    const { status, stdout, stderr } = await runOxbowWithInput(environment, input, ...args)
    assert.deepEqual([status, stdout], [1, ''])
    assert.match(stderr, said)
    assert.ok(!stderr.includes('    at '), stderr)
  })
}

test('set-password refuses accounts of bots', async () => {
  const named = ['--name', 'Robin', '--short-name', 'robin', '--owner', 'me@example.com']
  await runOxbow(environment, 'bot', 'create', ...named)
  const { stderr } = await setPassword(strong, '--email', 'robin-bot@localhost')
  assert.match(stderr, /is a bot\. Bots have no password/)
})

test('reset-password prints a link for a person, and a second call replaces the link', async () => {
  const { status, stdout, stderr } = await runOxbow(environment, 'user', 'reset-password', 'Me@example.com')
  const json = await runOxbow(environment, 'user', 'reset-password', 'me@example.com', '--json')

  assert.deepEqual([status, stderr], [0, ''])
  assert.match(
    stdout,
    /^me@example\.com can set a new password within one hour, once, at:\nhttp:\/\/localhost:\d+\/accounts\/password\/reset\/[a-z0-9]{24}\n$/,
  )
  assert.deepEqual(Object.keys(JSON.parse(json.stdout)), ['user_id', 'email', 'link'])
  const [row] = await database.query(
    `select count(*)::int as links, count(*) filter (where ended_at is null)::int as open from password_reset`,
  )
  assert.deepEqual(row, { links: 2, open: 1 })
})

test('reset-password refuses unknown addresses and bots with an explanation', async () => {
  for (const [email, said] of [
    ['nobody@example.com', /^Nobody in Our team has the address nobody@example\.com\.\n$/],
    ['robin-bot@localhost', /is a bot\. Bots have no password/],
  ] as const) {
    const { status, stdout, stderr } = await runOxbow(environment, 'user', 'reset-password', email)
    assert.deepEqual([status, stdout], [1, ''])
    assert.match(stderr, said)
  }
})

test('set-password asks twice at a terminal and hides the input', async () => {
  const typed = 'seven otters 28 swim'
  const { status, shown } = await typeToOxbow(
    environment,
    [
      ['New password for me@example.com: ', typed],
      ['Repeat the password: ', typed],
    ],
    ...['user', 'set-password', '--email', 'me@example.com'],
  )

  assert.equal(status, 0, shown)
  assert.ok(!shown.includes('otters'), shown)
  assert.equal(await signIn('me@example.com', typed), 'signed in')
})

test('set-password changes nothing if the two passwords differ', async () => {
  const { status, shown } = await typeToOxbow(
    environment,
    [
      ['New password for iris@example.com: ', 'seven otters 28 swim'],
      ['Repeat the password: ', 'seven otters 28 swam'],
    ],
    ...['user', 'set-password', '--email', 'iris@example.com'],
  )

  assert.equal(status, 1)
  assert.match(shown, /The two passwords differ\. Nothing was changed\./)
  assert.equal(await signIn('iris@example.com', strong), 'signed in')
})

test('user create accepts an empty password at a terminal', async () => {
  const dialogue = [['Password for wren@example.com (Enter for none): ', '']] as [string, string][]
  const { status, shown } = await typeToOxbow(environment, dialogue, ...createUser('wren@example.com'))

  assert.equal(status, 0, shown)
  assert.match(shown, /The account has no password yet/)
})
