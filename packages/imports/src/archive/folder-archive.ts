import { createHash } from 'node:crypto'
import { constants, type Dirent } from 'node:fs'
import { lstat, open, opendir } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { ImportRefusal } from '../refusal.ts'
import type { Archive, ArchiveFile } from './archive.ts'
import { maxEntries } from './limits.ts'
import { normalizeNames } from './names.ts'

/** Opens an unpacked archive. Links and devices are ignored, so nothing outside the folder is read. */
export async function openFolder(path: string): Promise<Archive> {
  const digest = createHash('sha256')
  const found = new Map<string, ArchiveFile>()
  const links: string[] = []
  let bytes = 0
  for (const { name, isFile } of await listEntries(path)) {
    const target = join(path, name)
    if (!isFile) {
      links.push(name)
      continue
    }
    const { size, mtimeMs } = await lstat(target)
    digest.update(`${name}\0${size}\0${mtimeMs}\n`)
    found.set(name, { size, read: () => readFile(target) })
    bytes += size
  }
  const { files, ignored } = normalizeNames(found)
  return {
    files,
    ignored: [...ignored, ...links],
    bytes,
    fingerprint: digest.digest('hex'),
    [Symbol.asyncDispose]: async () => {},
  }
}

/** Lists files, and what is neither file nor folder, sorted by name. */
async function listEntries(path: string): Promise<{ name: string; isFile: boolean }[]> {
  const entries: { name: string; isFile: boolean }[] = []
  const folder = await opendir(path, { recursive: true })
  for await (const entry of folder) {
    if (entry.isDirectory()) continue
    entries.push({ name: nameOf(path, entry), isFile: entry.isFile() })
    if (entries.length > maxEntries)
      throw new ImportRefusal(`The folder has more than ${maxEntries} files. Name the folder of one archive.`)
  }
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
}

const nameOf = (root: string, { parentPath, name }: Dirent): string =>
  join(parentPath, name).slice(join(root, sep).length).replaceAll(sep, '/')

async function* readFile(path: string): AsyncGenerator<Buffer> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch((error: Error) => {
    throw new ImportRefusal(`A file of the archive cannot be read: ${error.message}`)
  })
  await using _ = file
  yield* file.createReadStream({ autoClose: false })
}
