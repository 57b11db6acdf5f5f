import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import type { ByteRange, FileStore, ListedFile } from '../file-store.ts'

/** Declares the tests that every kind of store must pass. Each test uses its own keys. */
export function testFileStore(kind: string, getFiles: () => FileStore): void {
  const read = async (key: string, range?: ByteRange): Promise<string | undefined> => {
    const found = await getFiles().get(key, range)
    return found && (await buffer(found.content)).toString('latin1')
  }
  const list = async (prefix: string): Promise<ListedFile[]> => {
    const found: ListedFile[] = []
    for await (const file of getFiles().list(prefix)) found.push(file)
    return found
  }

  test(`${kind}: a stored file can be read until it is removed`, async () => {
    const files = getFiles()
    assert.equal(await read('a/b/1.png'), undefined)
    await files.put('a/b/1.png', bytes('\0one'))
    await files.put('a/b/2.png', bytes(''))
    assert.deepEqual([await read('a/b/1.png'), await read('a/b/2.png')], ['\0one', ''])
    await files.put('a/b/1.png', bytes('other'))
    assert.equal(await read('a/b/1.png'), 'other')

    await files.remove('a/b/1.png')
    await files.remove('a/b/1.png')
    await files.remove('never/was')

    assert.deepEqual([await read('a/b/1.png'), await read('a/b/2.png')], [undefined, ''])
  })

  test(`${kind}: put returns the size and digest of bytes and of byte streams`, async () => {
    const files = getFiles()
    for (const content of [Buffer.alloc(0), bytes('short'), randomBytes(300_000)]) {
      const expected = { size: content.length, sha256: sha256(content) }
      assert.deepEqual(await files.put('put/bytes', content), expected)
      assert.deepEqual(await files.put('put/stream', Readable.from([content])), expected)
      assert.deepEqual(await files.put('put/stream', chunked(content, 7_000)), expected)
      assert.equal(await read('put/stream'), Buffer.from(content).toString('latin1'))
      assert.deepEqual(await files.stat('put/stream'), { size: content.length })
    }
  })

  test(`${kind}: keys of directories, and keys below a file, are not found`, async () => {
    await getFiles().put('c/d', bytes('x'))
    for (const key of ['c', 'c/d/e', 'n'.repeat(300)]) {
      assert.equal(await read(key), undefined)
      assert.equal(await getFiles().stat(key), undefined)
    }
  })

  test(`${kind}: a range that exceeds the file ends at the end of the file`, async () => {
    await getFiles().put('range/ten', bytes('0123456789'))
    await getFiles().put('range/none', bytes(''))
    const cases: [ByteRange, string][] = [
      [{ start: 0, end: 0 }, '0'],
      [{ start: 3, end: 5 }, '345'],
      [{ start: 9, end: 9 }, '9'],
      [{ start: 8, end: 1_000 }, '89'],
      [{ start: 10, end: 12 }, ''],
      [{ start: 100, end: 200 }, ''],
    ]
    for (const [range, expected] of cases) {
      const found = await getFiles().get('range/ten', range)
      assert.ok(found)
      assert.deepEqual([(await buffer(found.content)).toString(), found.size], [expected, 10])
    }
    assert.equal(await read('range/none', { start: 0, end: 5 }), '')
    assert.equal(await read('range/missing', { start: 0, end: 5 }), undefined)
  })

  test(`${kind}: files are listed by prefix in the order of their keys' bytes`, async () => {
    const keys = ['l/a-b', 'l/a/b/c', 'l/a/b1', 'l/a0', 'l/A', 'l/a.b', 'l/_', 'l2/a', 'l/a/-']
    const began = Date.now()
    for (const key of keys) await getFiles().put(key, bytes(key))

    const listed = await list('l/')
    assert.deepEqual(
      listed.map(({ key, size }) => [key, size]),
      ['l/A', 'l/_', 'l/a-b', 'l/a.b', 'l/a/-', 'l/a/b/c', 'l/a/b1', 'l/a0'].map((key) => [key, key.length]),
    )
    for (const { changedAt } of listed) assert.ok(Math.abs(changedAt.getTime() - began) < 60_000)
    const namesBelow = async (prefix: string) => (await list(prefix)).map(({ key }) => key)
    assert.deepEqual(await namesBelow('l/a/'), ['l/a/-', 'l/a/b/c', 'l/a/b1'])
    assert.deepEqual(await namesBelow('l/a/b'), ['l/a/b/c', 'l/a/b1'])
    assert.deepEqual(await namesBelow('l2'), ['l2/a'])
    assert.deepEqual(await namesBelow('l/missing/'), [])
    const all = await namesBelow('')
    for (const key of keys) assert.ok(all.includes(key))
  })

  test(`${kind}: invalid keys are refused`, async () => {
    const files = getFiles()
    for (const key of invalidKeys) {
      for (const refused of [
        () => files.put(key, bytes('x')),
        () => files.get(key),
        () => files.stat(key),
        () => files.remove(key),
        async () => files.presign(key, { seconds: 1, contentType: '', contentDisposition: '' }),
      ])
        await assert.rejects(refused, /is not a file key/, key)
    }
    for (const prefix of ['/', '..', '../', 'a/../', '.unfinished/', 'a//', 'a b'])
      await assert.rejects(async () => list(prefix), /is not a key prefix/, prefix)
  })

  test(`${kind}: reading continues with the old content after a file is replaced or removed`, async () => {
    const files = getFiles()
    const [old, other] = [randomBytes(3_000_000), randomBytes(3_000_000)]
    await files.put('e/f', old)
    const found = await files.get('e/f')
    await files.put('e/f', other)
    const found2 = await files.get('e/f')
    await files.remove('e/f')

    assert.ok(found && found2)
    assert.ok(old.equals(await buffer(found.content)))
    assert.ok(other.equals(await buffer(found2.content)))
  })

  test(`${kind}: concurrent puts leave one complete file`, async () => {
    const versions = Array.from({ length: 12 }, (_, index) => Buffer.alloc(200_000, index))
    await Promise.all(
      versions.map((version, index) => getFiles().put('g/h', index % 2 ? version : chunked(version, 30_000))),
    )
    const content = Buffer.from((await read('g/h')) ?? '', 'latin1')
    assert.ok(versions.some((version) => version.equals(content)))
  })

  test(`${kind}: a failing byte stream stores nothing, and keeps the previous file`, async () => {
    for (const size of [0, 10, 5_500_000]) {
      await assert.rejects(getFiles().put('fails/new', failing(size)), /the client went away/)
      assert.equal(await read('fails/new'), undefined)
      await getFiles().put('fails/old', bytes('whole'))
      await assert.rejects(getFiles().put('fails/old', failing(size)), /the client went away/)
      assert.equal(await read('fails/old'), 'whole')
    }
    assert.deepEqual(
      (await list('fails/')).map(({ key }) => key),
      ['fails/old'],
    )
  })

  test(`${kind}: abandoned content releases its source`, async () => {
    await getFiles().put('abandoned', randomBytes(2_000_000))
    for (let round = 0; round < 10; round++) {
      const found = await getFiles().get('abandoned')
      if (round % 2) for await (const _ of found?.content ?? []) break
      found?.content.destroy()
    }
    assert.equal((await getFiles().stat('abandoned'))?.size, 2_000_000)
  })
}

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1')
const sha256 = (content: Uint8Array) => createHash('sha256').update(content).digest('hex')

function chunked(content: Buffer | Uint8Array, size: number): Readable {
  return Readable.from(
    (function* () {
      for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size)
    })(),
  )
}

function failing(afterBytes: number): Readable {
  return Readable.from(
    (async function* () {
      for (let sent = 0; sent < afterBytes; sent += 100_000) yield Buffer.alloc(100_000, 1)
      throw new Error('the client went away')
    })(),
  )
}

const invalidKeys = [
  '',
  '.',
  '..',
  '../secret',
  'a/../../secret',
  'a/..',
  'a//b',
  '/etc/passwd',
  'a/',
  './a',
  '.unfinished/x',
  'a/.hidden',
  'a\\b',
  'a\0b',
  'a b',
  'a%2e',
  'ä',
  'a\n',
  'x'.repeat(401),
]
