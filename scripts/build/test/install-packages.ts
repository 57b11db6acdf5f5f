import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Packs folders as `npm publish` would. Returns the paths of the tarballs in `target`. */
export async function packFolders(folders: readonly string[], target: string): Promise<string[]> {
  const paths = folders.map((folder) => resolve(folder))
  const args = ['pack', ...paths, '--json', '--pack-destination', target]
  const { stdout } = await run('npm', args, { maxBuffer: 64 * 1024 * 1024 })
  const packed: { filename: string }[] | Record<string, { filename: string }> = JSON.parse(stdout)
  return Object.values(packed).map(({ filename }) => join(target, filename))
}

/** Packs one folder like `packFolders`. Returns the path of the tarball. */
export async function packFolder(folder: string, target: string): Promise<string> {
  const [tarball = ''] = await packFolders([folder], target)
  return tarball
}

export interface EmptyFolder extends AsyncDisposable {
  path: string
}

/** Creates a folder outside the checkout, so that no module of the checkout can be resolved from it. */
export async function makeEmptyFolder(): Promise<EmptyFolder> {
  const path = await mkdtemp(join(tmpdir(), 'oxbow-install-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** Installs tarballs and packages into a folder, without running install scripts. */
export async function installInto(folder: string, ...packages: string[]): Promise<void> {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  await run('npm', ['install', '--prefer-offline', '--ignore-scripts', ...quiet, ...packages], {
    cwd: folder,
    env: { ...process.env, npm_config_workspaces: 'false' },
  })
}
