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
import { loadConfig, OperatorError } from '@oxbow/server'
import { exportOrganizationTo, importOrganizationFrom } from '@oxbow/server/transfer'
import { createTestDatabase, testSecret } from '@oxbow/testkit'
import { plantFullGarden } from '../backup/full-garden.ts'
import { startNodeOn } from '../restore/garden.ts'
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
await plantFullGarden(started)
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

/** Changes the first record of a type, and updates the checksums. */
function changeRecord(path: string, type: string, change: (record: Record<string, unknown>) => void): void {
  const records = readRecords(path, type)
  change(records[0] ?? assert.fail(type))
  const text = records.map((record) => `${JSON.stringify(record)}\n`).join('')
  writeFileSync(join(path, `records/${type}/000001.jsonl`), text)
  updateChecksums(path)
}

/** Changes the owner of the bot, and updates the checksums. */
function changeBot(path: string, chooseOwner: (bot: Record<string, unknown>) => unknown): void {
  const records = readRecords(path, 'user')
  const bot = records.find(({ bot_type }) => bot_type !== null) ?? assert.fail('there is no bot')
  bot.bot_owner_id = chooseOwner(bot)
  writeFileSync(
    join(path, 'records/user/000001.jsonl'),
    records.map((record) => `${JSON.stringify(record)}\n`).join(''),
  )
  updateChecksums(path)
}

const messages = (path: string): string => join(path, 'records/message/000001.jsonl')
const outside = join(directory, 'outside.jsonl')
writeFileSync(outside, 'private')

const manipulations: Record<string, (path: string) => void> = {
  'a changed byte': (path) => {
    const content = readFileSync(messages(path))
    content[content.length >> 1] = 0x41
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

test('an unchanged export is imported after all refused imports', async () => {
  const { organization_id } = await importOrganizationFrom(started.node.app, original, {
    subdomain: 'copy',
    url: 'http://copy.example',
    onProgress: () => {},
  })
  assert.ok(organization_id > 1)
  assert.equal(await countRows(), 2)
})
