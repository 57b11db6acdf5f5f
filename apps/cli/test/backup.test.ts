import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import {
  createWriteStream,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { finished } from 'node:stream/promises'
import { after, test } from 'node:test'
import { connectionOptions } from '@oxbow/server'
import { eventually, oxbowProgram, startPostgresServer } from '@oxbow/testkit'
import pg from 'pg'
import { environmentFor, runOxbow, typeToOxbow } from './run-oxbow.ts'

const directory = mkdtempSync(join(tmpdir(), 'oxbow-backup-'))
const postgres = await startPostgresServer({ database: 'oxbow' })
const administrator = new pg.Client(connectionOptions(postgres.url('postgres')))
await administrator.connect()
after(async () => {
  await administrator.end()
  await postgres[Symbol.asyncDispose]()
  rmSync(directory, { recursive: true, force: true })
})
const environment = environmentFor(postgres.url('oxbow'))
const elsewhere = (database: string, data_dir = join(directory, database)) => ({
  env: { ...environment.env, DATABASE_URL: postgres.url(database), OXBOW_DATA_DIR: data_dir },
})

const session = async (database: string) => {
  const client = new pg.Client(connectionOptions(postgres.url(database)))
  client.on('error', () => {})
  await client.connect()
  return { client, [Symbol.asyncDispose]: () => client.end() }
}

const owner = ['--owner-email', 'me@example.com', '--owner-name', 'My Name']
const created = await runOxbow(environment, 'organization', 'create', '--name', 'Team', ...owner, '--json')
assert.equal(created.status, 0, created.stderr)

/** Runs oxbow, kills it as soon as a condition is true, and waits until it has exited. */
async function killWhen(
  { env }: { env: NodeJS.ProcessEnv },
  isTime: () => Promise<boolean>,
  ...args: string[]
): Promise<void> {
  const child = spawn(process.execPath, [oxbowProgram(), ...args], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const written = text(child.stderr)
  let hasExited = false
  const exited = new Promise<NodeJS.Signals | null>((resolve) =>
    child.on('exit', (_status, signal) => {
      hasExited = true
      resolve(signal)
    }),
  )
  await eventually(async () => hasExited || isTime())
  child.kill('SIGKILL')
  assert.equal(await exited, 'SIGKILL', await written)
}

/** Returns whether a database session of oxbow waits for a lock that the test holds. */
const isWaiting = async (database: string, name: string) => {
  const { rows } = await administrator.query(
    `select from pg_stat_activity where datname = $1 and application_name = $2 and wait_event_type = 'Lock'`,
    [database, name],
  )
  return rows.length > 0
}

const waitUntilUnused = (database: string) =>
  eventually(async () => {
    const { rows } = await administrator.query('select from pg_stat_activity where datname = $1', [database])
    return rows.length === 0
  })

const file = join(directory, 'team.backup')

test('a backup with a typed passphrase is private, verifies, and restores the data and the secret', async () => {
  const passphrase = 'correct horse battery'
  const { status, shown } = await typeToOxbow(
    environment,
    [
      ['Passphrase of the secret in the backup: ', passphrase],
      ['Repeat the passphrase: ', passphrase],
    ],
    ...['backup', file, '--with-secret'],
  )
  assert.equal(status, 0, shown)
  assert.match(
    shown,
    /team\.backup: [\d.]+ kB, 1 organizations, \d+ tables with \d+ rows, 0 files .* the sealed secret/,
  )
  assert.equal(statSync(file).mode & 0o777, 0o600)
  const verified = await runOxbow(environment, 'backup', 'verify', file)
  assert.match(verified.stdout, /^The backup is intact: 1 organizations/, verified.stderr)

  writeFileSync(join(directory, 'passphrase'), `${passphrase}\n`)
  const target = elsewhere('restored')
  const passphraseOption = ['--passphrase-file', join(directory, 'passphrase')]
  const restored = await runOxbow(target, 'restore', file, ...passphraseOption)

  assert.equal(restored.status, 0, restored.stderr)
  assert.match(
    restored.stdout,
    /^Restored: 1 organizations.*\nYou can start the nodes\..*`oxbow jobs resume`/,
  )
  const [from, to] = [environment, target].map(({ env }) =>
    readFileSync(join(String(env.OXBOW_DATA_DIR), 'secret')),
  )
  assert.deepEqual(to, from)
  assert.match((await runOxbow(target, 'jobs', 'status')).stdout, /^Jobs have been held since/)
  const key = await runOxbow(target, 'user', 'api-key', '--email', 'me@example.com')
  assert.ok(key.stdout.includes(JSON.parse(created.stdout).api_key), key.stderr)
  assert.equal((await runOxbow(target, 'restore', file, ...passphraseOption)).status, 1)
})

test('a backup to standard output is complete, and a backup to a directory is named after its time', async () => {
  const piped = join(directory, 'piped.backup')
  const child = spawn(process.execPath, [oxbowProgram(), 'backup', '-'], {
    env: environment.env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const output = createWriteStream(piped)
  child.stdout.pipe(output)
  await finished(output)
  assert.equal((await runOxbow(environment, 'backup', 'verify', piped)).status, 0)

  const folder = join(directory, 'backups')
  assert.equal((await runOxbow(environment, 'backup', `${folder}/`)).status, 0)
  assert.match(readdirSync(folder).join(), /^oxbow-\d{8}T\d{6}Z\.backup$/)
  assert.equal(statSync(folder).mode & 0o777, 0o700)
  const again = await runOxbow(environment, 'backup', join(folder, readdirSync(folder)[0] ?? ''))
  assert.match(again.stderr, /exists already\. Name another file\./)
})

test('backups in directories of the server are refused, and directories that a web server may publish cause a warning', async () => {
  const served = await runOxbow(environment, 'backup', join(directory, 'public_html', 'x.backup'))
  assert.match(
    served.stderr,
    /Warning: x\.backup lies below a directory named public_html, which a web server may publish/,
  )
  const own = join(String(environment.env.OXBOW_DATA_DIR), 'files', 'x.backup')
  const refused = await runOxbow(environment, 'backup', own)
  assert.equal(refused.status, 1)
  assert.match(refused.stderr, /is a directory of the server itself\. Keep backups elsewhere\./)
})

test('a killed backup leaves no file with its name, and a later backup removes the temporary file', async () => {
  await using holder = await session('oxbow')
  await holder.client.query('begin; lock table message in access exclusive mode')
  const target = join(directory, 'killed.backup')

  await killWhen(environment, () => isWaiting('oxbow', 'oxbow backup'), 'backup', target)

  const listLeft = () => readdirSync(directory).filter((name) => name.startsWith('killed'))
  assert.match(listLeft().join(), /^killed\.backup\.[0-9a-f]+\.partial$/)
  const partial = await runOxbow(environment, 'backup', 'verify', join(directory, listLeft()[0] ?? ''))
  assert.match(partial.stderr, /is not a backup of Oxbow|is cut off/)
  await holder.client.query('rollback')
  utimesSync(join(directory, listLeft()[0] ?? ''), 0, 0)
  assert.equal((await runOxbow(environment, 'backup', target)).status, 0)
  assert.deepEqual(listLeft(), ['killed.backup'])
})

/**
 * Lets the next restore wait in its session of this name when it runs such a command. The wait is for a table
 * that all databases share, because a restore refuses a database that another session uses. It is one that
 * PostgreSQL never reads when a session begins: the restore would not get as far as the command.
 */
async function holdRestore(name: string, command: string) {
  await using target = await session('killed')
  await target.client.query(`create or replace function hold() returns event_trigger language plpgsql as $$
    begin
      if current_setting('application_name') = '${name}' and to_regclass('message') is not null then
        set local lock_timeout = 0;
        perform from pg_shdescription;
      end if;
    end $$`)
  await target.client.query('drop event trigger if exists hold')
  await target.client.query(
    `create event trigger hold on ddl_command_end when tag in ('${command}') execute function hold()`,
  )
  const holder = await session('postgres')
  await holder.client.query('begin; lock table pg_shdescription in access exclusive mode')
  return holder
}

test('a killed restore leaves an empty database, and can be repeated', async () => {
  const plain = join(directory, 'plain.backup')
  assert.equal((await runOxbow(environment, 'backup', plain)).status, 0)
  const target = elsewhere('killed', environment.env.OXBOW_DATA_DIR)
  await administrator.query('create database killed')
  // Kills the restore once while tables are created, and once before the loaded rows are committed.
  for (const [name, command] of [
    ['oxbow', 'CREATE TABLE'],
    ['oxbow restore', 'CREATE INDEX'],
  ] as const) {
    {
      await using _holder = await holdRestore(name, command)
      // A restore refuses a database whose other sessions have not ended after two seconds.
      await waitUntilUnused('killed')
      await killWhen(target, () => isWaiting('killed', name), 'restore', plain)
    }
    await waitUntilUnused('killed')
  }
  {
    await using found = await session('killed')
    const { rows } = await found.client.query('select from organization')
    assert.equal(rows.length, 0)
    await found.client.query('drop event trigger hold; drop function hold')
  }
  await waitUntilUnused('killed')

  const repeated = await runOxbow(target, 'restore', plain)

  assert.equal(repeated.status, 0, repeated.stderr)
  await using found = await session('killed')
  assert.equal((await found.client.query('select from organization')).rows.length, 1)
})
