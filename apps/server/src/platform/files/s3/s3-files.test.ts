import assert from 'node:assert/strict'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { before, test } from 'node:test'
import { type S3Config, type S3Server, startS3Server } from '@oxbow/testkit'
import { loadConfig } from '../../config/load-config.ts'
import type { FileStore } from '../file-store.ts'
import { testFileStore } from '../test/file-store-suite.ts'
import { S3Client } from './s3-client.ts'
import { s3Files } from './s3-files.ts'
import { readS3Settings, type S3Settings } from './s3-settings.ts'

let server: S3Server
let settings: S3Settings
let files: FileStore
before(async () => {
  server = await startS3Server()
  settings = settingsOf(await server.createBucket())
  files = s3Files(settings)
})

const settingsOf = (config: S3Config & { s3_prefix?: string }): S3Settings =>
  readS3Settings(loadConfig(config, {}).config) as S3Settings

testFileStore('S3', () => files)

async function countUnfinishedUploads(): Promise<number> {
  const { text } = await new S3Client(settings).call({ method: 'GET', query: { uploads: '' } })
  return text.split('<Upload>').length - 1
}

async function read(store: FileStore, key: string): Promise<Buffer | undefined> {
  const found = await store.get(key)
  return found && buffer(found.content)
}

test('content of several parts is stored whole, and ranges may cross parts', async () => {
  const content = randomBytes(6_000_000)
  const chunks = Array.from({ length: 60 }, (_, at) => content.subarray(at * 100_000, (at + 1) * 100_000))

  const put = await files.put('parts/several', Readable.from(chunks))

  assert.deepEqual(put, { size: content.length, sha256: createHash('sha256').update(content).digest('hex') })
  assert.ok(content.equals((await read(files, 'parts/several')) ?? Buffer.alloc(0)))
  const range = { start: 5_242_870, end: 5_242_890 }
  const part = await files.get('parts/several', range)
  assert.ok(part)
  assert.ok(content.subarray(range.start, range.end + 1).equals(await buffer(part.content)))
  assert.equal(part.size, content.length)
})

test('content of exactly one part is stored whole', async () => {
  const content = Buffer.alloc(5_242_880, 'x')
  await files.put('parts/one', Readable.from([content.subarray(0, 5_000_000), content.subarray(5_000_000)]))
  assert.ok(content.equals((await read(files, 'parts/one')) ?? Buffer.alloc(0)))
})

test('a byte stream that fails after several parts leaves no unfinished upload', async () => {
  const source = async function* () {
    for (let sent = 0; sent < 55; sent++) yield Buffer.alloc(100_000)
    throw new Error('the client went away')
  }
  await assert.rejects(files.put('parts/failed', Readable.from(source())), /the client went away/)
  assert.equal(await files.stat('parts/failed'), undefined)
  assert.equal(await countUnfinishedUploads(), 0)
})

test('tidy removes old unfinished uploads and probe objects, even if several nodes run it at once, and keeps recent ones and stored files', async () => {
  const client = new S3Client(settings)
  const [parts, probe] = [`.probe-${randomUUID()}`, `.probe-${randomUUID()}`]
  for (const key of ['tidy/a', 'tidy/b', parts])
    await client.call({ method: 'POST', key, query: { uploads: '' } })
  await client.call({ method: 'PUT', key: probe, body: Buffer.from('x') })
  await files.put('tidy/kept', Buffer.from('x'))
  const probeStatus = async () => (await client.call({ method: 'HEAD', key: probe, expected: [404] })).status

  await files.tidy()
  assert.deepEqual([await countUnfinishedUploads(), await probeStatus()], [3, 200])
  // Sets a negative age, because Swift rounds times up to whole seconds.
  const tidyNow = () => s3Files(settings, { abandonedAfterMs: -5_000 }).tidy()
  await Promise.all([tidyNow(), tidyNow()])
  assert.deepEqual([await countUnfinishedUploads(), await probeStatus()], [0, 404])
  assert.ok(await files.stat('tidy/kept'))
})

test('stores with different prefixes of one bucket do not see the files of each other', async () => {
  const bucket = await server.createBucket()
  const [outer, inner] = [settingsOf(bucket), settingsOf({ ...bucket, s3_prefix: '/inner/' })].map(
    (settings) => s3Files(settings),
  ) as [FileStore, FileStore]
  await outer.put('same', Buffer.from('outer'))
  await inner.put('same', Buffer.from('inner'))

  assert.deepEqual([String(await read(outer, 'same')), String(await read(inner, 'same'))], ['outer', 'inner'])
  const keys: string[] = []
  for await (const { key } of inner.list('')) keys.push(key)
  assert.deepEqual(keys, ['same'])
  assert.equal(String(await read(outer, 'inner/same')), 'inner')
})

test('a listing of several pages is complete and in order', async () => {
  const keys = Array.from({ length: 25 }, (_, index) => `pages/${String(index).padStart(5, '0')}`)
  await Promise.all(keys.map((key) => files.put(key, Buffer.from(key))))
  const listed: string[] = []
  for await (const { key } of files.list('pages/')) listed.push(key)
  assert.deepEqual(listed, keys)
})

test('a presigned URL serves the file with the given headers, only for its key and until it expires', async () => {
  await files.put('presigned/a', Buffer.from('<script>'))
  await files.put('presigned/b', Buffer.from('other'))
  const options = {
    seconds: 60,
    contentType: 'text/plain; charset=utf-8',
    contentDisposition: `attachment; filename*=UTF-8''a%20b.txt`,
  }
  assert.equal(await files.presign('presigned/a', options), undefined)
  const redirecting = s3Files(settings, { redirect: true })
  const url = String(await redirecting.presign('presigned/a', options))

  const response = await fetch(url)

  assert.equal(await response.text(), '<script>')
  assert.deepEqual(
    [response.headers.get('content-type'), response.headers.get('content-disposition')],
    [options.contentType, options.contentDisposition],
  )
  assert.ok(!url.includes(settings.secretKey))
  assert.equal((await fetch(url.replace('presigned/a', 'presigned/b'))).status, 403)
  assert.equal((await fetch(url.replace('text%2Fplain', 'text%2Fhtml'))).status, 403)
  assert.equal((await fetch(url, { method: 'DELETE' })).status, 403)
  const short = String(await redirecting.presign('presigned/a', { ...options, seconds: 1 }))
  const expiry = Date.now() + 2_000
  while (Date.now() < expiry) await new Promise((resolve) => setTimeout(resolve, 50))
  assert.equal((await fetch(short)).status, 403)
})
