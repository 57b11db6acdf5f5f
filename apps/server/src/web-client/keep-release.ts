import { randomUUID } from 'node:crypto'
import { cp, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ClientRelease, readClientRelease } from './client-release.ts'

/** For this time after an upgrade, tabs that are still open can load parts of the previous release. */
const keptMs = 24 * 60 * 60 * 1000

/** Holds the build that the node served last. */
const currentFile = 'current'

/**
 * Copies the assets of the current release to a directory that survives an upgrade, removes those of
 * releases that were replaced more than a day ago, and returns the others.
 */
export async function keepRelease(current: ClientRelease, directory: string): Promise<ClientRelease[]> {
  await mkdir(directory, { recursive: true })
  const builds = (await readdir(directory)).filter((name) => name !== currentFile)
  if (!builds.includes(current.build)) await copyRelease(current, directory)
  const others = builds.filter((name) => name !== current.build).map((name) => join(directory, name))
  if ((await readCurrent(directory)) !== current.build) {
    // The day of the replaced releases starts now.
    for (const other of others) await utimes(other, new Date(), new Date())
    await writeFile(join(directory, currentFile), current.build)
  }
  const previous: ClientRelease[] = []
  for (const other of others) {
    if (Date.now() - (await stat(other)).mtimeMs > keptMs) await rm(other, { recursive: true, force: true })
    else previous.push(...[readClientRelease(other)].filter((release) => release !== undefined))
  }
  return previous
}

async function copyRelease({ build, directory }: ClientRelease, target: string): Promise<void> {
  const unfinished = join(target, `unfinished-${randomUUID()}`)
  await cp(directory, unfinished, { recursive: true })
  // Another node that shares the directory may have been first.
  await rename(unfinished, join(target, build)).catch(() => rm(unfinished, { recursive: true }))
}

const readCurrent = (directory: string): Promise<string | undefined> =>
  readFile(join(directory, currentFile), 'utf8').catch(() => undefined)
