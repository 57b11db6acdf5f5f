import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import {
  createTestDatabase,
  hasFakeClock,
  type MailServer,
  makeFakeClock,
  mountSmallDisk,
  type NodeProcess,
  startMailServer,
  startNodeProcess,
  startPostgresServer,
  type TestDatabase,
} from '@oxbow/testkit'
import { type CommandEnvironment, environmentFor, runOxbow } from './run-oxbow.ts'

interface Finding {
  check: string
  state: string
  found: string
  remedy?: string
}

interface Diagnosis {
  status: number | null
  get(check: string): Finding
  problems: string[]
}

/** A proxy that is configured correctly or mishandles headers. */
interface Proxy extends AsyncDisposable {
  url: string
  rewrite: (headers: IncomingHttpHeaders) => IncomingHttpHeaders
  /** How long the proxy waits for a response. */
  maxWaitMs: number
}

const appendAddress = (headers: IncomingHttpHeaders): IncomingHttpHeaders => ({
  ...headers,
  'x-forwarded-for': `${headers['x-forwarded-for']}, 203.0.113.7`,
})

let database: TestDatabase
let environment: CommandEnvironment
let node: NodeProcess
let proxy: Proxy

before(async () => {
  database = await createTestDatabase()
  await database.query('delete from server')
  let nodeUrl = ''
  proxy = await startProxy(() => nodeUrl)
  const { env } = environmentFor(database.url)
  const addresses = { OXBOW_EXTERNAL_URL: proxy.url, OXBOW_TRUSTED_PROXIES: '127.0.0.1' }
  environment = { env: { ...env, ...addresses } }
  node = await startNodeProcess({
    database_url: database.url,
    env: { ...addresses, OXBOW_DATA_DIR: String(env.OXBOW_DATA_DIR), OXBOW_SECRET: '' },
  })
  nodeUrl = node.url
})
after(async () => {
  await node[Symbol.asyncDispose]()
  await proxy[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

test('doctor reports no problem for a working server, and prints one line per check', async () => {
  await using mail = await startMailServer()

  const { status, stdout, stderr } = await runOxbow(
    withEnv({ OXBOW_SMTP_URL: mail.url }),
    'doctor',
    '--wait',
    '1',
  )

  assert.equal(status, 0, stdout + stderr)
  assert.match(stderr, /^Waiting 1 seconds for a slow answer; --wait 0 leaves this out\.$/m)
  const lines = stdout.trim().split('\n')
  const checks = lines.slice(0, -1).map((line) => /^(ok|warning) +(\S+(?: \S+)?) /.exec(line)?.[2])
  assert.deepEqual(checks, [
    'settings',
    'data directory',
    'files',
    'database',
    'disk space',
    'clock',
    'migrations',
    'rights',
    'indexes',
    'secret',
    'jobs',
    'nodes',
    'external URL',
    'proxy',
    'slow answers',
    'mail',
  ])
  assert.match(lines.at(-1) ?? '', /^16 checks: 0 problems, \d warnings\.$/)
})

test('doctor reports a role that cannot add parts to the event log', async () => {
  const role = `doctor_${process.pid}`
  const url = new URL(database.url)
  url.username = role
  url.password = 'roses'
  assert.equal(url.username, role, 'DATABASE_URL must name a host')
  await database.query(`create role ${role} login password 'roses'; grant usage on schema public to ${role}`)
  await database.query(`grant select on all tables in schema public to ${role}`)
  try {
    const diagnosis = await diagnose(withEnv({ DATABASE_URL: url.href }))
    assert.match(diagnosis.get('rights').found, /does not own the tables/)
    assert.match(diagnosis.get('rights').remedy ?? '', new RegExp(`grant \\S+ to ${role}`))
  } finally {
    await database.query(`drop owned by ${role}; drop role ${role}`)
  }
})

const brokenSettings: [title: string, env: Record<string, string>, check: string, found: RegExp][] = [
  ['an unknown log level', { OXBOW_LOG_LEVEL: 'loud' }, 'settings', /^OXBOW_LOG_LEVEL: /],
  [
    'a directory for files that cannot be written',
    { OXBOW_FILES_DIR: '/dev/null/files' },
    'files',
    /^Uploads cannot be written to \/dev\/null\/files: /,
  ],
  [
    'a secret that differs from the one of the database',
    { OXBOW_SECRET: 'another secret that is long enough for Oxbow' },
    'secret',
    /^This database was set up with another secret than the one in OXBOW_SECRET/,
  ],
  [
    'an unreachable PostgreSQL',
    { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' },
    'database',
    /^PostgreSQL cannot be used as nobody on 127\.0\.0\.1:1, database none: .*ECONNREFUSED/,
  ],
  [
    'an unreachable mail server',
    { OXBOW_SMTP_URL: 'smtp://127.0.0.1:1' },
    'mail',
    /^No mail can be sent: .*ECONNREFUSED/,
  ],
  [
    'an external URL at which nothing listens',
    { OXBOW_EXTERNAL_URL: 'http://127.0.0.1:1' },
    'external URL',
    /^http:\/\/127\.0\.0\.1:1 cannot be reached from here: .*ECONNREFUSED/,
  ],
]
for (const [title, env, check, found] of brokenSettings) {
  test(`doctor reports what to do about ${title}`, async () => {
    const diagnosis = await diagnose(withEnv(env))

    assert.equal(diagnosis.status, 1)
    assert.deepEqual(diagnosis.problems, [check])
    assert.match(diagnosis.get(check).found, found)
    assert.ok(diagnosis.get(check).remedy)
  })
}

test('doctor reports a data directory that cannot be written', async () => {
  const secret = readFileSync(join(String(environment.env.OXBOW_DATA_DIR), 'secret'), 'utf8')

  const diagnosis = await diagnose(withEnv({ OXBOW_DATA_DIR: '/dev/null/oxbow', OXBOW_SECRET: secret }))

  assert.deepEqual(diagnosis.problems, ['data directory', 'files'])
  assert.match(diagnosis.get('data directory').found, /^The data directory \/dev\/null\/oxbow cannot be used/)
})

test('doctor reports a lost secret, and does not create a new one', async () => {
  const { env } = environmentFor(database.url)

  const diagnosis = await diagnose({ env })

  assert.deepEqual(diagnosis.problems, ['secret'])
  assert.match(diagnosis.get('secret').found, /this machine has none: .*\/secret is missing/)
  assert.deepEqual((await diagnose({ env })).get('secret'), diagnosis.get('secret'))
})

const brokenProxies: [title: string, rewrite: Proxy['rewrite'], found: RegExp][] = [
  [
    'drops X-Forwarded-For',
    ({ 'x-forwarded-for': _, ...headers }) => headers,
    /^The proxy sends no X-Forwarded-For, so all clients appear to have the same address/,
  ],
  ['forwards addresses that clients claim', (headers) => headers, /clients can spoof their address/],
  [
    'replaces the Host header',
    (headers) => ({ ...appendAddress(headers), host: 'backend:8484' }),
    /^The node receives the host backend:8484 instead of localhost/,
  ],
]
for (const [title, rewrite, found] of brokenProxies) {
  test(`doctor reports a proxy that ${title}`, async () => {
    proxy.rewrite = rewrite
    try {
      const diagnosis = await diagnose(environment)

      assert.deepEqual(diagnosis.problems, ['proxy'])
      assert.match(diagnosis.get('proxy').found, found)
    } finally {
      proxy.rewrite = appendAddress
    }
  })
}

test('doctor reports an external URL that leads to another server', async () => {
  const other = createServer((_request, response) => response.end('<p>Welcome to nginx</p>'))
  await once(other.listen(0, '127.0.0.1'), 'listening')
  const { port } = other.address() as AddressInfo

  const diagnosis = await diagnose(withEnv({ OXBOW_EXTERNAL_URL: `http://localhost:${port}` }))

  other.close()
  assert.deepEqual(diagnosis.problems, ['external URL'])
  assert.match(diagnosis.get('external URL').found, /does not lead to this server: status 200/)
})

test("GET /doctor responds with 404 without a token signed with the server's secret", async () => {
  for (const token of [undefined, '1', `${Date.now()}.${'A'.repeat(43)}`]) {
    const { status } = await fetch(`${node.url}/doctor`, {
      headers: token === undefined ? {} : { 'x-oxbow-doctor': token },
    })
    assert.equal(status, 404)
  }
})

test('doctor names a missing index and the statement that creates it', async () => {
  await using copy = await createTestDatabase()
  await copy.query('delete from server')
  await copy.query('drop index message_sent')

  const diagnosis = await diagnose(environmentFor(copy.url))

  assert.deepEqual(diagnosis.problems, ['indexes'])
  assert.match(diagnosis.get('indexes').found, /message_sent is missing/)
  assert.match(diagnosis.get('indexes').remedy ?? '', /CREATE INDEX message_sent /)
})

test('doctor warns that other users can read the secret', async () => {
  const { env } = environmentFor(database.url)
  writeFileSync(join(String(env.OXBOW_DATA_DIR), 'secret'), 'x'.repeat(40), { mode: 0o644 })

  const diagnosis = await diagnose({ env })

  assert.equal(diagnosis.get('data directory').state, 'warning')
  assert.match(diagnosis.get('data directory').remedy ?? '', /^Run: chmod 600 /)
})

test('doctor reports a disk that is nearly full', async (context) => {
  using disk = mountSmallDisk(8)
  if (!disk) return context.skip('this process may not mount a file system')

  const diagnosis = await diagnose(withEnv({ OXBOW_FILES_DIR: disk.directory }))

  assert.deepEqual(diagnosis.problems, ['disk space'])
  assert.ok(diagnosis.get('disk space').found.includes(disk.directory))
})

test('doctor reports a clock of PostgreSQL that is three hours ahead', {
  skip: !hasFakeClock && 'libfaketime is not installed',
}, async () => {
  using clock = makeFakeClock()
  await using postgres = await startPostgresServer({ env: clock.env })
  clock.set('+3h')

  const diagnosis = await diagnose(environmentFor(postgres.url('postgres')))

  assert.deepEqual(diagnosis.problems, ['clock'])
  assert.match(diagnosis.get('clock').found, /^The clock of PostgreSQL is 180 minutes ahead of /)
  assert.equal(diagnosis.get('migrations').state, 'warning')
})

const refusingMailServers: [title: string, refusals: MailServer['refusals'], state: string, found: RegExp][] =
  [
    [
      'refuses the sender',
      { from: [553, 'not your address'] },
      'problem',
      /^The mail server refuses the sender noreply@localhost: 553 not your address\.$/,
    ],
    [
      'does not relay',
      { to: [550, 'relaying denied'] },
      'problem',
      /^The mail server refuses e-mails to olive@garden\.example: 550 relaying denied\.$/,
    ],
    [
      'asks to try later',
      { to: [451, 'greylisted'] },
      'warning',
      /^The mail server does not accept an e-mail from noreply@localhost to olive@garden\.example for now: 451/,
    ],
  ]
for (const [title, refusals, state, found] of refusingMailServers) {
  test(`doctor reports a mail server that ${title}`, async () => {
    await using mail = await startMailServer()
    mail.refusals = refusals
    await makeOwner()

    const diagnosis = await diagnose(withEnv({ OXBOW_SMTP_URL: mail.url }))

    assert.equal(diagnosis.get('mail').state, state)
    assert.match(diagnosis.get('mail').found, found)
    assert.ok(diagnosis.get('mail').remedy)
  })
}

test('doctor says that it asked about no recipient while no owner has an address', async () => {
  await using mail = await startMailServer()
  await database.query('update organization set deactivated_at = now()')
  const diagnosis = await diagnose(withEnv({ OXBOW_SMTP_URL: mail.url }))
  await database.query('update organization set deactivated_at = null')
  assert.match(diagnosis.get('mail').found, /accepts the sender .*no recipient, because no owner/)
})

test('doctor signs in to a mail server, names a sender and a recipient, and sends nothing', async () => {
  await using mail = await startMailServer()
  await makeOwner()
  const url = mail.url.replace('//', '//roses:thorns@')

  const diagnosis = await diagnose(
    withEnv({ OXBOW_SMTP_URL: url, OXBOW_MAIL_FROM: 'Chat <chat@garden.example>' }),
  )

  assert.deepEqual(diagnosis.problems, [])
  assert.equal(
    diagnosis.get('mail').found,
    'The mail server accepts e-mails from chat@garden.example to olive@garden.example.',
  )
  assert.deepEqual(mail.heard, ['user roses', 'from chat@garden.example', 'to olive@garden.example'])
})

test('doctor reports a proxy that ends requests which wait', async () => {
  proxy.maxWaitMs = 300
  try {
    const { stdout } = await runOxbow(environment, 'doctor', '--json', '--wait', '2')
    const { findings }: { findings: Finding[] } = JSON.parse(stdout)
    const finding = findings.find(({ check }) => check === 'slow answers')

    assert.equal(finding?.state, 'problem')
    assert.match(finding.found, /that wait are ended after \d+ seconds \(status 504\)/)
    assert.match(finding.remedy ?? '', /proxy_read_timeout 120s/)
  } finally {
    proxy.maxWaitMs = Infinity
  }
})

const withEnv = (more: Record<string, string>): CommandEnvironment => ({
  env: { ...environment.env, ...more },
})

async function diagnose(command: CommandEnvironment): Promise<Diagnosis> {
  const { status, stdout, stderr } = await runOxbow(command, 'doctor', '--json', '--wait', '0')
  const { findings, problems }: { findings: Finding[]; problems: number } = JSON.parse(stdout || stderr)
  const names = findings.filter(({ state }) => state === 'problem').map(({ check }) => check)
  assert.equal(problems, names.length)
  assert.equal(status, problems > 0 ? 1 : 0)
  return {
    status,
    problems: names,
    get(check) {
      const finding = findings.find((each) => each.check === check)
      assert.ok(finding, `no check ${check} in ${stdout}`)
      return finding
    },
  }
}

async function startProxy(target: () => string): Promise<Proxy> {
  const server = createServer((incoming, response) => {
    const headers = started.rewrite(incoming.headers)
    const outgoing = request(new URL(incoming.url ?? '/', target()), { headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    outgoing.on('error', () => {
      if (!response.headersSent) response.writeHead(502).end()
    })
    if (started.maxWaitMs < Infinity)
      setTimeout(() => {
        if (!response.headersSent) response.writeHead(504).end()
        outgoing.destroy()
      }, started.maxWaitMs)
    outgoing.end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const started: Proxy = {
    url: `http://localhost:${port}`,
    rewrite: appendAddress,
    maxWaitMs: Infinity,
    [Symbol.asyncDispose]: () => new Promise<void>((closed) => server.close(() => closed())),
  }
  return started
}

let owner: Promise<unknown> | undefined
/** Creates an owner once, whom the doctor names as recipient. */
async function makeOwner(): Promise<void> {
  const names = ['--name', 'Garden', '--owner-email', 'olive@garden.example', '--owner-name', 'Olive Owner']
  owner ??= runOxbow(environment, 'organization', 'create', ...names)
  await owner
}
