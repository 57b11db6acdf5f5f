import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { findAsset, isBuilt } from '@oxbow/assets'
import { findOwnFolder } from './own-services.ts'
import { isServiceName, servicesFolder } from './services.ts'

/** Thrown if a new integration cannot be written. */
export class NewServiceError extends Error {}

/** Writes a new integration that works at once. Returns the written files, in the order to read them. */
export async function writeNewService(name: string, folder: URL = findDefaultFolder()): Promise<URL[]> {
  if (!isServiceName(name))
    throw new NewServiceError(
      `"${name}" cannot be the name of an integration: up to 60 small letters, digits and _, a letter first.`,
    )
  const home = new URL(`${name}/`, folder)
  await makeFolder(name, home)
  await mkdir(new URL('fixtures/', home))
  return Promise.all(
    files.map(async (file) => {
      const target = new URL(file.replace('.ts.txt', '.ts'), home)
      const words = await readFile(new URL(file, template), 'utf8')
      await writeFile(target, fill(words, name, folder), { flag: 'wx' })
      return target
    }),
  )
}

/** Returns the folder for new integrations. In a built package, the operator has to name it. */
function findDefaultFolder(): URL {
  const folder = findOwnFolder() ?? (isBuilt ? undefined : servicesFolder)
  if (folder) return folder
  throw new NewServiceError(
    'Set OXBOW_INTEGRATIONS_DIR to the folder of your integrations, or name it with --folder.',
  )
}

const template = findAsset('integrationTemplate')
/** The translator's template is a text file, because its imports resolve only in the new folder. */
const files = ['index.ts.txt', 'guide.md', 'fixtures/published.json', 'fixtures/published.txt']

function fill(words: string, name: string, folder: URL): string {
  // Integrations in the checkout import by a relative path, all others by the name of the package.
  const imported = folder.href === servicesFolder.href ? '../../writing.ts' : '@oxbow/integrations/writing'
  return words
    .replace('../../writing.ts', imported)
    .replaceAll('TITLE', makeTitle(name))
    .replaceAll('CLIENT', makeTitle(name).replaceAll(' ', ''))
}

/** Returns `Uptime Kuma` for `uptime_kuma`. */
function makeTitle(name: string): string {
  return name
    .split('_')
    .filter(Boolean)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join(' ')
}

async function makeFolder(name: string, home: URL): Promise<void> {
  try {
    await mkdir(home)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw new NewServiceError(`There is an integration ${name} already.`)
    if (code === 'EACCES' || code === 'EROFS' || code === 'ENOENT')
      throw new NewServiceError(
        `${home.pathname} cannot be written. Integrations are added in a source checkout that is yours.`,
      )
    throw error
  }
}
