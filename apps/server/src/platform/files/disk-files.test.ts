import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { diskFiles } from './disk-files.ts'
import type { FileStore } from './file-store.ts'

let place: string
let files: FileStore
before(async () => {
  place = await mkdtemp(join(tmpdir(), 'oxbow-files-'))
  files = diskFiles(join(place, 'store'))
})
after(() => rm(place, { recursive: true }))

async function readStored(key: string): Promise<string | undefined> {
  const found = await files.get(key)
  if (!found) return undefined
  const content = await buffer(found.content)
  assert.equal(content.length, found.size)
  return content.toString('latin1')
}

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1')
const everything = (): Promise<string[]> => readdir(place, { recursive: true })

test('a stored file can be read until it is removed', async () => {
  assert.equal(await readStored('a/b/1.png'), undefined)
  await files.put('a/b/1.png', bytes('\0one'))
  await files.put('a/b/2.png', bytes(''))
  assert.deepEqual([await readStored('a/b/1.png'), await readStored('a/b/2.png')], ['\0one', ''])
  await files.put('a/b/1.png', bytes('other'))
  assert.equal(await readStored('a/b/1.png'), 'other')

  await files.remove('a/b/1.png')
  await files.remove('a/b/1.png')
  await files.remove('never/was')

  assert.deepEqual([await readStored('a/b/1.png'), await readStored('a/b/2.png')], [undefined, ''])
})

test('keys of directories, and keys below a file, are not found', async () => {
  await files.put('c/d', bytes('x'))
  for (const key of ['c', 'c/d/e', 'n'.repeat(300)]) assert.equal(await readStored(key), undefined)
})

const noKeys = [
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
for (const key of noKeys) {
  test(`an invalid key is refused: ${JSON.stringify(key.slice(0, 30))}`, async () => {
    const before = await everything()
    await assert.rejects(async () => files.put(key, bytes('x')), /is no key of a file/)
    await assert.rejects(async () => files.get(key), /is no key of a file/)
    await assert.rejects(async () => files.remove(key), /is no key of a file/)
    assert.deepEqual(await everything(), before)
  })
}

test('reading continues with the old content after a file is replaced or removed', async () => {
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

test('concurrent puts leave one complete file and no leftovers', async () => {
  const versions = Array.from({ length: 20 }, (_, index) => Buffer.alloc(200_000, index))
  await Promise.all(versions.map((version) => files.put('g/h', version)))

  const content = Buffer.from((await readStored('g/h')) ?? '', 'latin1')
  assert.ok(versions.some((version) => version.equals(content)))
  assert.deepEqual(await readdir(join(place, 'store', '.unfinished')), [])
})

test('a failed put leaves the old file and no leftovers', async () => {
  await files.put('i/j', bytes('x'))
  const before = await everything()
  await assert.rejects(files.put('i/j/k', bytes('y')))
  await assert.rejects(files.put('i', bytes('y')))
  assert.deepEqual(await everything(), before)
  assert.equal(await readStored('i/j'), 'x')
})

test('a process killed during puts leaves only complete files', async () => {
  const store = join(place, 'killed')
  const script = `
    const { diskFiles } = await import(${JSON.stringify(import.meta.resolve('./disk-files.ts'))})
    const files = diskFiles(${JSON.stringify(store)})
    for (let round = 0; ; round++) {
      await Promise.all([0, 1, 2, 3].map((n) => files.put('k/' + n, Buffer.alloc(2_000_000, round % 256))))
      process.stdout.write('.')
    }`
  for (let round = 1; round <= 5; round++) {
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = new Promise((resolve) => child.once('close', resolve))
    try {
      let written = 0
      for await (const _ of child.stdout) if (++written === round) break
    } finally {
      child.kill('SIGKILL')
    }
    await ended
    const killed = diskFiles(store)
    for (const n of [0, 1, 2, 3]) {
      const found = await killed.get(`k/${n}`)
      assert.ok(found)
      const content = await buffer(found.content)
      assert.ok(content.equals(Buffer.alloc(2_000_000, content[0])), `file ${n} is not whole`)
    }
  }
})

test('unfinished files are never served, and are removed when old', async () => {
  const drafts = join(place, 'store', '.unfinished')
  await mkdir(drafts, { recursive: true })
  await writeFile(join(drafts, 'old'), 'half')
  await writeFile(join(drafts, 'new'), 'half')
  const longAgo = Date.now() / 1_000 - 4_000
  await utimes(join(drafts, 'old'), longAgo, longAgo)

  await files.tidy()

  assert.deepEqual(await readdir(drafts), ['new'])
  await diskFiles(join(place, 'empty')).tidy()
})

test('the directory may be a symbolic link', async () => {
  await mkdir(join(place, 'disk'))
  await symlink(join(place, 'disk'), join(place, 'link'))
  await diskFiles(join(place, 'link')).put('l/m', bytes('x'))
  assert.deepEqual(await readdir(join(place, 'disk', 'l')), ['m'])
})
