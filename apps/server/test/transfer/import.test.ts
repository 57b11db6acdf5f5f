import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { addUserByOperator, type Config, createOrganization, loadConfig, revealApiKey } from '@oxbow/server'
import { exportOrganizationTo, importOrganizationFrom } from '@oxbow/server/transfer'
import { createTestDatabase, eventually, request, type TestDatabase, testSecret } from '@oxbow/testkit'
import { sendToStream } from '@oxbow/testkit/calls/messages'
import { readContents } from '@oxbow/testkit/garden/database-dump'
import { createFullOrganization } from '@oxbow/testkit/garden/full-garden'
import { type Credentials, type StartedNode, startNodeOn } from '@oxbow/testkit/garden/garden'
import { type Known, readEverything } from '@oxbow/testkit/garden/read-everything'
import { bySize } from '@oxbow/testkit/size'
import { canonicalText, nameIds, spreadIds } from './canonical.ts'
import { copyMessages } from './many-messages.ts'
import { plantReferences } from './richer-garden.ts'

const directory = mkdtempSync(join(tmpdir(), 'oxbow-import-'))
const source = await createTestDatabase()
const target = await createTestDatabase()
const started: StartedNode[] = []
after(async () => {
  for (const node of started) await node[Symbol.asyncDispose]()
  await source[Symbol.asyncDispose]()
  await target[Symbol.asyncDispose]()
  rmSync(directory, { recursive: true, force: true })
})

async function start(database: TestDatabase, name: string, more: Partial<Config> = {}): Promise<StartedNode> {
  const { config } = loadConfig(
    {
      database_url: database.url,
      data_dir: join(directory, name),
      port: 0,
      secret: testSecret,
      rate_limit_per_minute: 0,
      ...more,
    },
    {},
  )
  const node = await startNodeOn(database.url, config)
  started.push(node)
  return node
}

await spreadIds(source, 10_000_000)
await spreadIds(target, 50_000_000)
// The new server has another secret than the template of the database.
await target.query('delete from server')
const old = await start(source, 'source')
const garden = await createFullOrganization(old)
await plantReferences(old, garden)
const owner = old.as(garden.accounts.owner)
const erased = await addPerson('gone')
await owner.users.erase({ user_id: erased as never })
await eventually(async () => (await source.query('select from user_erasure')).length === 0)

/** Adds a member to the old server, and returns its id. */
async function addPerson(name: string): Promise<number> {
  const person = { subdomain: '', email: `${name}@garden.example`, full_name: `${name} G.`, role: 'member' }
  return (await addUserByOperator(old.node.app, person as Parameters<typeof addUserByOperator>[1])).user_id
}

/** Number of messages besides those of the garden. */
const messageCount = bySize({ gate: 300, long: 200_000 })
await copyMessages(source, messageCount)
const seconds: Record<string, number> = {}
/** Awaits the work, and records its duration in `seconds`. */
async function time<Result>(name: string, work: Promise<Result>): Promise<Result> {
  const startedAt = performance.now()
  const result = await work
  seconds[name] = Math.round(performance.now() - startedAt) / 1_000
  return result
}
const path = join(directory, 'garden')
const options = { subdomain: '', warn: (text: string) => assert.fail(text) } as const
await time(
  'export',
  exportOrganizationTo(old.node.app, path, { ...options, scope: 'everything', url: old.node.url }),
)

const fresh = await start(target, 'target', { secret: `${testSecret}, another one` })
await createOrganization(fresh.node.app, {
  name: 'The Valley',
  subdomain: 'valley',
  owner: { email: 'owner@valley.example', full_name: 'Vera Valley' },
})
const importAs = (subdomain: string, from = path) =>
  importOrganizationFrom(fresh.node.app, from, { subdomain, url: fresh.node.url, onProgress: () => {} })
const imported = await time('import', importAs(''))

/** Returns all responses of reading endpoints for an account, with names in place of ids. */
async function readAs(
  { node }: StartedNode,
  account: Credentials,
  known: Known,
  names: Map<string, string>,
): Promise<Record<string, string>> {
  const responses = await readEverything(node.url, account, known)
  return Object.fromEntries(
    Object.entries(responses).map(([name, response]) => [
      canonicalText(name, names),
      canonicalText(response, names),
    ]),
  )
}

/** Returns names for the ids of the old and of the new organization. */
async function nameAll(): Promise<{ oldNames: Map<string, string>; newNames: Map<string, string> }> {
  const [{ id: oldId } = { id: 0 }] = await source.query<{ id: number }>('select id::int from organization')
  const oldNames = await nameIds(source, oldId)
  const newNames = await nameIds(target, imported.organization_id)
  return { oldNames, newNames }
}

test('an imported organization is the same for every role in every reading endpoint', async (context) => {
  context.diagnostic(`${messageCount} messages: ${JSON.stringify(seconds)} seconds`)
  const { oldNames, newNames } = await nameAll()
  const byName = new Map([...newNames].map(([id, name]) => [name, Number(id)]))
  const toNew = (id: number): number => byName.get(oldNames.get(String(id)) ?? '') ?? assert.fail(`no ${id}`)
  const { messages, streams, users, bot, email } = garden.known
  const known: Known = {
    messages: messages.map(toNew),
    streams: streams.map(toNew),
    users: users.map(toNew),
    bot: toNew(bot),
    email,
  }
  for (const [role, account] of Object.entries(garden.accounts)) {
    const { api_key } = await revealApiKey(fresh.node.app, '', account.email)
    const before = await readAs(old, account, garden.known, oldNames)
    const now = await readAs(fresh, { email: account.email, api_key }, known, newNames)
    assert.deepEqual(Object.keys(now), Object.keys(before))
    for (const [name, response] of Object.entries(before))
      assert.equal(now[name], response, `${role}: ${name}`)
  }
})

/** Yields all messages that an account can read, in pages, with names in place of ids. */
async function* readMessages(
  { node }: StartedNode,
  credentials: Credentials,
  names: ReadonlyMap<string, string>,
): AsyncGenerator<string> {
  for (let anchor = 1; ; ) {
    const query = { anchor: String(anchor), num_before: '0', num_after: '5000' }
    const { status, text } = await request(node.url, { path: '/api/v1/messages', credentials, query })
    assert.equal(status, 200)
    const { messages }: { messages: { id: number }[] } = JSON.parse(text)
    const last = messages.at(-1)
    if (!last) return
    anchor = last.id + 1
    for (const message of messages)
      yield canonicalText(message, names).replaceAll(node.url, 'http://server.example')
  }
}

test('every message of an imported organization is the same for every role, in the same order', async (context) => {
  const { oldNames, newNames } = await nameAll()
  for (const [role, account] of Object.entries(garden.accounts)) {
    const { api_key } = await revealApiKey(fresh.node.app, '', account.email)
    const now = readMessages(fresh, { email: account.email, api_key }, newNames)
    let count = 0
    for await (const message of readMessages(old, account, oldNames)) {
      assert.equal((await now.next()).value, message)
      count++
    }
    assert.ok((await now.next()).done, `${role} reads more messages than before`)
    context.diagnostic(`${role}: ${count} messages`)
    if (role !== 'guest' && role !== 'bot') assert.ok(count > messageCount / 4, role)
  }
})

test('links and files of an imported organization work on its new server', async () => {
  const { email } = garden.accounts.member
  const { api_key } = await revealApiKey(fresh.node.app, '', email)
  const credentials = { email, api_key }
  const rest = garden.upload.split('/').slice(3).join('/')
  const got = await request(fresh.node.url, {
    path: `/user_uploads/${imported.organization_id}/${rest}`,
    credentials,
  })
  assert.deepEqual([got.status, got.text], [200, 'Water the roses.'])
  const [row] = await target.query<{ content: string; rendered_content: string }>(
    "select content, rendered_content from message where content like '[here]%'",
  )
  assert.ok(row?.content.includes(`${fresh.node.url}/#narrow/stream/5`))
  assert.ok(row?.content.includes('https://elsewhere.example/#narrow/stream/1'))
  const left = await target.query(
    `select from message where organization_id = $1
     and regexp_replace(content || rendered_content, 'https://elsewhere[.]example/#narrow/[^ <"]*', '', 'g') ~ '[^0-9][1-3][0-9]{7}[^0-9]'`,
    [imported.organization_id],
  )
  assert.equal(left.length, 0, 'ids of the old server are left in texts')
})

test('people of an imported organization have no passwords, and their old API keys are refused', async () => {
  const [row] = await target.query<{ passwords: number }>(
    'select count(password_hash)::int as passwords from user_account where organization_id = $1',
    [imported.organization_id],
  )
  assert.equal(row?.passwords, 0)
  const { email, api_key } = garden.accounts.owner
  const refused = await request(fresh.node.url, { path: '/api/v1/users/me', credentials: { email, api_key } })
  assert.equal(refused.status, 401)
})

test('an organization is imported under another name into its own server, without changes to the original', async () => {
  const before = await readContents(source.url)
  const { app } = old.node
  const copy = { subdomain: 'copy', name: 'The Copy', url: 'http://copy.example', onProgress: () => {} }
  const { organization_id } = await importOrganizationFrom(app, path, copy)
  const counts = await source.query<{ count: number }>(
    'select count(*)::int from message group by organization_id order by 1',
  )
  assert.equal(counts[0]?.count, counts[1]?.count)
  await source.query('delete from organization_import')
  const kept = await source.query('select from user_account where organization_id <> $1', [organization_id])
  assert.equal(kept.length, Object.keys(garden.accounts).length + 1)
  assert.ok(Object.keys(before).length > 0)
  await assert.rejects(importOrganizationFrom(app, path, copy), /at the subdomain "copy" already/)
})

test('all messages of an imported public export are marked as read', async () => {
  const from = join(directory, 'public')
  await exportOrganizationTo(old.node.app, from, { ...options, scope: 'public', url: old.node.url })
  const { organization_id, manifest } = await importAs('public', from)
  const [row] = await target.query<{ messages: number; settings: number; unread: number }>(
    `select (select count(*)::int from message where organization_id = $1) as messages,
       (select count(*)::int from user_setting where organization_id = $1) as settings,
       (select count(*)::int from message m join user_setting s using (organization_id)
        where organization_id = $1 and m.id >= s.read_to) as unread`,
    [organization_id],
  )
  assert.deepEqual(row, { messages: manifest.records.message, settings: manifest.records.user, unread: 0 })
})

test('an erased person stays erased in an imported organization', async () => {
  const [row] = await target.query<{ id: number; delivery_email: string }>(
    'select id::int, delivery_email from user_account where organization_id = $1 and erased_at is not null',
    [imported.organization_id],
  )
  assert.ok(row && row.id !== erased)
  assert.equal(row.delivery_email, `deleted-user-${row.id}@erased.invalid`)
  const { email } = garden.accounts.owner
  const { api_key } = await revealApiKey(fresh.node.app, '', email)
  await assert.rejects(
    fresh.as({ email, api_key }).users.reactivate({ user_id: row.id as never }),
    /was erased/,
  )
})

test('an erasure that is not complete when an organization is exported is completed by the import', async () => {
  const user_id = await addPerson('fern')
  await sendToStream(owner, 'tulips', 'references', `Ask @**fern G.|${user_id}**.`)
  // The old server must not complete it.
  await source.query(`
    create function delay_job() returns trigger language plpgsql as $$ begin
      new.run_at := now() + interval '1 day'; return new; end $$;
    create trigger delay_job before insert on graphile_worker._private_jobs for each row execute function delay_job()`)
  await owner.users.erase({ user_id: user_id as never })
  const from = join(directory, 'erasing')
  await exportOrganizationTo(old.node.app, from, { ...options, scope: 'everything', url: old.node.url })
  const { organization_id } = await importAs('erasing', from)
  await eventually(async () => (await target.query('select from user_erasure')).length === 0)
  const [row] = await target.query<{ content: string; rendered_content: string }>(
    "select content, rendered_content from message where organization_id = $1 and content like 'Ask @%'",
    [organization_id],
  )
  assert.match(row?.content ?? '', /^Ask @\*\*Deleted user\|\d+\*\*\.$/)
  assert.doesNotMatch(row?.rendered_content ?? '', /fern/)
})
