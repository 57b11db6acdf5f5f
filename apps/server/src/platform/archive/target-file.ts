import { existsSync, rmSync, statSync } from 'node:fs'
import { type FileHandle, link, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { Writable } from 'node:stream'
import { OperatorError } from '../operator-error.ts'
import { beginDraft, type Draft } from './draft-path.ts'

export interface BackupTarget {
  output: Writable
  /**
   * Flushes the backup to disk, so that it survives a crash of the machine, and renames it to its final name.
   * Returns its path; undefined for standard output.
   */
  commit(): Promise<string | undefined>
  /** Removes the unfinished backup. */
  remove(): void
}

/** The path of a backup's file. */
export interface BackupPath {
  path: string
  /** Whether the file is named by the time. It gets a number if another one has the same name. */
  isNamedByTime: boolean
}

/** Opens a new file, or standard output if there is no path. */
export async function openBackupTarget(target: BackupPath | undefined): Promise<BackupTarget> {
  return target === undefined ? openStandardOutput() : openFile(target)
}

function openStandardOutput(): BackupTarget {
  if (process.stdout.isTTY)
    throw new OperatorError('A backup is not for a terminal. Redirect standard output, or name a file.')
  return {
    output: process.stdout,
    commit: () => new Promise((written) => process.stdout.write('', () => written(undefined))),
    remove() {},
  }
}

/** Returns the path of the backup's file. If the target is a directory, the file is a new one in it. */
export function choosePath(target: string, time: Date): BackupPath {
  const path = resolve(target)
  const isDirectory = target.endsWith('/') || (existsSync(path) && statSync(path).isDirectory())
  if (!isDirectory) return { path, isNamedByTime: false }
  const name = `oxbow-${time.toISOString().replace(/[-:]|\.\d+/g, '')}.backup`
  return { path: join(path, name), isNamedByTime: true }
}

/** Names that `choosePath` gives to backups. */
const namedByTime = /^oxbow-\d{8}T\d{6}Z(-\d+)?\.backup$/

async function openFile(target: BackupPath): Promise<BackupTarget> {
  const { path, isNamedByTime } = target
  if (!isNamedByTime) refuseExisting(path)
  try {
    return await openDraft(target, beginDraft(path, namedByTime))
  } catch (error) {
    throw new OperatorError(`The backup cannot be written to ${path}: ${(error as Error).message}`)
  }
}

async function openDraft(target: BackupPath, draft: Draft): Promise<BackupTarget> {
  const remove = () => {
    draft.end()
    rmSync(draft.path, { force: true })
  }
  try {
    const file = await open(draft.path, 'wx', 0o600)
    // Sets the mode again, because a umask may have removed rights.
    await file.chmod(0o600)
    const output = new Writable({
      highWaterMark: 1_048_576,
      write(chunk: Buffer, _encoding, done) {
        file.appendFile(chunk).then(() => done(), done)
      },
    })
    return { output, commit: () => commit(target, draft, file, output), remove }
  } catch (error) {
    remove()
    throw error
  }
}

async function commit(target: BackupPath, draft: Draft, file: FileHandle, output: Writable): Promise<string> {
  await endOutput(output)
  await file.sync()
  await file.close()
  const path = await giveName(draft.path, target)
  draft.end()
  await using directory = await open(dirname(path), 'r')
  await directory.sync()
  return path
}

/**
 * Gives a complete draft its name, and returns it. Backups of the same second are numbered; another file with the name
 * is kept, and the draft is refused.
 */
async function giveName(draft: string, { path, isNamedByTime }: BackupPath): Promise<string> {
  for (let number = 1; ; number++) {
    const name = number === 1 ? path : path.replace(/(?=\.backup$)/, `-${number}`)
    if (await tryName(draft, name)) return name
    if (!isNamedByTime) refuseExisting(path)
  }
}

/** Returns false if there is a file with this name. */
async function tryName(draft: string, path: string): Promise<boolean> {
  try {
    // Unlike a renaming, a link never replaces a file that another process made in the meantime.
    await link(draft, path)
    await rm(draft)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' || existsSync(path)) return false
    // Some file systems have no links.
    await rename(draft, path)
    return true
  }
}

function refuseExisting(path: string): void {
  if (existsSync(path)) throw new OperatorError(`${path} exists already. Name another file.`)
}

/** Waits until everything is written; the file stays open. */
function endOutput(output: Writable): Promise<void> {
  return new Promise((written, failed) => {
    output.once('error', failed)
    output.end(() => written())
  })
}

/** Names of directories that web servers commonly serve. */
const servedNames = /^(www|public_html|htdocs|html|public|static)$/i

/**
 * Returns a warning if the path suggests that a web server may publish the backup. Throws if the nodes
 * themselves use the directory.
 */
export function findServedFolder(
  path: string,
  ownFolders: readonly string[],
  contents = 'A backup contains private messages and password hashes',
): string | undefined {
  const serverFolder = ownFolders.find((folder) => isInside(path, resolve(folder)))
  if (serverFolder)
    throw new OperatorError(`${serverFolder} is a directory of the server itself. Keep backups elsewhere.`)
  const served = dirname(path)
    .split('/')
    .find((name) => servedNames.test(name))
  return (
    served &&
    `${basename(path)} lies below a directory named ${served}, which a web server may publish. ${contents}: move it.`
  )
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way !== '' && !way.startsWith('..') && !way.startsWith('/')
}
