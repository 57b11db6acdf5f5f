import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { Writable } from 'node:stream'
import { OperatorError } from '../operator-error.ts'

export interface BackupTarget {
  output: Writable
  /**
   * Flushes the backup to disk, so that it survives a crash of the machine, and renames it to its final name.
   */
  commit(): Promise<void>
  /** Removes the unfinished backup. */
  remove(): void
}

/** Opens a new file, or standard output if there is no path. */
export async function openBackupTarget(path: string | undefined): Promise<BackupTarget> {
  return path === undefined ? openStandardOutput() : openFile(path)
}

function openStandardOutput(): BackupTarget {
  if (process.stdout.isTTY)
    throw new OperatorError('A backup is not for a terminal. Redirect standard output, or name a file.')
  return {
    output: process.stdout,
    commit: () => new Promise((written) => process.stdout.write('', () => written())),
    remove() {},
  }
}

/** Returns the path of the backup's file. If the target is a directory, the file is a new one in it. */
export function choosePath(target: string, time: Date): string {
  const path = resolve(target)
  const isDirectory = target.endsWith('/') || (existsSync(path) && statSync(path).isDirectory())
  if (!isDirectory) return path
  return join(path, `oxbow-${time.toISOString().replace(/[-:]|\.\d+/g, '')}.backup`)
}

/** Names that `choosePath` gives to backups. */
const namedByTime = /^oxbow-\d{8}T\d{6}Z\.backup$/

async function openFile(path: string): Promise<BackupTarget> {
  refuseExisting(path)
  const draft = draftOf(path)
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    removeAbandonedDrafts(path, namedByTime)
    const file = await open(draft, 'wx', 0o600)
    // Sets the mode again, because a umask may have removed rights.
    await file.chmod(0o600)
    const output = new Writable({
      highWaterMark: 1_048_576,
      write(chunk: Buffer, _encoding, done) {
        file.appendFile(chunk).then(() => done(), done)
      },
    })
    return {
      output,
      async commit() {
        await endOutput(output)
        await file.sync()
        await file.close()
        refuseExisting(path)
        await rename(draft, path)
        await using directory = await open(dirname(path), 'r')
        await directory.sync()
      },
      remove: () => rmSync(draft, { force: true }),
    }
  } catch (error) {
    await rm(draft, { force: true })
    throw new OperatorError(`The backup cannot be written to ${path}: ${(error as Error).message}`)
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

/** Returns the path at which this process writes a file or directory that gets the name `path` when it is complete. */
export const draftOf = (path: string): string => `${path}.${process.pid}.partial`

/**
 * Removes the drafts of killed processes that wrote to the same path, or to one in its directory whose name matches
 * `alike`. In a container a killed process may have had the id of this one, so this process must have no draft there.
 */
export function removeAbandonedDrafts(path: string, alike?: RegExp): void {
  for (const name of readdirSync(dirname(path))) {
    const [, file = '', pid] = /^(.+)\.(\d+)\.partial$/.exec(name) ?? []
    const isOurs = file === basename(path) || alike?.test(file)
    if (isOurs && !isOtherProcess(Number(pid)))
      rmSync(join(dirname(path), name), { recursive: true, force: true })
  }
}

/** Returns whether another process with this id exists on this machine. */
function isOtherProcess(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
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
