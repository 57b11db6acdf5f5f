import { randomUUID } from 'node:crypto'
import {
  copyFile,
  link,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { type ClientRelease, readClientRelease } from './client-release.ts'

/** Time after an upgrade during which open tabs can still load files of the previous release. */
const keptMs = 24 * 60 * 60 * 1000

/** Name of the file that contains the id of the build that the node served last. */
const currentFile = 'current'

/** Prefix of copies that a node has not finished. Those of killed nodes are removed like old releases. */
const unfinishedPrefix = 'unfinished-'

/**
 * Links or copies the files of the current release to a directory that survives an upgrade. Removes releases
 * that were replaced more than a day ago, and returns the other earlier releases.
 */
export async function keepRelease(current: ClientRelease, directory: string): Promise<ClientRelease[]> {
  await mkdir(directory, { recursive: true })
  const builds = (await readdir(directory)).filter((name) => name !== currentFile)
  if (!builds.includes(current.build)) await copyRelease(current, directory)
  const others = builds.filter((name) => name !== current.build)
  if ((await readCurrent(directory)) !== current.build) {
    // The modification time is the start of the day for which replaced releases are kept.
    for (const name of others) await ignoreMissing(utimes(join(directory, name), new Date(), new Date()))
    await writeFile(join(directory, currentFile), current.build)
  }
  const previous: ClientRelease[] = []
  for (const name of others) {
    const path = join(directory, name)
    const stats = await ignoreMissing(stat(path))
    if (!stats) continue
    if (Date.now() - stats.mtimeMs > keptMs) await rm(path, { recursive: true, force: true })
    else if (!name.startsWith(unfinishedPrefix)) {
      const release = readClientRelease(path)
      if (release) previous.push(release)
    }
  }
  return previous
}

/**
 * Awaits an operation on a directory. Returns undefined if the directory is missing, because
 * another node may rename or remove it at any time.
 */
async function ignoreMissing<Result>(operation: Promise<Result>): Promise<Result | undefined> {
  return operation.catch((error) => {
    if (error.code !== 'ENOENT') throw error
    return undefined
  })
}

async function copyRelease({ build, directory }: ClientRelease, target: string): Promise<void> {
  const unfinished = join(target, `${unfinishedPrefix}${randomUUID()}`)
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const source = join(entry.parentPath, entry.name)
    const copy = join(unfinished, relative(directory, source))
    await mkdir(dirname(copy), { recursive: true })
    await linkOrCopy(source, copy)
  }
  // Fails if another node that shares the directory has already copied the release.
  await rename(unfinished, join(target, build)).catch(() => rm(unfinished, { recursive: true }))
}

/**
 * Links a file, which takes no space; upgrades replace files and do not write into them. Copies it
 * if it is on another file system, or if it belongs to a user whose files this process may not link.
 */
async function linkOrCopy(source: string, target: string): Promise<void> {
  await link(source, target).catch(() => copyFile(source, target))
}

const readCurrent = (directory: string): Promise<string | undefined> =>
  readFile(join(directory, currentFile), 'utf8').catch(() => undefined)
