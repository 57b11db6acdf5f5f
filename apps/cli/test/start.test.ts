import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { createTestDatabase, eventually, oxbowProgram } from '@oxbow/testkit'
import { environmentFor, runOxbow } from './run-oxbow.ts'

/** An address without a server. Commands have to fail before they connect to it. */
const noDatabase = 'postgres://nobody@127.0.0.1:1/none'
const root = join(import.meta.dirname, '..', '..', '..')

const refusals: [title: string, env: Record<string, string>, said: RegExp][] = [
  [
    'a data directory that cannot be written',
    { OXBOW_DATA_DIR: '/dev/null/oxbow', OXBOW_FILES_DIR: mkdtempSync(join(tmpdir(), 'oxbow-files-')) },
    /^This node keeps its secret in \/dev\/null\/oxbow\/secret, and cannot: .*\n.*OXBOW_DATA_DIR/,
  ],
  [
    'a directory for uploads that cannot be written',
    { OXBOW_FILES_DIR: '/dev/null/files' },
    /^Uploads cannot be written to \/dev\/null\/files: .*\n.*OXBOW_FILES_DIR/,
  ],
  [
    'a database URL with several hosts',
    { DATABASE_URL: 'postgres://me:pass@one:5432,two:5432/oxbow?target_session_attrs=read-write' },
    /\n {2}DATABASE_URL: names several hosts, but Oxbow connects to one: /,
  ],
  [
    'a database URL with several hosts in its query',
    { DATABASE_URL: 'postgres:///oxbow?host=one,two' },
    /\n {2}DATABASE_URL: names several hosts/,
  ],
  [
    'an invalid database URL',
    { DATABASE_URL: 'postgres://me:sesame@host:port/oxbow' },
    /\n {2}DATABASE_URL: cannot be read as a URL like /,
  ],
]
for (const [title, env, said] of refusals) {
  test(`serve refuses to start with an explanation: ${title}`, async () => {
    const environment = environmentFor(noDatabase)
    const { status, stderr } = await runOxbow({ env: { ...environment.env, ...env } }, 'serve')
    assert.equal(status, 1)
    assert.match(stderr, said)
    assert.ok(!/ {4}at |sesame/.test(stderr), stderr)
  })
}

test('a missing user of PostgreSQL is reported with the command that creates it', async () => {
  await using database = await createTestDatabase()
  const url = new URL(database.url)
  url.username = 'no_such_user'
  const { status, stderr } = await runOxbow(environmentFor(url.href), 'user', 'list')
  assert.equal(status, 1)
  assert.match(
    stderr,
    /role "no_such_user" does not exist\nCreate this user .*: createuser --createdb no_such_user\n/,
  )
})

test('a closed pipe is not an error, and unknown OXBOW variables cause a warning', async () => {
  const { env } = environmentFor(noDatabase)
  const child = spawn(process.execPath, [oxbowProgram(), 'config'], { env: { ...env, OXBOW_PROT: '1' } })
  const exited = new Promise((resolve) => child.on('exit', resolve))
  child.stdout.destroy()

  const stderr = await text(child.stderr)

  assert.equal(await exited, 0)
  assert.equal(stderr, 'Warning: OXBOW_PROT is not a setting; did you mean OXBOW_PORT?\n')
})

test('npx oxbow serve warns about an unavailable mail server and stops with npx', async () => {
  await using database = await createTestDatabase()
  await database.query('delete from server')
  const environment = environmentFor(database.url)
  const env = {
    ...environment.env,
    HOME: mkdtempSync(join(tmpdir(), 'oxbow-npx-')),
    OXBOW_SMTP_URL: 'smtp://127.0.0.1:1',
  }
  const npx = spawn('npx', ['--no-install', 'oxbow', 'serve', '--port', '0'], {
    cwd: root,
    env,
    detached: true,
  })
  try {
    let output = ''
    npx.stdout.on('data', (chunk) => (output += chunk))
    npx.stderr.on('data', (chunk) => (output += chunk))
    const url = await eventually(() => {
      if (npx.exitCode !== null) throw new Error(`it did not start: ${output}`)
      return /running at (http:\S+)/.exec(output)?.[1]
    })
    await eventually(() => /"reason":"[^"]*ECONNREFUSED.*no mail can be sent/.test(output))

    npx.kill('SIGTERM')

    await eventually(() =>
      fetch(`${url}/health`).then(
        () => false,
        () => true,
      ),
    )
  } finally {
    // Kills the whole process group, because a failed test may leave processes behind.
    try {
      process.kill(-(npx.pid as number), 'SIGKILL')
    } catch {}
  }
})
