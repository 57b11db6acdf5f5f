import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type Config, loadConfig } from '@oxbow/server'
import { backUpServer, restoreServer, verifyBackup } from '@oxbow/server/backup'
import {
  copyPostgres18,
  eventually,
  type PostgresServer,
  request,
  startPostgresServer,
  testSecret,
} from '@oxbow/testkit'
import { sendToStream } from '@oxbow/testkit/calls/messages'
import { readContents, readSchema, withSession } from '@oxbow/testkit/garden/database-dump'
import { createFullOrganization } from '@oxbow/testkit/garden/full-garden'
import { startNodeOn } from '@oxbow/testkit/garden/garden'
import { readEverything } from '@oxbow/testkit/garden/read-everything'
import { sampleInGate } from '@oxbow/testkit/size'
import { assertQueueRefused, openMessageQueue } from '../restore/messages.ts'

const directory = mkdtempSync(join(tmpdir(), 'oxbow-backup-'))
const postgres = await startPostgresServer()
after(async () => {
  await postgres[Symbol.asyncDispose]()
  rmSync(directory, { recursive: true, force: true })
})

/** Creates the role of an operator, who may create databases but is not a superuser. */
const addKeeper = (server: PostgresServer) =>
  withSession(server.url('postgres'), (client) => client.query('create role keeper login createdb'))
const urlOf = (server: PostgresServer, database: string) =>
  server.url(database).replace('postgres@', 'keeper@')
await addKeeper(postgres)

/** Returns the settings of a server with its own directory. */
function configFor(database_url: string, name: string, more: Partial<Config> = {}): Config {
  const data_dir = join(directory, name)
  return loadConfig(
    { database_url, data_dir, port: 0, secret: testSecret, rate_limit_per_minute: 0, ...more },
    {},
  ).config
}
const original = configFor(urlOf(postgres, 'oxbow'), 'original')
const file = join(directory, 'garden.backup')
const options = {
  warn: (text: string) => assert.fail(text),
  askPassphrase: () => Promise.reject(new Error('asked')),
}
const quiet = { warn: () => {} }

const started = await startNodeOn(original.database_url, original)
after(() => started[Symbol.asyncDispose]())
const garden = await createFullOrganization(started)
const { accounts } = garden

/** Accounts whose responses are compared: two of the five roles in the gate. */
const readers = sampleInGate(Object.entries(accounts), 2)

/** Returns all responses of reading endpoints, for the account of each reader. */
async function readAsAll(url: string): Promise<Record<string, unknown>> {
  const read: Record<string, unknown> = {}
  for (const [role, account] of readers) read[role] = await readEverything(url, account, garden.known)
  return read
}

const listDatabases = () =>
  withSession(postgres.url('postgres'), async (client) => {
    const { rows } = await client.query<{ datname: string }>('select datname from pg_database order by 1')
    return rows.map(({ datname }) => datname)
  })

const backup = async () => {
  // An hourly job adds these rows, which must not happen between the backup and the comparison.
  await withSession(original.database_url, (client) =>
    client.query(
      'insert into traffic_count (organization_id, counted_to) select id, 0 from organization on conflict do nothing',
    ),
  )
  await backUpServer(original, file, { ...options, askPassphrase: undefined })
  return {
    everything: await readAsAll(started.node.url),
    contents: await readContents(original.database_url),
  }
}

const made = await backup()

test('a backup made while messages are sent has no gaps in the messages of each sender, and passes verification', async () => {
  const before: number[] = []
  const sent: number[] = []
  const sending = new AbortController()
  const senders = [accounts.owner, accounts.member].map(async (account) => {
    while (!sending.signal.aborted)
      sent.push(await sendToStream(started.as(account), 'roses', 'meanwhile', 'Busy.'))
  })
  await eventually(() => sent.length >= 10)
  before.push(...sent)
  const busy = join(directory, 'busy.backup')

  await backUpServer(original, busy, quiet)
  sending.abort()
  await Promise.all(senders)

  assert.equal(statSync(busy).mode & 0o777, 0o600)
  await verifyBackup(busy)
  const target = configFor(urlOf(postgres, 'busy'), 'busy')
  await restoreServer(target, busy, options)
  const restored = await withSession(target.database_url, async (client) => {
    const { rows } = await client.query<{ id: number }>(
      "select id from message where topic = 'meanwhile' order by id",
    )
    return rows.map(({ id }) => id)
  })
  assert.ok(restored.length >= before.length)
  assert.deepEqual(
    before.filter((id) => !restored.includes(id)),
    [],
  )
  const sentMeanwhile = await withSession(original.database_url, async (client) => {
    const { rows } = await client.query<{ id: number; sender_id: number }>(
      "select id, sender_id from message where topic = 'meanwhile' order by id",
    )
    return rows
  })
  for (const { user_id } of [accounts.owner, accounts.member]) {
    const own = sentMeanwhile.filter(({ sender_id }) => sender_id === user_id).map(({ id }) => id)
    const kept = own.filter((id) => restored.includes(id))
    assert.deepEqual(kept, own.slice(0, kept.length), 'no message before a restored one is missing')
  }
})

const isPackaged = process.platform === 'linux' && process.arch === 'x64'
for (const version of [15, 18])
  test(`a backup restored into PostgreSQL ${version} gives each role the same responses as the original, and has its files`, {
    skip: version === 18 && !isPackaged && 'PostgreSQL 18 is not installed',
  }, async () => {
    using binaries = version === 18 ? copyPostgres18() : undefined
    await using newer =
      version === 18 ? await startPostgresServer(binaries ? { bin: binaries.bin } : {}) : undefined
    if (newer) await addKeeper(newer)
    const target = configFor(urlOf(newer ?? postgres, 'restored'), `restored-${version}`)
    const oldQueue = await openMessageQueue(started.as(accounts.member))

    await restoreServer(target, file, newer ? { ...options, warn: () => {} } : options)

    if (!newer)
      assert.deepEqual(await readStatements(target.database_url), await readStatements(original.database_url))
    const contents = await readContents(target.database_url)
    const same = Object.keys(contents).filter(
      (name) => !serverSpecificNames.test(name) && contents[name] !== made.contents[name],
    )
    assert.deepEqual(same, [], 'tables with other rows')
    await using node = await startNodeOn(target.database_url, target)
    assert.deepEqual((await request(node.node.url, { path: '/ready' })).body, {
      status: 'ready',
      jobs: 'held',
    })
    assert.deepEqual(await readAsAll(node.node.url), made.everything)
    const download = await request(node.node.url, { path: garden.upload, credentials: accounts.member })
    assert.equal(download.text, 'Water the roses.')

    const iris = node.as(accounts.member)
    await assertQueueRefused(oldQueue.on(iris))
    const newest = Number(
      (await iris.messages.list({ anchor: 'newest', num_before: 1, num_after: 0 })).messages[0]?.id,
    )
    const queue = await openMessageQueue(iris)
    const sent = await sendToStream(iris, 'roses', 'spring', 'After the restore.')
    assert.ok(sent > newest + 999_000, `${sent} after ${newest}`)
    assert.deepEqual(await queue.readTo(sent), [sent])
  })

/**
 * Reads the statements of the schema, without the partitions of the event log, which are created
 * and dropped over time.
 */
const readStatements = async (url: string) =>
  (await readSchema(url)).split(';\n').filter((statement) => !/event_batch_\d/.test(statement))

/** Matches tables and sequences that a restored server resets or advances. */
const serverSpecificNames =
  /^(event_|outbox|schema_migration|job_runner|node_secret|schema_function|message_id_gap$|server$|graphile_worker\._private_(jobs|job_queues|known_crontabs|tasks)|graphile_worker\.|public\.)/

test('damaged backups, truncated backups and backups with another secret are refused before anything is written', async () => {
  const bytes = readFileSync(file)
  const damaged = join(directory, 'damaged.backup')
  const target = configFor(urlOf(postgres, 'refused'), 'refused')
  const before = await listDatabases()
  const refuse = async (pattern: RegExp, config = target, path = damaged) => {
    await assert.rejects(restoreServer(config, path, options), pattern)
    assert.deepEqual(await listDatabases(), before)
    assert.ok(!existsSync(config.data_dir))
  }
  const at = bytes.indexOf('tables/message/000001.copy.zst') + 600
  const changed = Buffer.from(bytes)
  changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
  writeFileSync(damaged, changed)
  await refuse(/is damaged:\n- the content of tables\/message\/000001\.copy\.zst\n/)
  writeFileSync(damaged, bytes.subarray(0, bytes.length / 2))
  await refuse(/it ends at byte \d+, .*: it is cut off/)
  await refuse(
    /The secret in OXBOW_SECRET is not the one of this backup/,
    { ...target, secret: 'x'.repeat(40) },
    file,
  )
  await refuse(
    /does not contain the secret of its server, and the settings have none/,
    { ...target, secret: undefined },
    file,
  )
})

test('a backup with the sealed secret is restored on a machine without a secret only with the passphrase', async () => {
  const sealed = join(directory, 'sealed.backup')
  const passphrase = 'four roses in a bed'
  await backUpServer(original, sealed, { ...quiet, askPassphrase: async () => passphrase })
  assert.ok(!readFileSync(sealed).includes(testSecret))
  const target = configFor(urlOf(postgres, 'sealed'), 'sealed', { secret: undefined })
  const wrong = { ...options, askPassphrase: async () => 'five roses in a bed' }
  await assert.rejects(restoreServer(target, sealed, wrong), /The passphrase is not the one/)
  assert.ok(!existsSync(target.data_dir))

  await restoreServer(target, sealed, {
    ...options,
    askPassphrase: async () => passphrase,
    resumesJobs: true,
  })

  const secret = join(target.data_dir, 'secret')
  assert.deepEqual([readFileSync(secret, 'utf8'), statSync(secret).mode & 0o777], [testSecret, 0o600])
  await using node = await startNodeOn(target.database_url, target)
  const me = await request(node.node.url, { path: '/api/v1/users/me', credentials: accounts.member })
  assert.equal(me.status, 200)
  assert.deepEqual((await request(node.node.url, { path: '/ready' })).body, { status: 'ready' })
})

test('databases that are in use or not empty are refused, with instructions', async () => {
  const refuse = (database: string, pattern: RegExp) =>
    assert.rejects(restoreServer(configFor(urlOf(postgres, database), 'elsewhere'), file, options), pattern)
  await refuse('oxbow', /The database is in use by oxbow.*Stop all nodes/)
  await refuse('sealed', /already has 1 organizations\. Restore into an empty database: another name/)
  await withSession(postgres.url('postgres'), (client) => client.query('create database other owner keeper'))
  await withSession(postgres.url('other'), (client) => client.query('create table shop (id int)'))
  await refuse('other', /has tables of another program, like shop/)
})

test('existing files with equal content are kept, and a different file under the same name is refused', async () => {
  const target = configFor(urlOf(postgres, 'filled'), 'restored-15')
  await restoreServer(target, file, options)
  const files = join(target.data_dir, 'files')
  const stored = readdirSync(files, { recursive: true, withFileTypes: true }).find((entry) => entry.isFile())
  assert.ok(stored)
  writeFileSync(join(stored.parentPath, stored.name), 'another file')
  const before = await listDatabases()

  const again = configFor(urlOf(postgres, 'refilled'), 'restored-15')

  await assert.rejects(restoreServer(again, file, options), /already has another file .* than the backup/)
  assert.deepEqual(await listDatabases(), before)
})
