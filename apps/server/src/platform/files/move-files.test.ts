import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { mountSmallDisk } from '@oxbow/testkit'
import { OperatorError } from '../operator-error.ts'
import { diskFiles } from './disk-files.ts'
import type { FileStore } from './file-store.ts'
import { moveFiles } from './move-files.ts'

let directory: string
before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'oxbow-move-'))
})
after(() => rm(directory, { recursive: true }))

const openStores = (name: string): [FileStore, FileStore] => [
  diskFiles(join(directory, name, 'old')),
  diskFiles(join(directory, name, 'new')),
]

async function listKeys(files: FileStore): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of files.list('')) keys.push(key)
  return keys
}

test('a newer file of the new store is not replaced, and the old file with the same key is not removed', async () => {
  const [from, to] = openStores('replaced')
  await from.put('a/1', Buffer.from('abandoned'))
  await to.put('a/1', Buffer.from('current picture'))
  const later = Date.now() / 1_000 + 10_000
  await utimes(join(directory, 'replaced', 'new', 'a/1'), later, later)

  for (const removeOld of [false, true]) {
    const { copied, removed, conflicts } = await moveFiles(from, to, { removeOld })
    assert.deepEqual([copied, removed, conflicts], [0, 0, 1])
  }
  assert.equal(await readFile(join(directory, 'replaced', 'new', 'a/1'), 'utf8'), 'current picture')
  assert.deepEqual(await listKeys(from), ['a/1'])
})

test('a file is removed from the old store only after its copy has the same checksum', async () => {
  const [from, to] = openStores('damaged')
  await from.put('a/1', Buffer.from('original'))
  await from.put('a/2', Buffer.from('second'))
  await moveFiles(from, to)
  const copy = join(directory, 'damaged', 'new', 'a/1')
  await writeFile(copy, 'tampered')

  const second = await moveFiles(from, to, { removeOld: true })

  assert.deepEqual([second.copied, second.removed], [1, 2])
  assert.equal(await readFile(copy, 'utf8'), 'original')
  assert.deepEqual([await listKeys(from), await listKeys(to)], [[], ['a/1', 'a/2']])
})

test('a failed copy stops the move, even if it fails while the next file is being listed', async () => {
  const [from, to] = openStores('slow-listing')
  for (let count = 0; count < 12; count++) await from.put(`f/${count + 10}`, Buffer.from('x'))
  for (const failing of ['f/10', 'f/14', 'f/21']) {
    const slow: FileStore = {
      ...from,
      async *list(prefix) {
        for await (const file of from.list(prefix)) {
          await setTimeout(5)
          yield file
        }
      },
    }
    const full: FileStore = {
      ...to,
      put: (key, content) =>
        key === failing
          ? Promise.reject(Object.assign(new Error('no space'), { code: 'ENOSPC' }))
          : to.put(key, content),
    }
    await assert.rejects(moveFiles(slow, full), OperatorError, failing)
  }
})

test('files that only the new store has stay there', async () => {
  const [from, to] = openStores('newer')
  await from.put('b', Buffer.from('b'))
  for (const key of ['a', 'c']) await to.put(key, Buffer.from(key))
  await moveFiles(from, to, { removeOld: true })
  assert.deepEqual(await listKeys(to), ['a', 'b', 'c'])
})

test('files that were deleted after the switch to the new store are neither copied nor counted as moved', async () => {
  const [from, to] = openStores('deleted')
  for (const key of ['deleted', 'kept', 'late']) await from.put(key, Buffer.from(key))
  await to.put('kept', Buffer.from('kept'))
  const isReferenced = async (key: string) => key !== 'deleted'

  const { files, copied, removed, unreferenced } = await moveFiles(from, to, {
    removeOld: true,
    isReferenced,
  })

  assert.deepEqual([files, copied, removed, unreferenced], [2, 1, 2, 1])
  assert.deepEqual([await listKeys(from), await listKeys(to)], [['deleted'], ['kept', 'late']])
})

test('a move that a full disk stops keeps all old files, and continues once there is space', async (t) => {
  using disk = mountSmallDisk(4)
  if (!disk) return t.skip('needs the right to mount a file system')
  const [from] = openStores('full')
  const to = diskFiles(disk.directory)
  const keys = Array.from({ length: 12 }, (_, index) => `f/${String(index).padStart(2, '0')}`)
  for (const key of keys) await from.put(key, Buffer.alloc(600_000, key))

  await assert.rejects(moveFiles(from, to, { removeOld: false }), (error) => {
    assert.ok(error instanceof OperatorError)
    assert.match(
      error.message,
      /^The move stopped: the disk that keeps uploads is full\. Run the command again/,
    )
    return true
  })
  assert.deepEqual(await listKeys(from), keys)
  for (const key of keys.slice(4)) await from.remove(key)
  await assert.doesNotReject(moveFiles(from, to, { removeOld: true }))
  assert.deepEqual(await listKeys(from), [])
})
