import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { addUserByOperator, loadConfig, OperatorError } from '@oxbow/server'
import { exportOrganizationTo, importOrganizationFrom } from '@oxbow/server/transfer'
import { createTestDatabase, eventually, testSecret } from '@oxbow/testkit'
import { createFullOrganization } from '@oxbow/testkit/garden/full-garden'
import { startNodeOn } from '@oxbow/testkit/garden/garden'
import { undoInterruptedImports } from '../../src/administration/exports/read/unfinished-imports.ts'
import { readRecords } from './read-export.ts'

const directory = mkdtempSync(join(tmpdir(), 'oxbow-hostile-'))
const database = await createTestDatabase()
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
const started = await startNodeOn(database.url, config)
after(async () => {
  await started[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
  rmSync(directory, { recursive: true, force: true })
})
const { accounts } = await createFullOrganization(started)
const [olive, iris] = [started.as(accounts.owner), started.as(accounts.member)]
{
  // Records that the manipulations need, and that a failure must leave in the middle of a COPY statement.
  const { id: neighbours } = await olive.profileFields.create({ name: 'Neighbours', field_type: 6 })
  const { id: page } = await olive.profileFields.create({ name: 'Page', field_type: 5 })
  for (const person of [olive, iris])
    await person.users.setProfileData({
      data: [
        { id: neighbours, value: [accounts.owner.user_id] as never },
        { id: page, value: 'https://page.example' },
      ],
    })
  for (const { user_id } of [accounts.member, accounts.administrator])
    await olive.messages.send({ type: 'private', to: [user_id], content: 'Hello.' })
  await olive.bots.create({
    full_name: 'Hook',
    short_name: 'hook',
    bot_type: 3,
    payload_url: 'https://hook.example',
  })
  const gone = { subdomain: '', email: 'gone@garden.example', full_name: 'Gone', role: 'member' } as const
  const { user_id } = await addUserByOperator(started.node.app, gone)
  await olive.users.erase({ user_id: user_id as never })
  await eventually(async () => (await database.query('select from user_erasure')).length === 0)
}
const original = join(directory, 'original')
await exportOrganizationTo(started.node.app, original, {
  subdomain: '',
  scope: 'everything',
  url: null,
  warn: (text) => assert.fail(text),
})

const digest = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex')

/** Updates the checksums of a manipulated export, as an attacker would. */
function updateChecksums(path: string): void {
  const list = join(path, 'checksums/000001.sha256')
  const lines = readFileSync(list, 'utf8').split('\n').slice(0, -1)
  const newLines = lines.map((line) => {
    const name = line.slice(66)
    return `${digest(readFileSync(join(path, name)))}  ${name}\n`
  })
  writeFileSync(list, newLines.join(''))
  changeManifest(path, (manifest) => {
    manifest.contents.sha256 = digest(newLines.join(''))
  })
}

// biome-ignore lint/suspicious/noExplicitAny: the manipulated manifest has any form
function changeManifest(path: string, change: (manifest: any) => void): void {
  const manifest = JSON.parse(readFileSync(join(path, 'manifest.json'), 'utf8'))
  change(manifest)
  const text = JSON.stringify(manifest)
  writeFileSync(join(path, 'manifest.json'), text)
  writeFileSync(join(path, 'manifest.json.sha256'), `${digest(text)}  manifest.json\n`)
}

type ChangedRecord = Record<string, unknown>

/** Changes the records of a type, of which there must be some, and updates the checksums. */
function changeRecords(path: string, type: string, change: (records: ChangedRecord[]) => void): void {
  const records = readRecords(path, type)
  change(records)
  const text = records.map((record) => `${JSON.stringify(record)}\n`).join('')
  writeFileSync(join(path, `records/${type}/000001.jsonl`), text)
  changeManifest(path, (manifest) => {
    manifest.records[type] = records.length
  })
  updateChecksums(path)
}

/** Changes the first record of a type that meets a condition, and updates the checksums. */
function changeRecord(
  path: string,
  type: string,
  change: (record: ChangedRecord) => void,
  condition: (record: ChangedRecord) => boolean = () => true,
): void {
  changeRecords(path, type, (records) => change(records.find(condition) ?? assert.fail(type)))
}

/** Changes the owner of the bot, and updates the checksums. */
function changeBot(path: string, chooseOwner: (bot: ChangedRecord) => unknown): void {
  changeRecord(
    path,
    'user',
    (bot) => {
      bot.bot_owner_id = chooseOwner(bot)
    },
    ({ bot_type }) => bot_type !== null,
  )
}

/** Changes the last value of the profile field with a name, and updates the checksums. */
function changeProfileValue(path: string, field: string, value: string): void {
  const id = readRecords(path, 'profile_field').find(({ name }) => name === field)?.id
  changeRecords(path, 'profile_value', (records) => {
    const last = records.findLast(({ field_id }) => field_id === id) ?? assert.fail(field)
    last.value = value
  })
}

const messages = (path: string): string => join(path, 'records/message/000001.jsonl')
const outside = join(directory, 'outside.jsonl')
writeFileSync(outside, 'private')

const manipulations: Record<string, (path: string) => void> = {
  'a changed byte': (path) => {
    const content = readFileSync(messages(path))
    const middle = content.length >> 1
    content[middle] = (content[middle] ?? 0) ^ 1
    writeFileSync(messages(path), content)
  },
  'a truncated file': (path) => truncateSync(messages(path), 1_000),
  'an appended line': (path) => appendFileSync(messages(path), '{}\n'),
  'a missing file': (path) => rmSync(messages(path)),
  'a missing manifest': (path) => rmSync(join(path, 'manifest.json')),
  'a manifest that is not JSON': (path) => {
    writeFileSync(join(path, 'manifest.json'), '{')
    writeFileSync(join(path, 'manifest.json.sha256'), `${digest('{')}  manifest.json\n`)
  },
  'another format': (path) => changeManifest(path, (manifest) => Object.assign(manifest, { format: 2 })),
  'an unknown field of the manifest': (path) =>
    changeManifest(path, (manifest) => Object.assign(manifest, { x: 1 })),
  'another number of records': (path) => changeManifest(path, (manifest) => manifest.records.message++),
  'a symbolic link to another file': (path) => {
    rmSync(messages(path))
    symlinkSync(outside, messages(path))
    updateChecksums(path)
  },
  'a symbolic link to a folder': (path) => {
    renameSync(join(path, 'records/message'), join(directory, 'moved-message'))
    symlinkSync(join(directory, 'moved-message'), join(path, 'records/message'))
  },
  'a folder in place of a file': (path) => {
    rmSync(messages(path))
    mkdirSync(messages(path))
  },
  'a path that leaves the directory': (path) => rename(path, 'records/../../outside.jsonl'),
  'an absolute path': (path) => rename(path, '/etc/passwd'),
  'an unknown record type': (path) => rename(path, 'records/session/000001.jsonl'),
  'a part with another number': (path) => rename(path, 'records/message/000002.jsonl'),
  'a file that is listed twice': (path) => {
    const list = join(path, 'checksums/000001.sha256')
    const lines = readFileSync(list, 'utf8').split('\n').slice(0, -1)
    const file = lines.find((line) => line.includes('files/')) ?? assert.fail()
    writeFileSync(list, `${[...lines, file].join('\n')}\n`)
    changeManifest(path, (manifest) => {
      manifest.contents.count++
      manifest.contents.sha256 = digest(readFileSync(list))
    })
  },
  'a script in a message': (path) =>
    changeRecord(path, 'message', (record) => {
      record.rendered_content = '<p>x</p><script>alert(1)</script>'
    }),
  'an unclosed tag in a description': (path) =>
    changeRecord(path, 'stream', (record) => {
      record.rendered_description = '</div></div><p>'
    }),
  'an unknown field of a record': (path) =>
    changeRecord(path, 'user', (record) => {
      record.password_hash = 'x'
    }),
  'a missing field of a record': (path) =>
    changeRecord(path, 'user', (record) => {
      delete record.role
    }),
  'a role that does not exist': (path) =>
    changeRecord(path, 'user', (record) => {
      record.role = 1
    }),
  'a text with U+0000': (path) =>
    changeRecord(path, 'message', (record) => {
      record.topic = 'a\0b'
    }),
  'an id that is not a safe integer': (path) =>
    changeRecord(path, 'message', (record) => {
      record.id = 2 ** 60
    }),
  'a negative id': (path) =>
    changeRecord(path, 'message', (record) => {
      record.id = -1
    }),
  'a message of an unknown account': (path) =>
    changeRecord(path, 'message', (record) => {
      record.sender_id = 123_456_789
    }),
  'a stream message marked as private, or the reverse': (path) =>
    changeRecord(path, 'message', (record) => {
      record.is_private = !record.is_private
    }),
  'a reaction to a missing message': (path) =>
    changeRecord(path, 'reaction', (record) => {
      record.message_id = (record.message_id as number) + 500_000
    }),
  'two accounts with the same id': (path) =>
    changeRecord(path, 'user', (record) => {
      record.id = readRecords(path, 'user')[1]?.id
    }),
  'two accounts with the same address': (path) =>
    changeRecord(path, 'user', (record) => {
      record.email = readRecords(path, 'user')[1]?.email
    }),
  'a path of an upload that leaves the store': (path) =>
    changeRecord(path, 'upload', (record) => {
      record.path_id = '1/../../etc/passwd'
    }),
  'an upload that is named like a directory': (path) =>
    changeRecord(path, 'upload', (record) => {
      record.path_id = String(record.path_id).replace(/[^/]*$/, '..')
    }),
  'a profile value that is no list of people': (path) => changeProfileValue(path, 'Neighbours', '{}'),
  'a profile value that links to a script': (path) => changeProfileValue(path, 'Page', 'javascript:alert(1)'),
  'a reaction with an unknown emoji': (path) =>
    changeRecords(path, 'reaction', (records) => {
      const [first] = records
      records.push({ ...first, reaction_type: 'realm_emoji', emoji_code: '123456789', emoji_name: 'owl' })
    }),
  'a private message that was moved to another conversation': (path) =>
    changeRecords(path, 'message', (records) => {
      const [first, ...rest] = records.filter(({ is_private }) => is_private)
      const other = rest.find(({ recipient_id }) => recipient_id !== first?.recipient_id)
      Object.assign(first ?? assert.fail(), { recipient_id: other?.recipient_id ?? assert.fail() })
    }),
  'an erased account that is active': (path) =>
    changeRecord(
      path,
      'user',
      (record) => {
        record.is_active = true
      },
      ({ erased_at }) => erased_at !== null,
    ),
  'a bot whose service is no URL': (path) =>
    changeRecord(path, 'bot_service', (record) => {
      record.base_url = 'file:///etc/passwd'
    }),
  'a bot that owns itself': (path) => changeBot(path, (bot) => bot.id),
  'a person with an owner': (path) =>
    changeRecord(path, 'user', (record) => {
      record.bot_owner_id = record.id
    }),
  'an address with a line break': (path) =>
    changeRecord(path, 'user', (record) => {
      record.email = 'iris@garden.example\r\nBcc: x@y.example'
    }),
  'a linkifier that links to a script': (path) =>
    changeRecord(path, 'linkifier', (record) => {
      record.url_format = 'javascript:alert(1)//%(id)s'
    }),
  'a profile field that links to a script': (path) =>
    changeRecord(path, 'profile_field', (record) => {
      record.type = 7
      record.field_data = JSON.stringify({
        subtype: 'custom',
        url_pattern: 'javascript:alert("%(username)s")',
      })
    }),
  'a day that does not exist': (path) =>
    changeRecord(path, 'stream', (record) => {
      record.created_at = '2026-02-31T00:00:00+00:00'
    }),
  'another size of an uploaded file': (path) =>
    changeRecord(path, 'upload', (record) => {
      record.size = 1
    }),
  'a media type with a line break': (path) =>
    changeRecord(path, 'upload', (record) => {
      record.content_type = 'text/plain\r\nSet-Cookie: x=y'
    }),
  'a symbolic link in place of an uploaded file': (path) => {
    const file = join(path, `files/uploads/${readRecords(path, 'upload')[0]?.id}`)
    writeFileSync(join(directory, 'secret'), readFileSync(file))
    rmSync(file)
    symlinkSync(join(directory, 'secret'), file)
  },
  'a symbolic link to a folder of files': (path) => {
    cpSync(join(path, 'files'), join(directory, 'moved-files'), { recursive: true })
    rmSync(join(path, 'files'), { recursive: true })
    symlinkSync(join(directory, 'moved-files'), join(path, 'files'))
  },
  'an uploaded file with other content': (path) => {
    writeFileSync(join(path, `files/uploads/${readRecords(path, 'upload')[0]?.id}`), 'Other text.....')
    updateChecksums(path)
  },
}

/** Renames the part with messages in the list of checksums. */
function rename(path: string, name: string): void {
  const list = join(path, 'checksums/000001.sha256')
  const text = readFileSync(list, 'utf8').replace('records/message/000001.jsonl', name)
  writeFileSync(list, text)
  changeManifest(path, (manifest) => {
    manifest.contents.sha256 = digest(text)
  })
}

const listFiles = (): string[] =>
  readdirSync(config.data_dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
const countRows = async () => (await database.query('select from organization')).length

for (const [name, manipulate] of Object.entries(manipulations)) {
  test(`an import refuses an export with ${name}, and leaves no data`, async () => {
    const path = join(directory, 'manipulated')
    rmSync(path, { recursive: true, force: true })
    cpSync(original, path, { recursive: true })
    manipulate(path)
    const files = listFiles()
    const importing = importOrganizationFrom(started.node.app, path, {
      subdomain: 'copy',
      url: 'http://copy.example',
      onProgress: () => {},
    })
    await assert.rejects(importing, OperatorError)
    assert.equal(await countRows(), 1)
    assert.deepEqual(await database.query('select from organization_import'), [])
    assert.deepEqual(listFiles(), files)
  })
}

test('a refusal names the record, and does not advise to copy an export whose checksums are right', async () => {
  const path = join(directory, 'manipulated')
  const refuse = async (manipulate: (path: string) => void) => {
    rmSync(path, { recursive: true, force: true })
    cpSync(original, path, { recursive: true })
    manipulate(path)
    const options = { subdomain: 'copy', url: 'http://copy.example', onProgress: () => {} }
    const error: unknown = await importOrganizationFrom(started.node.app, path, options).catch(
      (thrown) => thrown,
    )
    return (error as Error).message
  }
  const html = await refuse(manipulations['a script in a message'] ?? assert.fail())
  const id = readRecords(original, 'message')[0]?.id
  assert.match(html, new RegExp(`type message with id ${id}: rendered_content has HTML`))
  assert.doesNotMatch(html, /Copy it again/)
  const reaction = await refuse(manipulations['a reaction with an unknown emoji'] ?? assert.fail())
  assert.match(reaction, /type reaction with message_id \d+, user_id \d+: its emoji/)
  assert.match(await refuse(manipulations['a truncated file'] ?? assert.fail()), /Copy it again/)
})

test('an import refuses a name that no organization can have', async () => {
  const options = { subdomain: 'copy', url: 'http://copy.example', onProgress: () => {} }
  for (const name of [' ', 'x'.repeat(41)])
    await assert.rejects(
      importOrganizationFrom(started.node.app, original, { ...options, name }),
      /needs a name|at most 40 characters/,
    )
})

test('files of an interrupted import are not removed while jobs are held, as after a restore', async () => {
  const { files } = started.node.app
  const key = 'uploads/123456789/ab/abcdefghijklmnopqrstuvwx'
  await files.put(key, Buffer.from('of the original server'))
  await database.query('insert into organization_import (organization_id) values (123456789)')
  await database.query('update server set jobs_held_since = now()')
  await undoInterruptedImports(started.node.app)
  const listKeys = async () =>
    (await Array.fromAsync(files.list('uploads/123456789/'))).map((file) => file.key)
  assert.deepEqual(await listKeys(), [key])
  await database.query('update server set jobs_held_since = null')
  await undoInterruptedImports(started.node.app)
  assert.deepEqual(await listKeys(), [])
  assert.deepEqual(await database.query('select from organization_import'), [])
})

test('an unchanged export is imported after all refused imports', async () => {
  const { organization_id } = await importOrganizationFrom(started.node.app, original, {
    subdomain: 'copy',
    url: 'http://copy.example',
    onProgress: () => {},
  })
  assert.ok(organization_id > 1)
  assert.equal(await countRows(), 2)
})

test('an import accepts URLs of 5,000 characters, as earlier releases stored them', async () => {
  const longUrl = `https://garden.example/${'a'.repeat(4_977)}`
  const field_data = JSON.stringify({ subtype: 'custom', url_pattern: `${longUrl}/%(username)s` })
  const path = join(directory, 'manipulated')
  rmSync(path, { recursive: true, force: true })
  cpSync(original, path, { recursive: true })
  changeProfileValue(path, 'Page', longUrl)
  changeRecord(path, 'bot_service', (record) => {
    record.base_url = longUrl
  })
  changeRecord(
    path,
    'profile_field',
    (record) => Object.assign(record, { type: 7, field_data }),
    ({ name }) => name !== 'Page' && name !== 'Neighbours',
  )

  const { organization_id } = await importOrganizationFrom(started.node.app, path, {
    subdomain: 'long',
    url: 'http://long.example',
    onProgress: () => {},
  })
  const stored = await database.query(
    `select (select array_agg(value) from profile_value v where v.organization_id = $1 and length(value) = 5000) as values,
       (select array_agg(base_url) from bot_service s where s.organization_id = $1 and base_url <> '') as urls,
       (select array_agg(field_data) from profile_field f where f.organization_id = $1 and type = 7) as data`,
    [organization_id],
  )
  assert.deepEqual(stored, [{ values: [longUrl], urls: [longUrl], data: [field_data] }])
})
