import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type FileStore, refuseUnlessKey, type StoredFile } from './file-store.ts'

/** Directory of unfinished uploads. No key begins with a dot, so none refers to a file in it. */
const unfinished = '.unfinished'
/** Longer than any `put` takes. */
const abandonedAfterMs = 3_600_000

/** Stores files in a directory, which all nodes must share. */
export function diskFiles(directory: string): FileStore {
  const pathOf = (key: string): string => {
    refuseUnlessKey(key)
    return join(directory, key)
  }
  return {
    async put(key, bytes) {
      const path = pathOf(key)
      const draft = join(directory, unfinished, randomUUID())
      await makeDirectory(dirname(draft))
      await makeDirectory(dirname(path))
      try {
        await writeWhole(draft, bytes)
        await rename(draft, path)
      } catch (error) {
        await rm(draft, { force: true })
        throw error
      }
      await flush(dirname(path))
    },
    get: (key) => openStored(pathOf(key)),
    remove: (key) => rm(pathOf(key), { force: true }),
    tidy: () => removeAbandoned(join(directory, unfinished)),
  }
}

async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  await using file = await open(path, 'wx', 0o600)
  await file.writeFile(bytes)
  await file.sync()
}

/** Creates missing directories and flushes the parent of each, so that they survive a crash. */
async function makeDirectory(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let made = path; made.length >= first.length; made = dirname(made)) await flush(dirname(made))
}

/** Flushes a directory: a new file name survives a crash only once its directory is flushed. */
async function flush(directory: string): Promise<void> {
  await using opened = await open(directory, 'r')
  await opened.sync()
}

async function openStored(path: string): Promise<StoredFile | undefined> {
  const file = await open(path, 'r').catch(ifMissing)
  if (!file) return undefined
  try {
    const found = await file.stat()
    // The size stays valid while it is read, because files are replaced and never written to.
    if (found.isFile()) return { size: found.size, content: file.createReadStream() }
    await file.close()
    return undefined
  } catch (error) {
    await file.close()
    throw error
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
  // A path through a file, or a name that is too long, was never stored.
  if (!['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(error.code ?? '')) throw error
}
