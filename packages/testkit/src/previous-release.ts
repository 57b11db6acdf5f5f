import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { baseline } from '@oxbow/server'

/**
 * The commit that stands for the previous release while no version has a tag. Nodes of this commit must work
 * beside nodes of the current sources.
 */
const commitWithoutTag = baseline.lastCommit

/** A release whose nodes a fleet can start, and whose functions can create its database. */
export interface Release {
  /** Name of the tag or the commit. */
  name: string
  /** The program to run with Node. */
  program: string
  server: typeof import('@oxbow/server')
}

const root = join(import.meta.dirname, '..', '..', '..')
const cache = join(root, '.cache', 'previous-releases')
const run = promisify(execFile)
const git = async (...args: string[]): Promise<string> =>
  (await run('git', args, { cwd: root })).stdout.trim()

/**
 * Unpacks the previous release into the cache: the newest tag before HEAD, or a fixed commit while there is
 * none. Uses the installed packages if it needs the same versions, and otherwise installs its own. Returns
 * undefined if there is neither a tag nor that commit. Throws if there is a tag that cannot be used.
 */
export async function loadPreviousRelease(): Promise<Release | undefined> {
  const tag = await findPreviousTag()
  const name = tag ?? commitWithoutTag
  const commit = await findCommit(name)
  if (!commit && tag) throw new Error(`The previous release, ${tag}, ${howToFetch}`)
  if (!commit) return undefined
  const folder = join(cache, commit)
  if (!existsSync(folder)) await unpack(commit, folder)
  return {
    name,
    // Nodes of the release start from a bundle if those of the current sources do.
    program: process.env.OXBOW_TEST_PROGRAM
      ? await bundle(folder)
      : join(folder, 'apps', 'cli', 'bin', 'oxbow.js'),
    server: await import(pathToFileURL(join(folder, 'apps', 'server', 'src', 'index.ts')).href),
  }
}

const howToFetch = 'is not in this clone. Run: git fetch --unshallow --tags'

/** Returns the newest tag before HEAD; undefined if no release has a tag. */
async function findPreviousTag(): Promise<string | undefined> {
  // A release itself is compared with the one before it.
  const tag = await git('describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*', 'HEAD^').catch(() => '')
  if (tag) return tag
  const others = await git('tag', '--list', 'v[0-9]*', '--no-contains', 'HEAD').catch(() => '')
  if (others) throw new Error(`The history between HEAD and the tag of a release ${howToFetch}`)
  const isShallow = (await git('rev-parse', '--is-shallow-repository').catch(() => '')) === 'true'
  const published = isShallow && (await git('ls-remote', '--tags', 'origin', 'v[0-9]*').catch(() => ''))
  if (published) throw new Error(`The tag of the previous release ${howToFetch}`)
  return undefined
}

/** Returns the hash of a commit; undefined if neither this clone nor its origin has it. */
async function findCommit(name: string): Promise<string | undefined> {
  const find = () => git('rev-parse', '--verify', '--quiet', `${name}^{commit}`).catch(() => undefined)
  const found = await find()
  if (found) return found
  // A clone without history can still fetch a single commit.
  await git('fetch', '--quiet', '--depth=1', 'origin', name).catch(() => {})
  return find()
}

/** Writes the files under a path, as they are in a commit, to a folder. Returns false if the commit is unavailable. */
export async function unpackFiles(name: string, path: string, folder: string): Promise<boolean> {
  const commit = await findCommit(name)
  if (!commit) return false
  const script = 'set -o pipefail; git archive "$1" "$2" | tar -x -C "$3"'
  await run('bash', ['-c', script, 'bash', commit, path, folder], { cwd: root })
  return true
}

async function unpack(commit: string, folder: string): Promise<void> {
  await mkdir(cache, { recursive: true })
  const made = await mkdtemp(join(cache, 'unfinished-'))
  await unpackFiles(commit, '.', made)
  if (await hasSamePackages(made)) await linkPackages(made)
  else await installPackages(made)
  // Another test process may have unpacked the same release meanwhile.
  await rename(made, folder).catch(() => rm(made, { recursive: true }))
}

/** Where releases have the program that bundles `oxbow`, the newest place first. */
const bundlers = ['scripts/build/bundle-oxbow.ts', 'scripts/testing/bundle-oxbow.ts']

async function bundle(folder: string): Promise<string> {
  const bundler = bundlers.find((path) => existsSync(join(folder, path)))
  if (!bundler) throw new Error(`the release in ${folder} has none of ${bundlers.join(' and ')}`)
  const script = `import { bundleOxbow } from './${bundler}'; process.stdout.write(await bundleOxbow())`
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script], { cwd: folder })
  return stdout
}

interface Lockfile {
  packages: Record<string, { version?: string; dev?: boolean; link?: boolean }>
}

const readLockfile = async (folder: string): Promise<Lockfile> =>
  JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8'))

/** Returns whether every package that the release needs is installed here in the same version. */
async function hasSamePackages(folder: string): Promise<boolean> {
  const [needed, present] = await Promise.all([readLockfile(folder), readLockfile(root)])
  return Object.entries(needed.packages).every(
    ([path, { version, dev, link }]) =>
      !path.includes('node_modules/') || dev || link || present.packages[path]?.version === version,
  )
}

/** Links the installed packages, except those of the project itself, which must be of the release. */
async function linkPackages(folder: string): Promise<void> {
  const installed = join(root, 'node_modules')
  const own = join(folder, 'node_modules', '@oxbow')
  await mkdir(own, { recursive: true })
  for (const name of await readdir(installed))
    if (name !== '@oxbow') await symlink(join(installed, name), join(folder, 'node_modules', name))
  for (const parent of ['apps', 'packages'])
    for (const name of await readdir(join(folder, parent)))
      await symlink(join('..', '..', parent, name), join(own, name))
}

async function installPackages(folder: string): Promise<void> {
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  await run('npm', ['ci', ...options], { cwd: folder })
}
