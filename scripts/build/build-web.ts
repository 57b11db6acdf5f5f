import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, utimes } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { removeOldEntries } from '../../packages/testkit/src/remove-old-entries.ts'

const folder = resolve('.cache/web-builds')
/** All files that the client is built from. */
const sources = [
  'apps/web/{index.html,package.json}',
  'apps/web/{public,scripts,src,styles}/**/*',
  'packages/{contract,look,markdown,sdk,search,texts}/{src,styles}/**/*',
  'package-lock.json',
]

/** Builds the web client, unless the same sources were built before. Returns its directory. */
export async function buildWeb(): Promise<string> {
  const built = join(folder, await hashSources())
  await mkdir(folder, { recursive: true })
  if (existsSync(built)) await utimes(built, new Date(), new Date())
  else {
    const made = await mkdtemp(join(folder, 'unfinished-'))
    // Builds in a separate process, so that the memory is free again during the tests.
    await promisify(execFile)(process.execPath, ['apps/web/scripts/build.ts', join(made, 'dist')])
    // If another run built the same sources meanwhile, its result is used.
    await rename(join(made, 'dist'), built).catch(() => {})
    await rm(made, { recursive: true, force: true })
  }
  await removeOldEntries(folder)
  return built
}

async function hashSources(): Promise<string> {
  const hash = createHash('sha256')
  const files = sources.flatMap((pattern) => globSync(pattern, { withFileTypes: true }))
  const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name))
  for (const path of paths.filter((each) => !each.endsWith('.test.ts')).sort())
    hash.update(path).update(await readFile(path))
  return hash.digest('hex').slice(0, 16)
}
