import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { zstdCompressSync } from 'node:zlib'
import { readArchive } from '../../platform/archive/archive-reader.ts'
import { ArchiveWriter } from '../../platform/archive/archive-writer.ts'
import { buildHeader, parseHeader, parsePax } from '../../platform/archive/tar-format.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import { sampleManifest } from './test/sample-manifest.ts'
import { verifyBackup } from './verify-backup.ts'

const directory = mkdtempSync(join(tmpdir(), 'oxbow-archive-'))
after(() => rmSync(directory, { recursive: true, force: true }))

const longKey = `files/uploads/${'deep/'.repeat(40)}picture.png`
const rows = Buffer.from('1\troses\n2\ttulips\n')

async function writeBackup(path: string, smallFiles: number): Promise<void> {
  const output = createWriteStream(path)
  const archive = new ArchiveWriter(output)
  await archive.add('tables/message/000001.copy.zst', zstdCompressSync(rows))
  await archive.add(longKey, Buffer.from('a picture'))
  for (let count = 0; count < smallFiles; count++)
    await archive.add(`files/small/${count}`, Buffer.from(`${count}`))
  await archive.addStream('files/empty', 0, (async function* () {})())
  await archive.finish({
    ...sampleManifest,
    tables: [{ name: 'message', columns: ['id', 'topic'], rows: 2, parts: 1, bytes: rows.length, sum: '7' }],
    files: { kind: 'copied', count: smallFiles + 2, bytes: 0 },
  })
  output.end()
  await once(output, 'close')
}

const small = join(directory, 'small.backup')
await writeBackup(small, 3)
const bytes = readFileSync(small)

const verifyBytes = async (content: Buffer): Promise<string> => {
  const path = join(directory, 'changed.backup')
  writeFileSync(path, content)
  return verifyBackup(path).then(
    () => 'intact',
    (error: unknown) => {
      if (error instanceof OperatorError) return error.message
      throw error
    },
  )
}

test('a backup with long names and several lists of checksums is read back completely', async () => {
  const large = join(directory, 'large.backup')
  await writeBackup(large, 2_500)
  const names: string[] = []

  const manifest = await readArchive(large, {
    visit: async ({ name, size, content }) => {
      names.push(name)
      if (name !== longKey) return
      const pieces: Buffer[] = []
      for await (const piece of content) pieces.push(piece)
      assert.equal(Buffer.concat(pieces).toString(), 'a picture')
      assert.equal(size, 9)
    },
  })

  assert.deepEqual([names.length, names[1], manifest.contents.count], [2_503, longKey, 2_503])
  assert.equal((await verifyBackup(large)).manifest.tables[0]?.rows, 2)
})

test('tar unpacks a backup, and sha256sum accepts its checksums', () => {
  const unpacked = mkdtempSync(join(directory, 'unpacked-'))
  execFileSync('tar', ['-xf', small, '-C', unpacked], { stdio: 'pipe' })
  for (const list of [
    ...readdirSync(join(unpacked, 'checksums')).map((name) => `checksums/${name}`),
    'manifest.json.sha256',
  ])
    execFileSync('sha256sum', ['--check', '--strict', list], { cwd: unpacked, stdio: 'pipe' })
  assert.equal(readFileSync(join(unpacked, longKey), 'utf8'), 'a picture')
})

test('a backup truncated anywhere is refused', async () => {
  for (let length = 0; length < bytes.length; length += 211)
    assert.match(
      await verifyBytes(bytes.subarray(0, length)),
      /cut off|not a backup|damaged/,
      `cut at ${length}`,
    )
  assert.match(await verifyBytes(bytes.subarray(0, -1)), /cut off/)
})

test('a changed byte is reported at any position, and the error names the damaged file', async () => {
  for (let at = 0; at < bytes.length; at += 131) {
    const changed = Buffer.from(bytes)
    changed.writeUInt8(changed.readUInt8(at) ^ 0x41, at)
    const isPadding = await isUnused(at)
    if (!isPadding) assert.match(await verifyBytes(changed), /damaged|not a backup/, `changed at ${at}`)
  }
  const changed = Buffer.from(bytes)
  const at = bytes.indexOf('a picture')
  changed.write('b', at)
  assert.equal(
    await verifyBytes(changed),
    `The backup ${join(directory, 'changed.backup')} is damaged:\n- the content of ${longKey}\nUse another copy of it, or an older backup.`,
  )
})

/** Returns whether a byte is padding after the content of a file. */
async function isUnused(at: number): Promise<boolean> {
  const block = bytes.subarray(at - (at % 512), at - (at % 512) + 512)
  return (
    bytes.readUInt8(at) === 0 &&
    block.subarray(at % 512).every((byte) => byte === 0) &&
    at < bytes.length - 1_024
  )
}

test('a backup without one of its files is refused', async () => {
  const start = bytes.indexOf('files/small/1')
  const without = Buffer.concat([bytes.subarray(0, start), bytes.subarray(start + 1_024)])
  assert.match(
    await verifyBytes(without),
    /- files\/small\/1, listed in checksums\/000001\.sha256, is missing/,
  )
})

test('tar headers store the size of very large files', () => {
  const size = 60_000_000_000
  const header = buildHeader('files/film', size, new Date())
  assert.equal(parseHeader(header.subarray(0, 512)).isPax, true)
  assert.deepEqual(parsePax(header.subarray(512, 1_024)), { name: 'files/film', size })
})
