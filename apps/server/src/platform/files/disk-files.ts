import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type FileStore, refuseUnlessKey, type StoredFile } from './file-store.ts'

/** No key begins with a dot, so nothing in here is ever found under one. */
const unfinished = '.unfinished'
/** No put takes as long. */
const abandonedAfter = 3_600_000

/** Files in a directory, which all nodes of a fleet must share. */
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

/** Missing ones are made from the top, each flushed into the one that holds it. */
async function makeDirectory(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let made = path; made.length >= first.length; made = dirname(made)) await flush(dirname(made))
}

/** A name is safe when its directory is. */
async function flush(directory: string): Promise<void> {
  await using opened = await open(directory, 'r')
  await opened.sync()
}

async function openStored(path: string): Promise<StoredFile | undefined> {
  const file = await open(path, 'r').catch(ifMissing)
  if (!file) return undefined
  try {
    const found = await file.stat()
    // As much as was there when it was opened: a file is replaced, never written to.
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
    if (found && Date.now() - found.mtimeMs > abandonedAfter) await rm(path, { force: true })
  }
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  // A name on the way that is a file, or one that is too long, is nothing that was put there.
  if (!['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(error.code ?? '')) throw error
}
