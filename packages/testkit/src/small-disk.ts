import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface SmallDisk extends Disposable {
  directory: string
  /** Fills the file system until no byte is free. */
  fill(): void
  /** Frees the space that `fill` used. */
  free(): void
}

/** Mounts a file system of this size in memory. Returns undefined if this process may not mount one. */
export function mountSmallDisk(megabytes: number): SmallDisk | undefined {
  const directory = mkdtempSync(join(tmpdir(), 'oxbow-disk-'))
  try {
    const options = `size=${megabytes}m,mode=1777`
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', directory], { stdio: 'ignore' })
  } catch {
    rmSync(directory, { recursive: true, force: true })
    return undefined
  }
  const ballast = join(directory, 'ballast')
  const unmount = () => {
    execFileSync('umount', ['--lazy', directory])
    rmSync(directory, { recursive: true, force: true })
  }
  process.once('exit', unmount)
  return {
    directory,
    fill: () => writeUntilFull(ballast),
    free: () => rmSync(ballast, { force: true }),
    [Symbol.dispose]() {
      process.off('exit', unmount)
      unmount()
    },
  }
}

function writeUntilFull(path: string): void {
  const file = openSync(path, 'a')
  try {
    for (const size of [1_048_576, 4_096, 1]) {
      const bytes = new Uint8Array(size)
      for (;;) if (!tryToWrite(file, bytes)) break
    }
  } finally {
    closeSync(file)
  }
}

function tryToWrite(file: number, bytes: Uint8Array): boolean {
  try {
    return writeSync(file, bytes) === bytes.length
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return false
    throw error
  }
}
