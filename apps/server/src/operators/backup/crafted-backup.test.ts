import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { constants, createZstdCompress, zstdCompressSync } from 'node:zlib'
import { ArchiveWriter } from '../../platform/archive/archive-writer.ts'
import { buildHeader } from '../../platform/archive/tar-format.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import { openSealedSecret, sealSecret } from './sealed-secret.ts'
import { sampleManifest } from './test/sample-manifest.ts'
import { verifyBackup } from './verify-backup.ts'

const directory = mkdtempSync(join(tmpdir(), 'oxbow-crafted-'))
after(() => rmSync(directory, { recursive: true, force: true }))
const path = join(directory, 'crafted.backup')
const rows = Buffer.from('1\troses\n')
const messageTable = { name: 'message', columns: ['id'], rows: 1, parts: 1, bytes: rows.length, sum: '7' }

const validManifest = {
  ...sampleManifest,
  tables: [messageTable],
  files: { kind: 'copied', count: 1, bytes: 1 },
}

interface Crafted {
  manifest?: object
  file?: string
  table?: string
  part?: Buffer
}

/** Writes a backup whose checksums are right, as an attacker would. */
async function write({
  manifest = validManifest,
  file = 'files/uploads/1',
  table = 'message',
  part = zstdCompressSync(rows),
}: Crafted): Promise<void> {
  const output = createWriteStream(path)
  const archive = new ArchiveWriter(output)
  await archive.add(`tables/${table}/000001.copy.zst`, part)
  await archive.add(file, Buffer.from('x'))
  await archive.finish(manifest)
  output.end()
  await once(output, 'close')
}

const verify = () => verifyBackup(path).then(() => 'intact')

test('the backup that the other tests change is intact', async () => {
  await write({})
  assert.equal(await verify(), 'intact')
})

const tablesNamed = (name: string) => ({ ...validManifest, tables: [{ ...messageTable, name }] })
const crafted: Record<string, Crafted> = {
  'a manifest that is a list': { manifest: [] },
  'a manifest without tables': { manifest: { ...validManifest, tables: undefined } },
  'a manifest with SQL in the name of a table': { manifest: tablesNamed('message; drop table message') },
  'a manifest with a quote in the name of a table': { manifest: tablesNamed('message"') },
  'a manifest with SQL in the name of a column': {
    manifest: { ...validManifest, tables: [{ ...messageTable, columns: ['id) from program $$id$$'] }] },
  },
  'a manifest with SQL in the name of a sequence': {
    manifest: {
      ...validManifest,
      sequences: [{ name: "x'); drop table message --", last_value: '1', is_called: true }],
    },
  },
  'a time that is none': { manifest: { ...validManifest, created_at: 'now()' } },
  'counts that are negative': {
    manifest: { ...validManifest, files: { kind: 'copied', count: -1, bytes: 1 } },
  },
  'a path of a file that leaves the store': { file: 'files/../../etc/passwd' },
  'an absolute path of a file': { file: 'files//etc/passwd' },
  'a hidden name of a file': { file: 'files/uploads/.htaccess' },
  'a name of a file with a zero byte': { file: `files/${'deep/'.repeat(30)}x\0y` },
  'rows of a table that the manifest does not list': { table: 'user_account' },
  'a part that is no compressed data': { part: Buffer.from('rows') },
}
for (const [name, change] of Object.entries(crafted))
  test(`a backup with right checksums is refused: ${name}`, async () => {
    await write(change)
    await assert.rejects(verify(), OperatorError)
  })

test('a backup is refused whose manifest is no JSON object', async () => {
  await write({})
  const written = readFileSync(path)
  const start = written.indexOf('manifest.json\0') + 512
  const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex')
  const size = written.indexOf('\n}\n', start) + 3 - start
  const checksum = sha256(written.subarray(start, start + size))
  for (const text of ['null', '7', '{', '"x"']) {
    const content = Buffer.from(text.padEnd(size))
    const changed = Buffer.from(written)
    content.copy(changed, start)
    changed.write(sha256(content), changed.indexOf(checksum))
    writeFileSync(path, changed)
    await assert.rejects(verify(), /manifest\.json, which is not as Oxbow writes it/, text)
  }
})

/** Compresses this many zero bytes, in the form of a part. */
async function compressZeros(bytes: number): Promise<Buffer> {
  const zeros = Readable.from(Array(bytes / 1_048_576).fill(Buffer.alloc(1_048_576)), { objectMode: false })
  return Buffer.concat(await Array.fromAsync(zeros.pipe(createZstdCompress())))
}

test('a small part that decompresses to hundreds of megabytes is verified without taking as much memory', async () => {
  const bytes = 512 * 1_048_576
  const part = await compressZeros(bytes)
  assert.ok(part.length < 1_048_576)
  await write({ part })
  const before = process.memoryUsage().external
  let most = 0
  const watching = setInterval(() => {
    most = Math.max(most, process.memoryUsage().external - before)
  }, 5)
  await assert.rejects(verify(), new RegExp(`the table message has ${bytes} bytes`))
  clearInterval(watching)
  assert.ok(most < 128 * 1_048_576, `${most} bytes`)
})

test('a part that needs a large window for its decompression is refused', async () => {
  const params = { [constants.ZSTD_c_windowLog]: 27 }
  const part = zstdCompressSync(Buffer.alloc(256 * 1_048_576, rows), { params })
  await write({ part })
  await assert.rejects(verify(), /cannot be decompressed/)
})

test('a header with the name of a file is limited in length', async () => {
  await write({})
  const name = `files/${'x'.repeat(100_000)}`
  writeFileSync(path, Buffer.concat([buildHeader(name, 1, new Date()), readFileSync(path)]))
  await assert.rejects(verify(), /is not a backup of Oxbow/)
})

const passphrase = 'four roses in a bed'
const sealed = JSON.parse((await sealSecret({ secret: 'the secret' }, passphrase)).toString())
const craftedSecrets: Record<string, unknown> = {
  'no object': null,
  'a missing field': { ...sealed, tag: undefined },
  'another kind of key': { ...sealed, kdf: 'none' },
  'a cost that takes all memory': { ...sealed, N: 2 ** 20, r: 32, p: 16 },
  'a cost that takes hours': { ...sealed, N: 2 ** 17, r: 8, p: 16 * 64 },
  'a cost that is no power of two': { ...sealed, N: 1_000 },
  'a negative cost': { ...sealed, N: -2, r: -8 },
  'a short tag': { ...sealed, tag: 'AAAA' },
  'an empty nonce': { ...sealed, nonce: '' },
  'text that is no base64': { ...sealed, sealed: '%' },
}
for (const [name, content] of Object.entries(craftedSecrets))
  test(`a sealed secret is refused at once: ${name}`, async () => {
    await assert.rejects(openSealedSecret(Buffer.from(JSON.stringify(content)), passphrase), OperatorError)
  })

test('a sealed secret that is no JSON or empty is refused', async () => {
  for (const text of ['', '{', 'x'])
    await assert.rejects(openSealedSecret(Buffer.from(text), passphrase), OperatorError)
})
