import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { countChunk } from './collect-chunks.ts'
import {
  type ByteRange,
  type FileStore,
  isKey,
  type ListedFile,
  type PutFile,
  refuseUnlessKey,
  refuseUnlessPrefix,
  type StoredFile,
} from './file-store.ts'

/** Directory of unfinished uploads. No key begins with a dot, so no key refers to a file in it. */
const unfinished = '.unfinished'
/** Longer than any upload may take; a slow upload may write to its file only rarely. */
const abandonedAfterMs = 24 * 3_600_000

/** Stores files in a directory, which all nodes must share. */
export function diskFiles(directory: string): FileStore {
  const pathOf = (key: string): string => {
    refuseUnlessKey(key)
    return join(directory, key)
  }
  return {
    async put(key, content) {
      const path = pathOf(key)
      const unfinishedPath = join(directory, unfinished, randomUUID())
      try {
        await makeDirectory(dirname(unfinishedPath))
        await makeDirectory(dirname(path))
        const put = await writeWhole(unfinishedPath, content)
        await rename(unfinishedPath, path)
        await flush(dirname(path))
        return put
      } catch (error) {
        if (content instanceof Readable) content.destroy()
        await rm(unfinishedPath, { force: true })
        throw error
      }
    },
    get: async (key, range) => openStored(pathOf(key), range),
    async stat(key) {
      const found = await stat(pathOf(key)).catch(ifMissing)
      return found?.isFile() ? { size: found.size } : undefined
    },
    remove: async (key) => rm(pathOf(key), { force: true }),
    list(prefix) {
      refuseUnlessPrefix(prefix)
      return listBelow(directory, prefix.slice(0, prefix.lastIndexOf('/') + 1), prefix)
    },
    async presign(key) {
      refuseUnlessKey(key)
      return undefined
    },
    tidy: () => removeAbandoned(join(directory, unfinished)),
  }
}

/** Size of a batch, which is collected while the previous batch is being written. */
const batchBytes = 262_144

async function writeWhole(path: string, content: Uint8Array | Readable): Promise<PutFile> {
  await using file = await open(path, 'wx', 0o600)
  const hash = createHash('sha256')
  let size = 0
  let [batch, batched]: [Uint8Array[], number] = [[], 0]
  let writing: Promise<void> = Promise.resolve()
  const writeBatch = async () => {
    await writing
    writing = writeAll(file, batch, batched)
    // The next `await writing` throws the error.
    writing.catch(() => {})
    ;[batch, batched] = [[], 0]
  }
  try {
    for await (const chunk of content instanceof Readable ? content : [content]) {
      countChunk(chunk.length)
      hash.update(chunk)
      size += chunk.length
      batched += chunk.length
      batch.push(chunk)
      if (batched >= batchBytes) await writeBatch()
    }
    await writeBatch()
  } finally {
    await writing
  }
  await file.sync()
  return { size, sha256: hash.digest('hex') }
}

async function writeAll(file: FileHandle, batch: Uint8Array[], size: number): Promise<void> {
  let unwritten = batch
  for (let bytesLeft = size; bytesLeft > 0; ) {
    const { bytesWritten } = await file.writev(unwritten)
    bytesLeft -= bytesWritten
    // A write may be incomplete, for instance because the disk is nearly full.
    if (bytesLeft > 0) unwritten = [Buffer.concat(unwritten).subarray(bytesWritten)]
  }
}

/** Creates missing directories and flushes the parent of each, so that the directories survive a crash. */
async function makeDirectory(path: string): Promise<void> {
  const topmost = await mkdir(path, { recursive: true, mode: 0o700 })
  if (topmost === undefined) return
  for (let created = path; created.length >= topmost.length; created = dirname(created))
    await flush(dirname(created))
}

/** Flushes a directory: a new file name survives a crash only once its directory is flushed. */
async function flush(directory: string): Promise<void> {
  await using opened = await open(directory, 'r')
  await opened.sync()
}

async function openStored(path: string, range?: ByteRange): Promise<StoredFile | undefined> {
  const file = await open(path, 'r').catch(ifMissing)
  if (!file) return undefined
  try {
    const found = await file.stat()
    // The size stays valid while the file is read, because a file is only ever replaced, never changed.
    const { size } = found
    const start = range?.start ?? 0
    const end = Math.min(range?.end ?? size, size - 1)
    if (found.isFile() && start <= end) return { size, content: readBytes(file, start, end) }
    await file.close()
    return found.isFile() ? { size, content: Readable.from([]) } : undefined
  } catch (error) {
    await file.close()
    throw error
  }
}

const chunkBytes = 65_536

/** Reads the bytes from `start` to `end`, and closes the file. Fails if the file has fewer bytes. */
function readBytes(file: FileHandle, start: number, end: number): Readable {
  let position = start
  const content: Readable = new Readable({
    highWaterMark: chunkBytes,
    read() {
      const length = Math.min(chunkBytes, end + 1 - position)
      if (length === 0) {
        content.push(null)
        return
      }
      file.read(Buffer.allocUnsafeSlow(length), 0, length, position).then(
        ({ buffer, bytesRead }) => {
          if (bytesRead === 0) return content.destroy(new Error('a stored file became shorter'))
          position += bytesRead
          countChunk(bytesRead)
          return content.push(buffer.subarray(0, bytesRead))
        },
        (error) => content.destroy(error),
      )
    },
    destroy(error, done) {
      file.close().then(() => done(error), done)
    },
  })
  return content
}

/** Lists files in the order of an object store: `a-b` before `a/b` before `a0`. */
async function* listBelow(directory: string, folder: string, prefix: string): AsyncGenerator<ListedFile> {
  const entries = (await readdir(join(directory, folder), { withFileTypes: true }).catch(ifMissing)) ?? []
  const names = entries.map((entry) => `${folder}${entry.name}${entry.isDirectory() ? '/' : ''}`)
  for (const name of names.sort()) {
    if (name.endsWith('/')) {
      const isBelow = name.startsWith(prefix) || prefix.startsWith(name)
      if (isBelow && isKey(name.slice(0, -1))) yield* listBelow(directory, name, prefix)
    } else if (name.startsWith(prefix) && isKey(name)) {
      const found = await stat(join(directory, name)).catch(ifMissing)
      if (found?.isFile()) yield { key: name, size: found.size, changedAt: found.mtime }
    }
  }
}

async function removeAbandoned(directory: string): Promise<void> {
  const names = (await readdir(directory).catch(ifMissing)) ?? []
  for (const name of names) {
    const path = join(directory, name)
    const found = await stat(path).catch(ifMissing)
    if (found && Date.now() - found.mtimeMs > abandonedAfterMs) await rm(path, { force: true })
  }
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  // The last two codes also mean that no such file is stored: its path continues below a file, or is too
  // long.
  if (!['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(error.code ?? '')) throw error
}
