import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { loadConfig, OperatorError } from '@oxbow/server'
import { importOrganizationFrom } from '@oxbow/server/transfer'
import { createTestDatabase, eventually, testSecret } from '@oxbow/testkit'
import { createFullOrganization } from '@oxbow/testkit/garden/full-garden'
import { startNodeOn } from '@oxbow/testkit/garden/garden'
import { blockBytes, buildHeader, endOfArchive, paddingAfter } from '../../src/platform/archive/tar-format.ts'

const directory = mkdtempSync(join(tmpdir(), 'oxbow-archive-'))
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
const { app } = started.node
after(async () => {
  await started[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
  rmSync(directory, { recursive: true, force: true })
})
const { accounts } = await createFullOrganization(started)
const original = await exportByAdministrator()

/** Exports the organization as an administrator, and returns the archive. */
async function exportByAdministrator(): Promise<Buffer> {
  const { dataExports } = started.as(accounts.administrator)
  await dataExports.start()
  const finished = await eventually(async () => {
    const { exports } = await dataExports.list()
    return exports.find(({ pending }) => !pending)
  }, 60_000)
  const [{ id } = { id: 0 }] = await database.query<{ id: number }>('select id::int from organization')
  const file = await app.files.get(`exports/${id}/${finished.id}.tar.gz`)
  return buffer(file?.content ?? assert.fail('there is no archive'))
}

const folder = join(directory, 'uploaded')
mkdirSync(folder)
const path = join(folder, 'export.tar.gz')
const importArchive = (archive: Buffer) => {
  writeFileSync(path, archive)
  return importOrganizationFrom(app, path, {
    subdomain: 'copy',
    url: 'http://copy.example',
    onProgress: () => {},
  })
}

const now = new Date()
const file = (name: string, content: Buffer | string = 'x'): Buffer => {
  const bytes = Buffer.from(content)
  return Buffer.concat([buildHeader(name, bytes.length, now), bytes, paddingAfter(bytes.length)])
}
const plain = gunzipSync(original)
const contents = plain.subarray(0, -endOfArchive.length)
/** Returns an archive that would be valid without these entries. */
const pack = (...entries: Buffer[]): Buffer => gzipSync(Buffer.concat([...entries, plain]))

/** Returns the tar header with `bytes` written at `start`, and with a correct checksum. */
function change(header: Buffer, start: number, bytes: Buffer | string): Buffer {
  const changed = Buffer.from(header)
  changed.fill(bytes, start, start + Buffer.from(bytes).length)
  changed.fill(' ', 148, 156)
  const sum = changed.subarray(0, blockBytes).reduce((total, byte) => total + byte, 0)
  changed.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return changed
}

const entryOfType = (type: string): Buffer => {
  const header = change(buildHeader('files/uploads/1', 0, now), 156, type)
  return change(header, 157, '/etc/passwd')
}
const withSize = (size: Buffer | string): Buffer => change(buildHeader('files/uploads/1', 0, now), 124, size)
const pax = (records: string): Buffer => {
  const header = change(buildHeader('pax', Buffer.byteLength(records), now), 156, 'x')
  const bytes = Buffer.from(records)
  return Buffer.concat([header, bytes, paddingAfter(bytes.length), file('files/uploads/1')])
}

const hostile: Record<string, Buffer> = {
  'an absolute path': pack(file('/etc/passwd')),
  'a path that leaves the directory': pack(file('files/uploads/../../../escaped')),
  'a path that leaves the directory of records': pack(file('records/../../escaped/000001.jsonl')),
  'a file name that no export has': pack(file('files/uploads/1.html')),
  'a long name in a pax header': pack(pax('30 path=../../../escaped\n12 size=1\n')),
  'a size in a pax header that is not a number': pack(pax('30 path=files/uploads/1\n12 size=x\n')),
  'a negative size in a pax header': pack(pax('30 path=files/uploads/1\n12 size=-512\n')),
  'a very long pax header': pack(pax(`9999 path=files/uploads/1\n${'x'.repeat(100_000)}\n`)),
  'a pax header for a pax header': pack(
    pax('30 path=files/uploads/1\n12 size=1\n').subarray(0, 2 * blockBytes),
    pax('30 path=files/uploads/1\n12 size=1\n'),
  ),
  'a negative size': pack(withSize('-0000000777\0')),
  'a size in base 256': pack(withSize(Buffer.from([0x80, 0, 0, 0, 0, 0, 0, 0, 0xff, 0, 0, 0]))),
  'a hard link': pack(entryOfType('1')),
  'a symbolic link': pack(entryOfType('2')),
  'a character device': pack(entryOfType('3')),
  'a block device': pack(entryOfType('4')),
  'a directory': pack(entryOfType('5')),
  'a named pipe': pack(entryOfType('6')),
  'a sparse file': pack(entryOfType('S')),
  'a long name of GNU tar': pack(entryOfType('L')),
  'a wrong checksum of a header': pack(Buffer.from(file('files/uploads/1')).fill('y', 0, 1)),
  'a part of the records that is too large': pack(
    buildHeader('records/message/000001.jsonl', 100 * 1_048_576, now),
  ),
  'a picture that is too large': pack(buildHeader('files/avatars/1-small.png', 100 * 1_048_576, now)),
  'an upload of a petabyte': pack(buildHeader('files/uploads/1', 2 ** 50, now)),
  'two files with the same name': gzipSync(
    Buffer.concat([file('files/uploads/123456'), file('files/uploads/123456'), plain]),
  ),
  'data after its end': gzipSync(Buffer.concat([plain, file('files/uploads/1')])),
  'no end marker': gzipSync(contents),
  'half of the data': gzipSync(plain.subarray(0, plain.length >> 1)),
  'half of the compressed data': original.subarray(0, original.length >> 1),
  'no manifest': gzipSync(Buffer.concat([file('files/uploads/123456'), endOfArchive])),
  'no entries': gzipSync(endOfArchive),
  'no bytes at all': Buffer.alloc(0),
  'HTML in place of its data': Buffer.from('<html>Sign in</html>'.repeat(100)),
  'compressed HTML in place of its data': gzipSync('<html>Sign in</html>'.repeat(100)),
}

const countRows = async () => (await database.query('select from organization')).length
const listFiles = (): string[] =>
  readdirSync(config.data_dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()

for (const [name, archive] of Object.entries(hostile))
  test(`an import refuses an archive with ${name}, and leaves no data`, async () => {
    const before = listFiles()
    await assert.rejects(importArchive(archive), OperatorError)
    assert.equal(await countRows(), 1)
    assert.deepEqual(listFiles(), before)
    assert.deepEqual(readdirSync(folder), ['export.tar.gz'])
    assert.ok(!existsSync(join(directory, 'escaped')) && !existsSync(join(folder, 'escaped')))
  })

test('an import refuses an archive in which a message was changed', async () => {
  const changed = Buffer.from(plain)
  const at = changed.indexOf('pruned twice')
  assert.ok(at > 0)
  changed.write('pruned never', at)
  await assert.rejects(importArchive(gzipSync(changed)), /the content of records\/message\/000001\.jsonl/)
  assert.deepEqual(readdirSync(folder), ['export.tar.gz'])
})

test('an archive that an administrator downloaded is imported, compressed or decompressed', async () => {
  const { organization_id, manifest } = await importArchive(original)
  assert.equal(manifest.scope, 'public')
  const [row] = await database.query<{ messages: number; private: number }>(
    `select count(*)::int as messages, count(*) filter (where is_private)::int as private
     from message where organization_id = $1`,
    [organization_id],
  )
  assert.deepEqual(row, { messages: manifest.records.message, private: 0 })
  assert.deepEqual(readdirSync(folder), ['export.tar.gz'])
  assert.ok(readFileSync(path).equals(original))

  await database.query("update organization set subdomain = 'first' where id = $1", [organization_id])
  await importArchive(plain)
  assert.equal(await countRows(), 3)
})

test('an import removes the files that a killed import unpacked', async () => {
  const abandoned = join(folder, 'export.tar.gz.unpacked.0123456789abcdef.partial')
  mkdirSync(abandoned)
  utimesSync(abandoned, 0, 0)
  await assert.rejects(importArchive(original), /at the subdomain "copy" already/)
  assert.deepEqual(readdirSync(folder), ['export.tar.gz'])
})

test('an archive is unpacked beside a directory that somebody unpacked by hand', async () => {
  const unpacked = join(folder, 'export.tar.gz.unpacked')
  mkdirSync(unpacked)
  await assert.rejects(importArchive(original), /at the subdomain "copy" already/)
  rmSync(unpacked, { recursive: true })
})
