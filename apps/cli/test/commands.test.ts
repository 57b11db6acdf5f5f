import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { BotInterface } from '@oxbow/contract'
import { createTestDatabase, request, type TestDatabase } from '@oxbow/testkit'
import type { Command } from 'commander'
import { program } from '../src/program.ts'
import { type CommandEnvironment, environmentFor, runOxbow, type Served, serveOxbow } from './run-oxbow.ts'

let database: TestDatabase
let environment: CommandEnvironment
let serving: Promise<Served> | undefined

/** Returns the node of these tests. It starts after the first commands, which prepare the database. */
const getServed = (): Promise<Served> => (serving ??= serveOxbow(environment))

before(async () => {
  database = await createTestDatabase()
  // Makes the database one that no node has used yet.
  await database.query('delete from server')
  environment = environmentFor(database.url)
})
after(async () => {
  await (await serving)?.[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

const create = (...more: string[]) =>
  runOxbow(
    environment,
    'organization',
    'create',
    '--name',
    'Our team',
    '--owner-email',
    'me@example.com',
    '--owner-name',
    'My Name',
    ...more,
  )

test('organization create prints an API key that works for the owner', async () => {
  const { status, stdout } = await create('--owner-password', 'heron lake 77 reeds', '--json')
  assert.equal(status, 0)
  const account = JSON.parse(stdout)
  assert.deepEqual(Object.keys(account), ['organization_id', 'user_id', 'email', 'api_key'])

  const served = await getServed()
  const { body } = await request(served.url, { path: '/api/v1/users/me', credentials: account })
  assert.deepEqual([body.user_id, body.email, body.is_owner], [account.user_id, 'me@example.com', true])
  const fetched = await request(served.url, {
    method: 'POST',
    path: '/api/v1/fetch_api_key',
    form: { username: 'me@example.com', password: 'heron lake 77 reeds' },
  })
  assert.equal(fetched.body.api_key, account.api_key)
})

test('organization create refuses a second organization without --subdomain', async () => {
  const refused = await create('--json')
  assert.equal(refused.status, 1)
  assert.match(refused.stderr, /The root host has an organization already.*--subdomain NAME/)
  assert.equal(refused.stdout, '')
  const tea = await create('--subdomain', 'tea')
  assert.equal(tea.status, 0)
  assert.match(tea.stdout, /Its address is http:\/\/tea\.localhost:8484/)

  const { stdout } = await runOxbow(environment, 'organization', 'list', '--json')
  assert.deepEqual(
    JSON.parse(stdout).map(({ subdomain }: { subdomain: string }) => subdomain),
    ['', 'tea'],
  )
})

test('a user from `user create` is found by `user list` and `user api-key`', async () => {
  const options = ['--email', 'iris@example.com', '--name', 'Iris Example', '--role', 'administrator']
  const created = JSON.parse((await runOxbow(environment, 'user', 'create', ...options, '--json')).stdout)

  const listed = JSON.parse((await runOxbow(environment, 'user', 'list', '--json')).stdout)
  assert.deepEqual(
    listed.map((user: { email: string; role: string }) => [user.email, user.role]),
    [
      ['me@example.com', 'owner'],
      ['iris@example.com', 'administrator'],
    ],
  )
  const table = (await runOxbow(environment, 'user', 'list')).stdout
  assert.match(table, /^id +role +e-mail +name\n\d+ +owner +me@example\.com +My Name\n/)
  const { stdout } = await runOxbow(environment, 'user', 'api-key', '--email', 'iris@example.com')
  assert.equal(stdout.trim(), created.api_key)
})

const createBot = (...more: string[]) =>
  runOxbow(environment, 'bot', 'create', '--name', 'Robin', '--owner', 'me@example.com', ...more)

test('bot create prints the API key of the bot, and the URL of a webhook', async () => {
  const robin = JSON.parse((await createBot('--short-name', 'robin', '--json')).stdout)
  assert.deepEqual(Object.keys(robin), ['user_id', 'email', 'api_key'])
  const options = ['--name', 'Hook', '--short-name', 'hook', '--type', 'incoming-webhook']
  const hook = (await createBot(...options)).stdout
  const [, key] = /^hook-bot@localhost is bot \d+\. API key: (\w{32})\n/.exec(hook) ?? []
  const url = `http://localhost:8484/api/v1/external/NAME?api_key=${key}`
  assert.ok(
    hook.includes(
      `Webhook URL: ${url}\nReplace NAME with the name of an integration, such as github. \`oxbow integration list\` lists them.\n`,
    ),
    hook,
  )
  const outgoing = ['--name', 'Out', '--short-name', 'out', '--type', 'outgoing-webhook']
  const silent = await createBot(...outgoing)
  assert.match(silent.stderr, /^Warning: This bot cannot answer until its owner sets a URL/)
  assert.match(silent.stdout, /^Token, to compare with the token in each call: \w{32}$/m)
  const slack = ['--name', 'Slack', '--short-name', 'slack', '--type', 'outgoing-webhook', '--calls', 'slack']
  const calling = JSON.parse(
    (await createBot(...slack, '--payload-url', 'https://wren.example/', '--json')).stdout,
  )
  const github = ['--name', 'GitHub', '--short-name', 'github', '--type', 'incoming-webhook']
  const made = JSON.parse((await createBot(...github, '--service', 'github', '--json')).stdout)
  assert.equal(made.url, `http://localhost:8484/api/v1/external/github?api_key=${made.api_key}`)

  const served = await getServed()
  const { body } = await request(served.url, { path: '/api/v1/users/me', credentials: robin })
  assert.deepEqual([body.user_id, body.is_bot, body.full_name], [robin.user_id, true, 'Robin'])
  const { stdout: api_key } = await runOxbow(environment, 'user', 'api-key', '--email', 'me@example.com')
  const credentials = { email: 'me@example.com', api_key: api_key.trim() }
  const state = await request(served.url, {
    method: 'POST',
    path: '/api/v1/register',
    credentials,
    form: { fetch_event_types: '["realm_bot"]' },
  })
  const bots = state.body.realm_bots as { email: string; services: unknown }[]
  const services = bots.find(({ email }) => email === calling.email)?.services
  assert.deepEqual(services, [
    { base_url: 'https://wren.example/', interface: BotInterface.form, token: calling.token },
  ])
})

const botNamed = (...more: string[]) => {
  const usual = ['--name', 'Wren', '--short-name', 'wren', '--owner', 'me@example.com']
  return ['bot', 'create', ...usual, ...more]
}

const invalidCommands: [string, string[], RegExp][] = [
  [
    'an unknown bot type',
    botNamed('--type', 'robot'),
    /"robot" is not a bot type\. Valid values: generic, incoming-webhook, outgoing-webhook\./,
  ],
  [
    'a bot of an unknown owner',
    botNamed('--owner', 'no@b.example'),
    /Nobody in Our team has the address no@b\.example/,
  ],
  [
    'a bot owned by a bot',
    botNamed('--owner', 'robin-bot@localhost'),
    /is a bot; the owner must be a person/,
  ],
  ['a bot with a taken name', botNamed('--name', 'my name'), /Name is already in use!/],
  ['a bot with a taken address', botNamed('--short-name', 'robin'), /Username already in use/],
  ['a bot without an address', botNamed('--short-name', 'a b'), /"a b" cannot be a short name/],
  ['a bot with an invalid name', botNamed('--name', 'x'), /"x" cannot be a full name: Name too short!/],
  [
    'an invalid URL',
    botNamed('--type', 'outgoing-webhook', '--payload-url', 'example'),
    /"example" is not a URL/,
  ],
  [
    'a URL of a bot that is not an outgoing webhook',
    botNamed('--payload-url', 'https://wren.example/'),
    /--payload-url needs --type outgoing-webhook/,
  ],
  [
    'an unknown form of calls',
    botNamed('--type', 'outgoing-webhook', '--calls', 'xml'),
    /"xml" is not a form of calls\. Valid values: json, slack\./,
  ],
  [
    'a form of calls of a bot that is not an outgoing webhook',
    botNamed('--calls', 'slack'),
    /--calls needs --type outgoing-webhook/,
  ],
  [
    'an unknown integration',
    botNamed('--type', 'incoming-webhook', '--service', 'githup'),
    /Invalid integration 'githup'\./,
  ],
  ['an embedded bot', botNamed('--type', 'embedded'), /"embedded" is not a bot type\./],
  [
    'an unknown role',
    ['user', 'create', '--email', 'a@b.example', '--name', 'A B', '--role', 'king'],
    /"king" is not a role\. Valid roles: owner, administrator, member, guest/,
  ],
  [
    'an invalid e-mail address',
    ['user', 'create', '--email', 'nobody', '--name', 'A B'],
    /"nobody" is not an e-mail address/,
  ],
  [
    'a user with a taken address',
    ['user', 'create', '--email', 'ME@example.com', '--name', 'A B'],
    /Email 'ME@example\.com' already in use/,
  ],
  [
    'an unknown e-mail address',
    ['user', 'api-key', '--email', 'no@b.example'],
    /Nobody in Our team has the address no@b\.example/,
  ],
  [
    'an unknown organization',
    ['user', 'list', '--subdomain', 'none'],
    /no organization at the subdomain "none"/,
  ],
  [
    'a missing option',
    ['user', 'create', '--name', 'A B'],
    /required option '--email <address>' not specified/,
  ],
  ['an unknown command', ['brew'], /unknown command 'brew'/],
]
for (const [name, args, message] of invalidCommands) {
  test(`a command reports invalid input without a stack trace: ${name}`, async () => {
    const { status, stderr, stdout } = await runOxbow(environment, ...args)
    assert.equal(status, 1)
    assert.match(stderr, message)
    assert.ok(!stderr.includes('    at '), stderr)
    assert.equal(stdout, '')
  })
}

test('serve reports all errors in the configuration at once', async () => {
  const env = { ...environment.env, OXBOW_PORT: 'http', OXBOW_LOG_LEVEL: 'loud' }
  const { status, stderr } = await runOxbow({ env }, 'serve')
  assert.equal(status, 1)
  assert.match(stderr, /^The configuration needs a change:\n {2}OXBOW_PORT: .*\n {2}OXBOW_LOG_LEVEL: .*\n$/)
})

test('config prints all settings and masks secrets', async () => {
  const env = { ...environment.env, OXBOW_SMTP_URL: 'smtp://mailer:sesame@mail.example', OXBOW_PORT: '1234' }
  const { stdout } = await runOxbow({ env }, 'config', '--json')
  const shown = JSON.parse(stdout)
  assert.deepEqual(shown.port, { value: 1234, source: 'environment' })
  assert.equal(shown.smtp_url.value, 'smtp://mailer:********@mail.example')
  assert.match(
    (await runOxbow({ env }, 'config')).stdout,
    /port = 1234\n.*\n {4}from: environment; variable: OXBOW_PORT/,
  )
})

test('migrate prints the applied migrations', async () => {
  assert.equal((await runOxbow(environment, 'migrate')).stdout, 'The database is up to date.\n')
  assert.deepEqual(JSON.parse((await runOxbow(environment, 'migrate', '--json')).stdout), { applied: [] })
})

test('migrate --status prints the progress of background migrations and changes nothing', async () => {
  await using database = await createTestDatabase()
  const status = async (...more: string[]) =>
    (await runOxbow(environmentFor(database.url), 'migrate', '--status', ...more)).stdout
  const begunAt = '2026-11-17T08:00:00Z'
  await database.query(
    `insert into background_migration (name, rows_done, rows_total, started_at, finished_at, failure) values
       ('9997_one', 5, 4, $1, $1, null), ('9998_two', 20, 80, $1, null, 'no luck'), ('9999_three', 0, null, null, null, null)`,
    [begunAt],
  )

  assert.equal(
    await status(),
    `The database fits this version.
Background migrations:
  9997_one: finished at ${begunAt}, 5 rows
  9998_two: 20 of about 80 rows (25 %) since ${begunAt}; the newest batch failed and is tried again: no luck
  9999_three: not begun
`,
  )
  const { state, background } = JSON.parse(await status('--json'))
  assert.deepEqual([state, background.length, background[1].rows_done], ['same', 3, 20])

  await database.query('drop table background_migration; drop table schema_migration')
  assert.match(await status(), /^The database is empty.*\nThere are no background migrations\.\n$/)
})

test('organization reactivate reactivates a deactivated organization', async () => {
  const { stdout: revealed } = await runOxbow(
    environment,
    'user',
    'api-key',
    '--email',
    'me@example.com',
    '--json',
  )
  const credentials = JSON.parse(revealed)
  const deactivate = { method: 'POST', path: '/api/v1/realm/deactivate', credentials }
  const me = { path: '/api/v1/users/me', credentials }
  const served = await getServed()
  assert.equal((await request(served.url, deactivate)).status, 200)
  assert.equal((await request(served.url, me)).status, 401)

  const { stdout } = await runOxbow(environment, 'organization', 'reactivate')

  assert.match(stdout, /is active again/)
  assert.equal((await request(served.url, me)).status, 200)
  const again = await runOxbow(environment, 'organization', 'reactivate')
  assert.match(again.stderr, /is active already/)
})

test('organization quota shows and sets the limit of uploads', async () => {
  const quota = (...options: string[]) => runOxbow(environment, 'organization', 'quota', ...options)
  assert.equal((await quota()).stdout, 'Uploads of Our team take 0 MiB; there is no limit.\n')
  assert.equal(
    (await quota('--set', '500')).stdout,
    'Uploads of Our team take 0 MiB; the limit is 500 MiB.\n',
  )
  assert.deepEqual(JSON.parse((await quota('--json')).stdout), { used: 0, quota: 500 * 1_048_576 })
  assert.deepEqual(JSON.parse((await quota('--set', 'none', '--json')).stdout), { used: 0, quota: null })
  const refused = await quota('--set', '-1')
  assert.deepEqual([refused.status, /must be a number of MiB/.test(refused.stderr)], [1, true])
  assert.match(
    (await quota('--subdomain', 'nowhere')).stderr,
    /There is no organization at the subdomain "nowhere"/,
  )
})

test('every command has a help text', async () => {
  const { status, stdout } = await runOxbow(environment, '--help')
  assert.equal(status, 0)
  assert.equal(stdout.startsWith(program().helpInformation()), true, stdout)
  const explain = (command: Command, name: string): number => {
    assert.match(command.helpInformation(), new RegExp(`^Usage: ${name}.*\\n\\n\\w`), name)
    const counts = command.commands.map((command) => explain(command, `${name} ${command.name()}`))
    return counts.reduce((sum, count) => sum + count, 1)
  }
  assert.ok(explain(program(), 'oxbow') > 15)
})
