import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { diskFiles } from './disk-files.ts'
import type { FileStore } from './file-store.ts'
import { testFileStore } from './test/file-store-suite.ts'

let directory: string
let files: FileStore
before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'oxbow-files-'))
  files = diskFiles(join(directory, 'store'))
})
after(() => rm(directory, { recursive: true }))

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1')
testFileStore('directory', () => files)

test('puts leave no temporary files behind', async () => {
  await files.put('drafts/a', bytes('x'))
  await assert.rejects(files.put('drafts/b', Readable.from(failing())))
  assert.deepEqual(await readdir(join(directory, 'store', '.unfinished')), [])
})

async function* failing(): AsyncGenerator<Uint8Array> {
  yield bytes('x')
  throw new Error('the client went away')
}

const listAllFiles = (): Promise<string[]> => readdir(directory, { recursive: true })

test('a failed put leaves the old file and no leftovers', async () => {
  await files.put('i/j', bytes('x'))
  const before = await listAllFiles()
  await assert.rejects(files.put('i/j/k', bytes('y')))
  await assert.rejects(files.put('i', bytes('y')))
  assert.deepEqual(await listAllFiles(), before)
  assert.deepEqual(await files.stat('i/j'), { size: 1 })
})

test('a process killed during puts leaves only complete files', async () => {
  const store = join(directory, 'killed')
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

test('unfinished files are never served, and are removed when they are old', async () => {
  const drafts = join(directory, 'store', '.unfinished')
  await mkdir(drafts, { recursive: true })
  await writeFile(join(drafts, 'old'), 'half')
  await writeFile(join(drafts, 'new'), 'half')
  const longAgo = Date.now() / 1_000 - 90_000
  await utimes(join(drafts, 'old'), longAgo, longAgo)

  await files.tidy()

  assert.deepEqual(await readdir(drafts), ['new'])
  await diskFiles(join(directory, 'empty')).tidy()
})

test('the directory may be a symbolic link', async () => {
  await mkdir(join(directory, 'disk'))
  await symlink(join(directory, 'disk'), join(directory, 'link'))
  await diskFiles(join(directory, 'link')).put('l/m', bytes('x'))
  assert.deepEqual(await readdir(join(directory, 'disk', 'l')), ['m'])
})
