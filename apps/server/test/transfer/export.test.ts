import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { loadConfig } from '@oxbow/server'
import { exportOrganizationTo } from '@oxbow/server/transfer'
import { createTestDatabase, eventually, testSecret } from '@oxbow/testkit'
import { sendToStream } from '@oxbow/testkit/calls/messages'
import { withSession } from '@oxbow/testkit/garden/database-dump'
import { createFullOrganization } from '@oxbow/testkit/garden/full-garden'
import { startNodeOn } from '@oxbow/testkit/garden/garden'
import { recordSchema } from '../../src/administration/exports/format/record-type.ts'
import { recordTypes } from '../../src/administration/exports/format/records.ts'
import { readRecords } from './read-export.ts'

const directory = mkdtempSync(join(tmpdir(), 'oxbow-export-'))
const database = await createTestDatabase()
after(async () => {
  await started[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
  rmSync(directory, { recursive: true, force: true })
})
const { config } = loadConfig(
  {
    database_url: database.url,
    data_dir: join(directory, 'data'),
    port: 0,
    secret: testSecret,
    rate_limit_per_minute: 0,
  },
  {},
)
const started = await startNodeOn(config.database_url, config)
const { accounts, upload } = await createFullOrganization(started)
const member = started.as(accounts.member)
const options = {
  subdomain: '',
  scope: 'everything',
  url: 'http://garden.example',
  warn: (text: string) => assert.fail(text),
} as const
const path = join(directory, 'garden')
const manifest = await exportOrganizationTo(started.node.app, path, options)

const readAll = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n')

test('an export has valid records of every type, and checksums that sha256sum accepts', () => {
  for (const type of recordTypes) {
    const records = readRecords(path, type.name)
    assert.equal(records.length, manifest.records[type.name], type.name)
    for (const record of records) recordSchema(type).parse(record)
  }
  const empty = recordTypes.filter(({ name }) => manifest.records[name] === 0).map(({ name }) => name)
  assert.ok(empty.length < 17, `the test organization has no ${empty.join(', ')}`)
  for (const list of [
    ...readdirSync(join(path, 'checksums')).map((name) => `checksums/${name}`),
    'manifest.json.sha256',
  ])
    execFileSync('sha256sum', ['--check', '--quiet', '--strict', list], { cwd: path })
  assert.deepEqual(JSON.parse(readFileSync(join(path, 'manifest.json'), 'utf8')), manifest)
})

test('an export has uploaded files with their content', () => {
  const [record] = readRecords(path, 'upload')
  assert.equal(`/user_uploads/${record?.path_id}`, upload)
  assert.equal(readFileSync(join(path, 'files/uploads', String(record?.id))).length, record?.size)
  assert.equal(manifest.files.missing, 0)
  assert.ok(existsSync(join(path, 'files/avatars', `${accounts.member.user_id}-medium.png`)))
})

test('an export contains no keys, hashes or sealed values', async () => {
  const all = readAll(path)
  for (const { api_key } of Object.values(accounts)) assert.ok(!all.includes(api_key))
  const secrets = await withSession(config.database_url, async (client) => {
    const { rows } = await client.query<{ value: string }>(
      `select encode(api_key_hash, 'hex') as value from user_account union all
       select encode(api_key_sealed, 'hex') from user_account union all
       select password_hash from user_account where password_hash is not null union all
       select email_token from stream union all select encode(token_sealed, 'hex') from bot_service where token_sealed is not null`,
    )
    return rows.map(({ value }) => value)
  })
  assert.ok(secrets.length > 10)
  for (const secret of secrets) assert.ok(!all.includes(secret))
})

/** Tables that are left out: secrets, caches, state of one server, and data that an import derives. */
const leftOut = [
  'conversation_member',
  'data_export',
  'device',
  'email_change',
  'event_batch',
  'event_head',
  'event_queue',
  'idempotent_answer',
  'invitation',
  'invitation_stream',
  'link_page',
  'link_preview_request',
  'login_attempt',
  'organization_deletion',
  'organization_import',
  'outbox',
  'outgoing_webhook_call',
  'own_export',
  'owner_notice',
  'password_reset',
  'scheduled_sender',
  'session',
  'sign_in_failure',
  'sign_in_network',
  'sign_up',
  'unfinished_upload',
  'upload_hold',
  'upload_usage',
  'webhook_failure',
]

/** Columns that are left out: secrets, and values that an import derives or assigns. */
const leftOutColumns = new Set([
  'alert_word.id',
  'bot_service.config_sealed',
  'bot_service.token_sealed',
  'bot_storage.characters',
  'bot_storage.key_digest',
  'conversation.members_digest',
  'draft.id',
  'linkifier.id',
  'message.folded_topic',
  'message.topic_words',
  'message.words',
  'message_edit.id',
  'muted_topic.folded_topic',
  'organization.deletion_began_at',
  'organization.id',
  'organization.plan_type',
  'organization.subdomain',
  'organization.upload_quota',
  'organization_domain.id',
  'reaction.id',
  'scheduled_message.attempt_at',
  'scheduled_message.attempts',
  'scheduled_message.awaits_notice',
  'scheduled_message.id',
  'scheduled_message.origin',
  'scheduled_message.revision',
  'stream.email_token',
  'stream.first_message_id',
  'stream.folded_name',
  'stream_folder.folded_name',
  'system_account.full_name',
  'topic_attention.folded_topic',
  'upload.thumbnail_attempts',
  'upload.thumbnail_formats',
  'user_account.api_key_hash',
  'user_account.api_key_sealed',
  'user_account.delivery_email',
  'user_account.password_hash',
  'user_erasure.began_at',
  'user_erasure.searched_to',
])

test('every table and column of an organization is exported, or left out on purpose', async () => {
  const columns = await withSession(config.database_url, async (client) => {
    const { rows } = await client.query<{ table: string; column: string }>(
      `select c.relname as table, attname as column from pg_class c
       join pg_attribute on attrelid = c.oid and attnum > 0 and not attisdropped
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
         and (relname in ('organization', 'system_account') or exists (
           select from pg_attribute a where a.attrelid = c.oid and a.attname = 'organization_id'))`,
    )
    return rows
  })
  const isExported = new Map(recordTypes.map((type) => [type.table, new Set(Object.keys(type.fields))]))
  const unlisted = columns.filter(({ table, column }) => {
    const fields = isExported.get(table)
    if (!fields) return !leftOut.includes(table)
    return column !== 'organization_id' && !fields.has(column) && !leftOutColumns.has(`${table}.${column}`)
  })
  assert.deepEqual(unlisted, [])
})

test('a public export has only messages of public streams, and no settings of people', async () => {
  const target = join(directory, 'public')
  const { records } = await exportOrganizationTo(started.node.app, target, { ...options, scope: 'public' })
  const all = readAll(target)
  assert.ok(all.includes('pruned twice'))
  for (const hidden of [
    'where the key is',
    'For your eyes',
    'cellar',
    'Unfinished.',
    'Later.',
    'aphids',
    'outside',
  ])
    assert.ok(!all.includes(hidden), hidden)
  for (const type of [
    'user_setting',
    'conversation',
    'draft',
    'scheduled_message',
    'user_message',
    'read_mark',
  ])
    assert.equal(records[type], undefined)
  for (const { name, ...type } of recordTypes)
    for (const record of readRecords(target, name)) recordSchema({ name, ...type }).parse(record)
})

test('a public export hides addresses and earlier versions that the organization hides from everyone', async () => {
  const owner = started.as(accounts.owner)
  await owner.organization.update({ email_address_visibility: 4, allow_edit_history: false })
  const target = join(directory, 'hidden')
  await exportOrganizationTo(started.node.app, target, { ...options, scope: 'public' })
  await owner.organization.update({ email_address_visibility: 1, allow_edit_history: true })
  const people = readRecords(target, 'user').filter(({ bot_type }) => bot_type === null)
  assert.deepEqual(new Set(people.map(({ email }) => email)), new Set([null]))
  assert.ok(!readAll(target).includes(accounts.member.email))
  assert.deepEqual(readRecords(target, 'message_edit'), [])
})

test('an export has the records of one moment, although messages are sent meanwhile', async () => {
  const target = join(directory, 'moment')
  let sending: Promise<unknown> | undefined
  const counted = await exportOrganizationTo(started.node.app, target, {
    ...options,
    onProgress: ({ type }) => {
      if (type === 'organization')
        sending ??= sendToStream(member, 'roses', 'spring', 'Sent during the export.')
    },
  })
  await sending
  assert.equal(counted.records.message, manifest.records.message)
  assert.ok(!readAll(join(target, 'records')).includes('Sent during the export.'))
})

test('an export refuses an existing directory and the directory of the server', async () => {
  const refuse = (target: string) => exportOrganizationTo(started.node.app, target, options)
  await assert.rejects(refuse(path), /exists already/)
  await assert.rejects(refuse(join(directory, 'data', 'files', 'x')), /a directory of the server itself/)
  await assert.rejects(
    exportOrganizationTo(started.node.app, join(directory, 'none'), { ...options, subdomain: 'nowhere' }),
    /no organization at the subdomain/,
  )
})

test('an export removes the files of a killed export, and leaves none when it fails', async () => {
  const target = join(directory, 'again')
  const abandoned = `${target}.0123456789abcdef.partial`
  mkdirSync(abandoned)
  utimesSync(abandoned, 0, 0)
  const failing = exportOrganizationTo(started.node.app, target, {
    ...options,
    onProgress: ({ type }) => {
      if (type === 'message') throw new Error('stopped by the test')
    },
  })
  await assert.rejects(failing, /stopped by the test/)
  assert.deepEqual(
    readdirSync(directory).filter((name) => name.startsWith('again')),
    [],
  )
})

test('an export that fails while it reads messages ends at once', async () => {
  await database.query("update message set content = repeat('x', 1000000)")
  const failing = exportOrganizationTo(started.node.app, join(directory, 'full'), {
    ...options,
    onProgress: ({ type, bytes }) => {
      if (type === 'message' && bytes > 4_000_000) throw new Error('the disk is full')
    },
  })
  const waiting = new AbortController()
  const late = setTimeout(60_000, 'late', { signal: waiting.signal }).catch(() => 'stopped')
  const outcome = await Promise.race([failing.catch((error: Error) => error.message), late])
  waiting.abort()
  assert.equal(outcome, 'the disk is full')
  const open =
    "select from pg_stat_activity where datname = current_database() and application_name = 'oxbow organization export'"
  await eventually(async () => (await database.query(open)).length === 0)
})
