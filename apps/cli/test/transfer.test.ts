import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import {
  createTestDatabase,
  eventually,
  fetchAt,
  hasExited,
  killChild,
  oxbowProgram,
  request,
  startChild,
  startMailServer,
  type TestDatabase,
  testSecret,
} from '@oxbow/testkit'
import { upload } from '@oxbow/testkit/calls/uploads'
import { readContents, withSession } from '@oxbow/testkit/garden/database-dump'
import { createFullOrganization } from '@oxbow/testkit/garden/full-garden'
import { startNodeOn } from '@oxbow/testkit/garden/garden'
import { environmentFor, runOxbow } from './run-oxbow.ts'

const directory = mkdtempSync(join(tmpdir(), 'oxbow-transfer-'))
const archive = join(directory, 'garden.tar.gz')
const source = await createTestDatabase()
const target = await createTestDatabase()
after(async () => {
  await source[Symbol.asyncDispose]()
  await target[Symbol.asyncDispose]()
  rmSync(directory, { recursive: true, force: true })
})

// The new server has another secret than the template of the database.
await target.query('delete from server')
const [from, to] = [environmentFor(source.url), environmentFor(target.url)]
Object.assign(from.env, { OXBOW_SECRET: testSecret })
Object.assign(to.env, { OXBOW_SECRET: 'another secret for tests, as long as it must be' })
{
  await using started = await startNodeOn(source.url, { data_dir: String(from.env.OXBOW_DATA_DIR) })
  const garden = await createFullOrganization(started)
  const member = started.as(garden.accounts.member)
  for (let number = 0; number < 20; number++) {
    const path = await upload(member, `notes-${number}.txt`)
    await member.messages.send({ type: 'stream', to: 'roses', topic: 'files', content: `[notes](${path})` })
  }
  const owner = started.as(garden.accounts.owner)
  await owner.dataExports.start()
  await eventually(
    async () => (await owner.dataExports.list()).exports.some(({ export_url }) => export_url),
    60_000,
  )
  const { files } = started.node.app
  for await (const { key } of files.list('exports/'))
    writeFileSync(archive, await buffer((await files.get(key))?.content ?? assert.fail()))
}
const path = join(directory, 'garden')
const stored = join(String(to.env.OXBOW_DATA_DIR), 'files')

/** Returns a digest of each table of the source, except the one that notes the last use of SQL functions. */
async function readSource(): Promise<Record<string, unknown>> {
  const { schema_function: _used, ...contents } = await readContents(source.url)
  return contents
}

function start({ env }: { env: NodeJS.ProcessEnv }, ...args: string[]): ChildProcess {
  return startChild(process.execPath, [oxbowProgram(), 'organization', ...args], { env, stdio: 'ignore' })
}

/** Waits for a condition, which must hold while the command is still running. */
async function waitWhileRunning(child: ChildProcess, condition: () => boolean | Promise<boolean>) {
  await eventually(async () => hasExited(child) || (await condition()))
  assert.ok(!hasExited(child), 'the command ended before it could be killed')
}

/** Kills a command as soon as a condition holds. */
async function killWhen(child: ChildProcess, condition: () => boolean | Promise<boolean>): Promise<void> {
  await waitWhileRunning(child, condition)
  await killChild(child)
}

/** Runs `work` while nobody else can read or write messages, so that no export or import can be finished. */
const withMessagesLocked = <Result>({ url }: TestDatabase, work: () => Promise<Result>): Promise<Result> =>
  withSession(url, async (session) => {
    await session.query('begin; lock table message')
    return work()
  })

/** Waits until PostgreSQL has ended the sessions of killed commands, which keep their locks until then. */
const waitForSessionsToEnd = ({ query }: TestDatabase) =>
  eventually(async () => {
    const sessions = await query(
      `select from pg_stat_activity where datname = current_database() and application_name like 'oxbow %'`,
    )
    return sessions.length === 0
  })

async function listImports(): Promise<unknown[]> {
  const rows = await target.query<{ id: unknown }>('select organization_id as id from organization_import')
  return rows.map(({ id }) => id)
}

async function expectNothingImported(): Promise<void> {
  await waitForSessionsToEnd(target)
  assert.deepEqual(await target.query('select from organization'), [])
  assert.deepEqual(await target.query('select from message'), [])
}

const listStored = (): string[] =>
  existsSync(stored)
    ? readdirSync(stored, { recursive: true, withFileTypes: true })
        // The store removes files that were not completely written after a day.
        .filter((entry) => entry.isFile() && !entry.parentPath.endsWith('.unfinished'))
        .map(({ name }) => name)
    : []

test('a killed export leaves the source untouched, and a later one replaces its remains', async () => {
  const before = await readSource()
  const partial = () => readdirSync(directory).find((name) => name.endsWith('.partial'))
  await withMessagesLocked(source, () => killWhen(start(from, 'export', path), () => partial() !== undefined))
  await waitForSessionsToEnd(source)
  assert.ok(!existsSync(path))
  assert.deepEqual(await readSource(), before)
  utimesSync(join(directory, partial() ?? assert.fail()), 0, 0)
  const { status, stdout } = await runOxbow(from, 'organization', 'export', path)
  assert.equal(status, 0)
  assert.match(stdout, /records of The Garden and \d+ files/)
  assert.ok(existsSync(path) && !partial())
})

test('a killed import leaves no organization, and the next command or start removes its files', async () => {
  await runOxbow(to, 'migrate')
  await withMessagesLocked(target, () =>
    killWhen(start(to, 'import', path), async () => (await listImports()).length > 0),
  )
  await expectNothingImported()
  const [interrupted] = await listImports()
  assert.ok(interrupted)

  await withSession(target.url, async (session) => {
    const child = await withMessagesLocked(target, async () => {
      const started = start(to, 'import', path)
      await waitWhileRunning(started, async () => (await listImports()).some((id) => id !== interrupted))
      // The import stores its files before it deletes its row, which it cannot do during this transaction.
      await session.query('begin; lock table organization_import in share mode')
      return started
    })
    await killWhen(child, () => listStored().length > 0)
  })
  await expectNothingImported()
  assert.ok(listStored().length > 0)
  await using started = await startNodeOn(target.url, {
    data_dir: String(to.env.OXBOW_DATA_DIR),
    secret: String(to.env.OXBOW_SECRET),
  })
  await eventually(async () => (await listImports()).length === 0)
  assert.deepEqual(listStored(), [])

  const { status, stdout, stderr } = await runOxbow(to, 'organization', 'import', path, '--links')
  assert.equal(status, 0, stderr)
  assert.match(stdout, /Imported The Garden as organization \d+/)
  const [, link = ''] = /^iris@garden\.example (http:\S+)$/m.exec(stdout) ?? []
  const { pathname } = new URL(link)
  assert.equal((await request(started.node.url, { path: pathname })).status, 200)
  assert.deepEqual(await listImports(), [])
  const again = await runOxbow(to, 'organization', 'import', path)
  assert.equal(again.status, 1)
  assert.match(again.stderr, /The root host has an organization already/)
})

test('people of an imported archive get an e-mail with a link, and set a password with it', async () => {
  await using mail = await startMailServer()
  const host = 'mailed.chat.example'
  const env = { ...to.env, OXBOW_SMTP_URL: mail.url, OXBOW_EXTERNAL_URL: 'http://chat.example' }
  const command = ['organization', 'import', archive, '--subdomain', 'mailed', '--mail']
  const refused = [await runOxbow(to, ...command), await runOxbow({ env }, ...command, '--links')]
  assert.deepEqual(
    refused.map(({ status }) => status),
    [1, 1],
  )
  assert.match(refused[0]?.stderr ?? '', /cannot send e-mail.*Nothing was imported/s)
  assert.deepEqual(await target.query("select from organization where subdomain = 'mailed'"), [])

  const { status, stdout, stderr } = await runOxbow({ env }, ...command)
  assert.equal(status, 0, stderr)
  assert.match(stdout, /^4 people get an e-mail with a link to set a password within 7 days/m)
  await using started = await startNodeOn(target.url, {
    data_dir: String(to.env.OXBOW_DATA_DIR),
    secret: String(to.env.OXBOW_SECRET),
    smtp_url: mail.url,
    external_url: env.OXBOW_EXTERNAL_URL,
  })
  const { text } = await eventually(() => mail.emails.find(({ to }) => to === 'iris@garden.example'), 60_000)
  const [, path = ''] = /http:\/\/mailed\.chat\.example(\/accounts\/password\/reset\/\w+)/.exec(text) ?? []
  const post = (at: string, form: Record<string, string>) =>
    fetchAt(host)(`${started.node.url}${at}`, {
      method: 'POST',
      headers: { accept: 'text/html', 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams(form),
      redirect: 'manual',
    })
  const password = 'heron lake 77 reeds'
  assert.equal((await post(path, { password })).status, 303)
  const signedIn = await post('/api/v1/fetch_api_key', { username: 'iris@garden.example', password })
  assert.equal(signedIn.status, 200)
  assert.deepEqual(readdirSync(directory).sort(), ['garden', 'garden.tar.gz'])
})
